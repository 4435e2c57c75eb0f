//! Files of a package can be read one after the other: no circle of uses has more than two of them. And what is said
//! of a rule of a sync is in its file, because few files ask which rule it is.

use std::collections::{BTreeMap, BTreeSet};

use hpa_explain::Rule;
use regex::Regex;

use super::{assert_none, effects::code};

/// The packages without such circles.
const FREE: [&str; 4] = ["hpa-cluster", "hpa-explain", "hpa-simulation", "hpa-history"];

#[test]
fn at_most_two_files_are_in_an_import_circle() {
    let code = code();
    let found: Vec<_> = FREE
        .iter()
        .map(|name| Package::read(name, &code))
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
fn a_circle_is_found_through_what_a_parent_passes_on() {
    let files = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter()
            .map(|(path, code)| (format!("crates/p/src/{path}"), (*code).to_owned()))
            .collect()
    };
    let circle = files(&[
        ("lib.rs", "mod a;mod b;mod c;pub use a::{A,b as d};"),
        ("a/mod.rs", "mod x;pub use x::A;"),
        ("a/x.rs", "use crate::b;fn x(){b::b()}"),
        ("b.rs", "fn b(){super::c::C}"),
        ("c.rs", "use crate::{c::{self},A as B};struct C(B);"),
    ]);
    let found = Package::read("p", &circle).circles();
    assert_eq!(
        found,
        [["a/x.rs", "b.rs", "c.rs"].map(str::to_owned).into()]
    );
    let parents = files(&[
        ("lib.rs", "mod a;mod b;use a::A;"),
        ("a.rs", "use crate::b::B;"),
        ("b.rs", "fn b(){crate::top()}"),
    ]);
    assert_eq!(Package::read("p", &parents).circles()[0].len(), 3);
}

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
    fn read(name: &str, code: &[(String, String)]) -> Self {
        let folder = format!("crates/{name}/src/");
        let modules: BTreeMap<_, _> = code
            .iter()
            .filter_map(|(path, code)| {
                let file = path.strip_prefix(&folder)?;
                Some((module(file), (file.to_owned(), code.clone())))
            })
            .collect();
        assert!(2 < modules.len(), "{name} is somewhere else");
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
        let reached: BTreeMap<_, _> = next
            .keys()
            .map(|from| (*from, reach(from, &next)))
            .collect();
        let circles: BTreeSet<BTreeSet<String>> = reached
            .iter()
            .map(|(from, to)| {
                to.iter()
                    .filter(|to| reached[*to].contains(*from))
                    .map(|to| self.modules[to].0.clone())
                    .collect()
            })
            .collect();
        circles
            .into_iter()
            .filter(|circle| 1 < circle.len())
            .collect()
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
        let inline = Regex::new(r"(?:^|[^:\w])(\w+(?:::\w+)+)").unwrap();
        let items = used(code)
            .into_iter()
            .filter(|(_, _, is_passed_on)| !is_passed_on)
            .filter_map(|(path, _, _)| self.absolute(module, &path))
            // What a module has is used where its name is followed by `::`.
            .filter(|path| !self.modules.contains_key(path));
        let inner = Regex::new(r"\(in [\w:]+\)|\buse [^;]+;")
            .unwrap()
            .replace_all(code, "");
        let named = inline.captures_iter(&inner).filter_map(|found| {
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
            let child = [&at[..], &[name.clone()]].concat();
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

/// What code uses: the path, its name there, and whether that is only passed on.
fn used(code: &str) -> Vec<(Names, String, bool)> {
    let item = Regex::new(r"(pub(?:\([\w :]+\))?)? ?\buse ([^;]+);").unwrap();
    let mut found = Vec::new();
    for one in item.captures_iter(code) {
        for (path, name) in leaves(&one[2]) {
            found.push((path, name, one.get(1).is_some()));
        }
    }
    found
}

/// The paths of a `use` tree, and their names.
fn leaves(tree: &str) -> Vec<(Names, String)> {
    let (mut start, mut depth, mut found) = (0, 0_usize, Vec::new());
    for (at, sign) in tree.char_indices().chain([(tree.len(), ',')]) {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.extend(branch(&tree[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    found
}

fn branch(tree: &str) -> Vec<(Names, String)> {
    if let Some((root, inner)) = tree.split_once('{') {
        let root: Names = root
            .split("::")
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect();
        return leaves(&inner[..inner.len() - 1])
            .into_iter()
            .map(|(path, name)| match (&*path.join("::"), root.last()) {
                ("self", Some(last)) => (root.clone(), last.clone()),
                _ => ([&root[..], &path].concat(), name),
            })
            .collect();
    }
    let (path, name) = tree
        .split_once(" as ")
        .map_or((tree, None), |(path, name)| (path, Some(name)));
    let path: Names = path
        .split("::")
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    let last = path.last().cloned();
    last.map(|last| (path, name.map_or(last, str::to_owned)))
        .into_iter()
        .collect()
}
