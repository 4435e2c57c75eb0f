//! One public item and its lines in the list.

use quote::ToTokens;
use syn::{Fields, File, ImplItem, Item, Signature, Type, Visibility};

use crate::surface::is_hidden;

/// An item with the path by which it can be named.
pub(crate) struct Declared {
    /// Its name.
    pub(crate) name: String,
    /// The module through which it is public.
    module: String,
    item: Item,
}

impl Declared {
    /// The item, if it is public where it is declared.
    pub(crate) fn public(item: &Item, module: &str) -> Option<Self> {
        let declared = Self::any(item, module)?;
        let (visibility, attributes) = match item {
            Item::Const(item) => (&item.vis, &item.attrs),
            Item::Enum(item) => (&item.vis, &item.attrs),
            Item::Fn(item) => (&item.vis, &item.attrs),
            Item::Struct(item) => (&item.vis, &item.attrs),
            Item::Trait(item) => (&item.vis, &item.attrs),
            Item::Type(item) => (&item.vis, &item.attrs),
            _ => return None,
        };
        (matches!(visibility, Visibility::Public(_)) && !is_hidden(attributes)).then_some(declared)
    }

    /// The item, if it is of a kind that can be public.
    pub(crate) fn any(item: &Item, module: &str) -> Option<Self> {
        let name = match item {
            Item::Const(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Fn(item) => &item.sig.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::Type(item) => &item.ident,
            _ => return None,
        };
        Some(Self {
            name: name.to_string(),
            module: module.to_owned(),
            item: item.clone(),
        })
    }

    /// The same item under another module, which re-exports it.
    pub(crate) fn named(self, module: &str) -> Self {
        Self {
            module: module.to_owned(),
            ..self
        }
    }

    /// Whether it can have methods and traits.
    pub(crate) fn is_type(&self) -> bool {
        matches!(self.item, Item::Enum(_) | Item::Struct(_))
    }

    fn path(&self) -> String {
        format!("{}::{}", self.module, self.name)
    }

    /// Its lines: itself, its fields or variants, and its derived traits.
    pub(crate) fn lines(&self) -> Vec<String> {
        let path = self.path();
        let (generics, attributes) = match &self.item {
            Item::Const(item) => return vec![format!("pub const {path}: {}", text(&item.ty))],
            Item::Fn(item) => return vec![function(&path, &item.sig)],
            Item::Trait(item) => {
                return vec![format!("pub trait {path}{}", text(&item.generics))];
            }
            Item::Type(item) => return vec![format!("pub type {path} = {}", text(&item.ty))],
            Item::Enum(item) => (&item.generics, &item.attrs),
            Item::Struct(item) => (&item.generics, &item.attrs),
            _ => return Vec::new(),
        };
        let mut lines = Vec::new();
        let kind = match &self.item {
            Item::Enum(item) => {
                for variant in &item.variants {
                    let variant_path = format!("{path}::{}", variant.ident);
                    lines.push(format!(
                        "pub {variant_path}{}",
                        unnamed(&variant.fields, true)
                    ));
                    lines.extend(named_fields(&variant_path, &variant.fields, true));
                }
                "enum"
            }
            Item::Struct(item) => {
                lines.extend(named_fields(&path, &item.fields, false));
                "struct"
            }
            _ => return Vec::new(),
        };
        let tuple = match &self.item {
            Item::Struct(item) => unnamed(&item.fields, false),
            _ => String::new(),
        };
        lines.push(format!("pub {kind} {path}{}{tuple}", text(generics)));
        for attribute in attributes {
            if attribute.path().is_ident("derive") {
                let derived = attribute.parse_args_with(
                    syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated,
                );
                for derived in derived.expect("derive takes paths") {
                    let name = derived
                        .segments
                        .last()
                        .expect("a path has a name")
                        .ident
                        .to_string();
                    lines.push(format!("impl {name} for {path}"));
                }
            }
        }
        lines
    }
}

/// Public methods, constants and traits that a file implements for these types.
pub(crate) fn implemented(file: &File, types: &[&Declared]) -> Vec<String> {
    let mut lines = Vec::new();
    for item in &file.items {
        let Item::Impl(block) = item else { continue };
        let Type::Path(of) = &*block.self_ty else {
            continue;
        };
        let name = of
            .path
            .segments
            .last()
            .expect("a path has a name")
            .ident
            .to_string();
        let Some(declared) = types.iter().find(|declared| declared.name == name) else {
            continue;
        };
        let path = declared.path();
        if let Some((_, implemented, _)) = &block.trait_ {
            lines.push(format!("impl {} for {path}", text(implemented)));
            continue;
        }
        for member in &block.items {
            match member {
                ImplItem::Const(item)
                    if matches!(item.vis, Visibility::Public(_)) && !is_hidden(&item.attrs) =>
                {
                    let constant = format!("pub const {path}::{}: {}", item.ident, text(&item.ty));
                    lines.push(constant);
                }
                ImplItem::Fn(item)
                    if matches!(item.vis, Visibility::Public(_)) && !is_hidden(&item.attrs) =>
                {
                    lines.push(function(&format!("{path}::{}", item.sig.ident), &item.sig));
                }
                _ => {}
            }
        }
    }
    lines
}

fn function(path: &str, signature: &Signature) -> String {
    let inputs: Vec<String> = signature.inputs.iter().map(text).collect();
    format!(
        "pub {}fn {path}{}({}){}",
        if signature.constness.is_some() {
            "const "
        } else {
            ""
        },
        text(&signature.generics),
        inputs.join(", "),
        match &signature.output {
            syn::ReturnType::Default => String::new(),
            syn::ReturnType::Type(_, output) => format!(" -> {}", text(output)),
        },
    )
}

/// The named fields; those of a variant are public with it.
fn named_fields(path: &str, fields: &Fields, is_variant: bool) -> Vec<String> {
    fields
        .iter()
        .filter(|field| is_variant || matches!(field.vis, Visibility::Public(_)))
        .filter_map(|field| {
            let name = field.ident.as_ref()?;
            Some(format!("pub {path}::{name}: {}", text(&field.ty)))
        })
        .collect()
}

/// The unnamed fields, in parentheses; `_` for a private one.
fn unnamed(fields: &Fields, is_variant: bool) -> String {
    let Fields::Unnamed(fields) = fields else {
        return String::new();
    };
    let types: Vec<String> = fields
        .unnamed
        .iter()
        .map(|field| {
            if is_variant || matches!(field.vis, Visibility::Public(_)) {
                text(&field.ty)
            } else {
                "_".to_owned()
            }
        })
        .collect();
    format!("({})", types.join(", "))
}

/// Code roughly as rustfmt spaces it, good enough for a list.
fn text(code: impl ToTokens) -> String {
    let spaced = code.to_token_stream().to_string();
    [
        (" :: ", "::"),
        (":: ", "::"),
        (" <", "<"),
        ("< ", "<"),
        (" >", ">"),
        ("- >", "->"),
        ("-> ", "-> "),
        ("& ", "&"),
        (" ,", ","),
        (" :", ":"),
        ("( ", "("),
        (" )", ")"),
        (" (", "("),
        ("[ ", "["),
        (" ]", "]"),
        (" ;", ";"),
        ("=(", "= ("),
    ]
    .iter()
    .fold(spaced, |spaced, (from, to)| spaced.replace(from, to))
}
