//! Files of a package can be read one after the other: no circle of uses has more than two of them. And what is said
//! of a rule of a sync, or of a kind of workload, is in one place, because few files ask which it is.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::LazyLock,
};

use hpa_engine::model::KnownKind;
use hpa_explain::Rule;
use regex::Regex;
use syn::{ItemUse, UseTree};

use super::{assert_none, effects::code, texts};

#[test]
fn at_most_two_files_are_in_an_import_circle() {
    let code = code();
    let packages: BTreeSet<String> = code
        .iter()
        .filter_map(|(path, _)| path.strip_prefix("crates/")?.split('/').next())
        .map(|name| format!("crates/{name}/src/"))
        .chain(["src/".to_owned()])
        .collect();
    assert!(1 < packages.len(), "no package was found");
    let found: Vec<_> = packages
        .iter()
        .map(|folder| Package::read(folder, &code))
        .flat_map(|package| {
            let circles = package.circles().into_iter();
            let large = circles.filter(|circle| 2 < circle.len());
            large
                .map(|circle| package.explained(&circle))
                .collect::<Vec<_>>()
        })
        .collect();
    assert_none("files in a circle, and what each of them uses", &found);
}

#[test]
fn folders_of_the_program_use_each_other_in_one_direction() {
    let program = Package::read("src/", &code());
    let mut uses: BTreeMap<Names, BTreeSet<Names>> = BTreeMap::new();
    for module in program.modules.keys().filter(|module| !module.is_empty()) {
        let needed = program.needed(module).into_iter();
        let folders = needed.filter_map(|path| path.first().map(|first| vec![first.clone()]));
        uses.entry(vec![module[0].clone()])
            .or_default()
            .extend(folders);
    }
    let found: Vec<_> = circles(&uses.iter().map(|(from, to)| (from, to.clone())).collect())
        .into_iter()
        .map(|circle| {
            circle
                .iter()
                .map(|folder| folder.concat())
                .collect::<Vec<_>>()
                .join(", ")
        })
        .collect();
    assert_none("folders of src that use each other", &found);
}

#[test]
fn at_most_three_files_ask_which_rule_decides() {
    let variants = Rule::ALL.map(|rule| format!("{rule:?}")).join("|");
    let named = Regex::new(&format!(r"\bRule::({variants})\b")).unwrap();
    let own = Regex::new(&format!(r"\bSelf::({variants})\b")).unwrap();
    let mut found: Vec<_> = code()
        .into_iter()
        .filter(|(_, code)| {
            named.is_match(code) || (code.contains("impl Rule{") && own.is_match(code))
        })
        .map(|(path, _)| path)
        .collect();
    assert!(!found.is_empty(), "no file names a rule");
    if found.len() <= 3 {
        found.clear();
    }
    assert_none("files that ask which rule decides", &found);
}

#[test]
fn workloads_are_named_in_one_table() {
    let kinds = KnownKind::all().filter(|kind| kind.has_template() || kind.is_scalable());
    let names: Vec<_> = kinds.map(|kind| kind.name).collect();
    let named = Regex::new(&format!("\"({})\"", names.join("|"))).unwrap();
    let tests = Regex::new(r"#\[cfg\(test\)\]\n(pub\([a-z]+\) )?mod \w+ \{").unwrap();
    let is_named = |text: &str| {
        let code = tests.split(text).next().unwrap_or_default();
        let mut lines = code.lines();
        lines.any(|line| !line.trim_start().starts_with("//") && named.is_match(line))
    };
    let files = texts("src/", ".rs").into_iter();
    let files = files.chain(texts("crates/", ".rs")).filter(|(path, _)| {
        let is_test = |part| path.contains(part);
        path.contains("src/") && !["/drawn/", "/tests/", "/tests.rs"].iter().any(is_test)
    });
    let found: Vec<_> = files
        .filter(|(_, text)| is_named(text))
        .map(|(path, _)| path)
        .collect();
    let table = "crates/hpa-engine/src/model/known_kind.rs";
    // The words that a tree of YAML shares are of manifests in general.
    assert_eq!(found, [table, "crates/kubectl-hpa-yaml/src/text.rs"]);
}

#[test]
fn a_circle_is_found_through_what_a_parent_passes_on() {
    let files = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter()
            .map(|(path, code)| (format!("crates/p/src/{path}"), (*code).to_owned()))
            .collect()
    };
    let circle = files(&[
        ("lib.rs", "mod a;mod b;mod c;pub use a::A;"),
        ("a/mod.rs", "mod x;pub(in crate::b)use x::A;"),
        ("a/x.rs", "use crate::b;fn x(){b::b()}"),
        ("b.rs", "fn b(){super::c::C}"),
        ("c.rs", "use{crate::c::{self},crate::A as B};struct C(B);"),
    ]);
    let found = Package::read("crates/p/src/", &circle).circles();
    assert_eq!(
        found,
        [["a/x.rs", "b.rs", "c.rs"].map(str::to_owned).into()]
    );
    let parents = files(&[
        ("lib.rs", "mod a;mod b;pub use a::A;fn top()->A{A}"),
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "fn b(){crate::top()}"),
    ]);
    assert_eq!(
        Package::read("crates/p/src/", &parents).circles()[0].len(),
        3
    );
}

/// A `use`, and the `pub` before it.
static ITEM: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(pub(?:\([\w :]+\))?)? ?\buse[ {][\w:{},* ]*;").unwrap());

/// What names modules without a use of them.
static USES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\(in [\w:]+\)|\bmod \w+;|\buse[ {][\w:{},* ]*;").unwrap());

/// A path in code.
static PATH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:^|[^:\w])(\w+(?:::\w+)+)").unwrap());

/// A path: the modules from the root of the package, and an item.
type Names = Vec<String>;

/// The modules of a package, each a file, and what they use.
struct Package {
    /// File and code.
    modules: BTreeMap<Names, (String, String)>,
    /// What a name in a module stands for.
    uses: BTreeMap<(Names, String), Names>,
}

impl Package {
    /// The package whose code is in a folder.
    fn read(folder: &str, code: &[(String, String)]) -> Self {
        let modules: BTreeMap<_, _> = code
            .iter()
            .filter_map(|(path, code)| {
                let file = path.strip_prefix(folder)?;
                Some((module(file), (file.to_owned(), code.clone())))
            })
            .collect();
        assert!(2 < modules.len(), "{folder} is somewhere else");
        let mut package = Self {
            modules,
            uses: BTreeMap::new(),
        };
        for (module, (_, code)) in &package.modules {
            for (used, name, _) in used(code) {
                if let Some(target) = package.absolute(module, &used) {
                    package.uses.insert((module.clone(), name), target);
                }
            }
        }
        package
    }

    /// Each set of files that all use each other, directly or not.
    fn circles(&self) -> Vec<BTreeSet<String>> {
        let next: BTreeMap<_, _> = self
            .modules
            .keys()
            .map(|module| (module, self.needed(module)))
            .collect();
        let files = |circle: BTreeSet<Names>| {
            let files = circle.iter().map(|module| self.modules[module].0.clone());
            files.collect()
        };
        circles(&next).into_iter().map(files).collect()
    }

    /// A circle with what its files use of each other.
    fn explained(&self, circle: &BTreeSet<String>) -> String {
        let mut lines = vec![format!("{} files", circle.len())];
        for (module, (file, _)) in &self.modules {
            let needed = self.needed(module);
            let files = needed.iter().map(|needed| &*self.modules[needed].0);
            let used: Vec<_> = files.filter(|used| circle.contains(*used)).collect();
            if circle.contains(file) {
                lines.push(format!("{file} uses {}", used.join(", ")));
            }
        }
        lines.join("\n    ")
    }

    /// The modules that have what a module uses. What it only passes on it does not use.
    fn needed(&self, module: &Names) -> BTreeSet<Names> {
        let code = &self.modules[module].1;
        let rest = USES.replace_all(code, "");
        let words: BTreeSet<&str> = rest
            .split(|one| one != '_' && !char::is_alphanumeric(one))
            .collect();
        let items = used(code)
            .into_iter()
            .filter(|(_, name, is_passed_on)| !is_passed_on || words.contains(&**name))
            .filter_map(|(path, _, _)| self.absolute(module, &path))
            // What a module has is used where its name is followed by `::`.
            .filter(|path| !self.modules.contains_key(path));
        let named = PATH.captures_iter(&rest).filter_map(|found| {
            let path: Names = found[1].split("::").map(str::to_owned).collect();
            self.absolute(module, &path)
        });
        items
            .chain(named)
            .map(|path| self.home(&path, 0))
            .filter(|home| home != module)
            .collect()
    }

    /// A path from the root of the package; none: it starts in another package, or with a type.
    fn absolute(&self, module: &Names, path: &[String]) -> Option<Names> {
        let (mut at, mut rest) = (module.clone(), path);
        match path.first()?.as_str() {
            "crate" => (at, rest) = (Vec::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {}
            first => {
                let child = [&at[..], &[first.to_owned()]].concat();
                let key = (at.clone(), first.to_owned());
                if !self.modules.contains_key(&child) {
                    (at, rest) = (self.uses.get(&key)?.clone(), &path[1..]);
                }
            }
        }
        while let Some(("super", after)) = rest.split_first().map(|(name, after)| (&**name, after))
        {
            at.pop();
            rest = after;
        }
        Some([&at[..], rest].concat())
    }

    /// The module where the item of a path is written.
    fn home(&self, path: &[String], depth: usize) -> Names {
        let mut at = Vec::new();
        for (index, name) in path.iter().enumerate() {
            let key = (at.clone(), name.clone());
            let child = [&at[..], std::slice::from_ref(name)].concat();
            if self.modules.contains_key(&child) {
                at = child;
            } else if let Some(target) = self.uses.get(&key).filter(|_| depth < 9) {
                return self.home(&[target, &path[index + 1..]].concat(), depth + 1);
            } else {
                break;
            }
        }
        at
    }
}

/// Each set of modules that all use each other, directly or not.
fn circles(next: &BTreeMap<&Names, BTreeSet<Names>>) -> BTreeSet<BTreeSet<Names>> {
    let reached: BTreeMap<_, _> = next.keys().map(|from| (*from, reach(from, next))).collect();
    let circles = reached.iter().map(|(from, to)| {
        let back = to.iter().filter(|to| reached[*to].contains(*from));
        back.cloned().collect::<BTreeSet<_>>()
    });
    circles.filter(|circle| 1 < circle.len()).collect()
}

/// All that is reached from a module, and itself.
fn reach(from: &Names, next: &BTreeMap<&Names, BTreeSet<Names>>) -> BTreeSet<Names> {
    let mut reached = BTreeSet::from([from.clone()]);
    let mut open = vec![from.clone()];
    while let Some(module) = open.pop() {
        open.extend(
            next[&module]
                .iter()
                .filter(|to| reached.insert((*to).clone()))
                .cloned(),
        );
    }
    reached
}

/// The module that a file is.
fn module(file: &str) -> Names {
    let path = file.trim_end_matches(".rs");
    let names = path.split('/').map(str::to_owned);
    names
        .filter(|name| name != "mod" && name != "lib")
        .collect()
}

/// What code uses: the path, its name there, and whether that is passed on.
fn used(code: &str) -> Vec<(Names, String, bool)> {
    let mut found = Vec::new();
    for text in ITEM.captures_iter(code) {
        let item: ItemUse = syn::parse_str(&text[0]).unwrap();
        let paths = leaves(&item.tree, &[]).into_iter();
        found.extend(paths.map(|(path, name)| (path, name, text.get(1).is_some())));
    }
    found
}

/// The paths of a `use` tree after `root`, and their names.
fn leaves(tree: &UseTree, root: &[String]) -> Vec<(Names, String)> {
    let with = |name: &dyn ToString| [root, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &with(&path.ident)),
        UseTree::Group(group) => {
            let branches = group.items.iter();
            branches.flat_map(|tree| leaves(tree, root)).collect()
        }
        UseTree::Name(one) if one.ident == "self" => {
            vec![(root.to_vec(), root.last().cloned().unwrap_or_default())]
        }
        UseTree::Name(one) => vec![(with(&one.ident), one.ident.to_string())],
        UseTree::Rename(one) => vec![(with(&one.ident), one.rename.to_string())],
        UseTree::Glob(_) => vec![(with(&"*"), "*".to_owned())],
    }
}
