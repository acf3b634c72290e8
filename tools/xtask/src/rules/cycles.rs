//! No file imports one that imports it, also not by way of others.
//!
//! A file imports another if it names an item that the other defines: in `use`, or by a path. Re-exports are followed to
//! where the item is defined, and are no imports themselves unless the name is also used beside them. Naming a module is no
//! import either, only naming something in it. A file may name what the modules above it define: a folder's `mod.rs` has what
//! its files share, and calls them. Tests and the bodies of macros are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::modules::{Crate, Import, Module, Target};

/// Imports between files: from, to, and one place where it is seen.
type Graph = BTreeMap<PathBuf, BTreeMap<PathBuf, String>>;

/// The circles among the files of the crate with this root file, each in some lines of text.
pub(super) fn cycles(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Result<Vec<String>, String> {
    let found = Crate::read(root, read)?;
    let graph = graph(&found);
    Ok(circles(&graph).iter().map(|circle| described(&graph, circle)).collect())
}

/// How many imports between its files a crate has: to see that the reader is not blind.
pub(super) fn imports(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Result<usize, String> {
    Ok(graph(&Crate::read(root, read)?).values().map(BTreeMap::len).sum())
}

fn graph(found: &Crate) -> Graph {
    let mut graph = Graph::new();
    for (number, module) in found.modules.iter().enumerate() {
        for (line, path, is_glob) in named(module) {
            let target = match found.resolve(number, path) {
                Some(Target::Item(target)) => target,
                // A glob may bring any item of the module.
                Some(Target::Module(target)) if is_glob => target,
                _ => continue,
            };
            let to = &found.modules[target].file;
            if *to != module.file && !found.is_below(number, target) {
                let place = || format!("{}:{line} names {}", module.file.display(), path.join("::"));
                graph.entry(module.file.clone()).or_default().entry(to.clone()).or_insert_with(place);
            }
        }
    }
    graph
}

/// The paths of a module that count: line, path, and whether it is a glob.
fn named(module: &Module) -> impl Iterator<Item = (usize, &[String], bool)> {
    let counts = |import: &&Import| match &import.name {
        Some(name) => !import.is_public || module.words.contains_key(name),
        None => !import.is_public,
    };
    let imports = module.imports.iter().filter(counts);
    let imports = imports.map(|import| (&import.mention, import.name.is_none()));
    let all = imports.chain(module.mentions.iter().map(|mention| (mention, false)));
    all.map(|(mention, is_glob)| (mention.line, &*mention.path, is_glob))
}

/// The strongly connected parts of more than one file.
fn circles(graph: &Graph) -> Vec<BTreeSet<PathBuf>> {
    let reach = |from: &PathBuf| {
        let mut seen = BTreeSet::new();
        let mut open: Vec<&PathBuf> = graph.get(from).into_iter().flat_map(BTreeMap::keys).collect();
        while let Some(file) = open.pop() {
            if seen.insert(file.clone()) {
                open.extend(graph.get(file).into_iter().flat_map(BTreeMap::keys));
            }
        }
        seen
    };
    let reached: BTreeMap<&PathBuf, BTreeSet<PathBuf>> =
        graph.keys().map(|file| (file, reach(file))).collect();
    let mut found = BTreeSet::new();
    for (&file, seen) in &reached {
        if seen.contains(file) {
            let back = |other: &&PathBuf| reached.get(other).is_some_and(|seen| seen.contains(file));
            found.insert(seen.iter().filter(back).cloned().collect::<BTreeSet<_>>());
        }
    }
    found.into_iter().collect()
}

fn described(graph: &Graph, circle: &BTreeSet<PathBuf>) -> String {
    let mut text = format!("{} files import each other:", circle.len());
    for from in circle {
        for (to, place) in graph.get(from).into_iter().flatten().filter(|(to, _)| circle.contains(*to)) {
            text += &format!("\n    {place}, of {}", to.display());
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The circles of a crate that consists of these files.
    fn of(files: &[(&str, &str)]) -> usize {
        let read = |path: &Path| {
            let name = path.to_str().expect("UTF-8").replace('\\', "/");
            files.iter().find(|(file, _)| *file == name).map(|(_, text)| (*text).to_owned())
        };
        cycles(Path::new("lib.rs"), &read).expect("all files are there").len()
    }

    #[test]
    fn circles_are_seen() {
        let root = ("lib.rs", "mod a; mod b;");
        for (a, b) in [
            ("use crate::b::B; pub struct A;", "use crate::a::A; pub struct B;"),
            ("use super::b::B; pub struct A;", "fn f() { crate::a::A::new() } pub struct B;"),
            ("use crate::b; fn f() { b::g() } pub fn h() {}", "use crate::{a::h}; pub fn g() {}"),
            (
                "use crate::b::*; pub(crate) const fn h() {} fn k() { f() }",
                "use super::a::{self, h}; pub fn f() {}",
            ),
            ("use crate::b::f as g; pub enum E { A }", "pub fn f() { let x = super::a::E::A; }"),
            ("pub mod inner { use crate::b::f; pub struct I; }", "pub fn f(x: crate::a::inner::I) {}"),
            ("#[cfg(not(test))]\nuse crate::b::f; pub struct A;", "use crate::a::A; pub fn f() {}"),
            ("pub use crate::b::f; fn g() { f() } pub struct A;", "use crate::a::A; pub fn f() {}"),
        ] {
            assert_eq!(of(&[root, ("a.rs", a), ("b.rs", b)]), 1, "{a} | {b}");
        }
    }

    #[test]
    fn what_a_parent_defines_is_for_all_below_it() {
        let root = ("lib.rs", "mod a;");
        let child = ("a/b.rs", "use super::A; pub fn f(a: A) {}");
        assert_eq!(of(&[root, ("a.rs", "mod b; pub struct A; fn g() { b::f(A) }"), child]), 0);
        // What a sibling defines is not, also by way of the parent.
        let parent = ("a/mod.rs", "mod b; mod c; use c::A; fn g() { b::f(A) }");
        assert_eq!(of(&[root, parent, child, ("a/c.rs", "pub struct A;")]), 0);
        assert_eq!(of(&[root, parent, child, ("a/c.rs", "use super::b::f; pub struct A;")]), 1);
        assert_eq!(of(&[root, parent, child, ("a/c.rs", "pub struct A; fn h() { super::b::f(A) }")]), 1);
    }

    #[test]
    fn a_circle_of_three_is_one() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::B; pub struct A;"),
            ("b.rs", "use crate::c::C; pub struct B;"),
            ("c.rs", "use crate::a::A; pub struct C;"),
        ];
        assert_eq!(of(&files), 1);
        assert_eq!(of(&[files[0], files[1], files[2], ("c.rs", "pub struct C;")]), 0);
    }

    #[test]
    fn what_is_no_circle() {
        let root = ("lib.rs", "mod a; mod b; pub use a::A; pub use b::B;");
        for (a, b) in [
            ("use crate::B; pub struct A;", "pub struct B;"),
            ("use crate::b::B; pub struct A;", "#[cfg(test)]\nmod tests { use crate::a::A; } pub struct B;"),
            (
                "use crate::b::B; pub struct A;",
                "#[cfg(all(test, feature = \"x\"))]\nuse crate::a::A; pub struct B;",
            ),
            ("use crate::b::B; pub struct A;", "use other::a::A; pub struct B; // crate::a::A"),
            ("use crate::b::B; pub struct A;", "#[test]\nfn t() { crate::a::A::new() } pub struct B;"),
            ("use crate::b::B; pub struct A;", "#[cfg(test)]\nmod tests; pub struct B;"),
        ] {
            assert_eq!(of(&[root, ("a.rs", a), ("b.rs", b)]), 0, "{a} | {b}");
        }
        // By way of a re-export it is the same.
        let files = [root, ("a.rs", "use crate::B; pub struct A;"), ("b.rs", "use crate::A; pub struct B;")];
        assert_eq!(of(&files), 1);
    }

    #[test]
    fn macros_belong_to_the_file_that_defines_them() {
        let root = ("lib.rs", "#[macro_use] mod a; mod b;");
        let m = "#[macro_export]\nmacro_rules! m { () => { $crate::b::B } }";
        let b = ("b.rs", "fn f() { crate::m!() } pub struct B;");
        // What a body names is named where the macro is used.
        assert_eq!(of(&[root, ("a.rs", m), b]), 0);
        assert_eq!(of(&[root, ("a.rs", &format!("{m} use crate::b::B;")), b]), 1);
    }
}
