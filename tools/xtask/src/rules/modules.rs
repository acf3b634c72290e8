//! The modules of a crate, as its files declare them: what each imports, names and defines. Bodies of macros and what only
//! tests see are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::tokens::{Token, tokens};

/// A path that a module imports or names.
#[derive(Debug)]
pub(super) struct Mention {
    pub(super) line: usize,
    /// As it is written, a glob's `*` left out: `["super", "portable", "permute"]`.
    pub(super) path: Vec<String>,
}

/// An import.
#[derive(Debug)]
pub(super) struct Import {
    pub(super) mention: Mention,
    /// What the module calls it; `None` for a glob.
    pub(super) name: Option<String>,
    /// Whether others see it, too.
    pub(super) is_public: bool,
}

/// A module, in a file of its own or inline.
#[derive(Debug, Default)]
pub(super) struct Module {
    /// The file that it is written in.
    pub(super) file: PathBuf,
    pub(super) parent: Option<usize>,
    pub(super) children: BTreeMap<String, usize>,
    pub(super) imports: Vec<Import>,
    /// Paths outside imports.
    pub(super) mentions: Vec<Mention>,
    /// Names of the items that are defined here.
    pub(super) items: BTreeSet<String>,
    /// How often each word stands outside imports.
    pub(super) words: BTreeMap<String, usize>,
}

/// How many names on the way to an item are followed ...
const MAX_DEPTH: usize = 32;

/// ... and for how many of them a glob stands: two globs on one way are the most that is looked through.
const GLOB: usize = 16;

/// A crate: its modules, the root first.
#[derive(Debug, Default)]
pub(super) struct Crate {
    pub(super) modules: Vec<Module>,
    /// Macros of the whole crate (`#[macro_export]` or not), and the module that defines each.
    pub(super) macros: BTreeMap<String, usize>,
}

impl Crate {
    /// Reads the crate whose root is the file `root`; `read` gives a file's text, or nothing if there is no such file.
    pub(super) fn read(root: &Path, read: &dyn Fn(&Path) -> Option<String>) -> Result<Self, String> {
        let mut found = Self::default();
        found.modules.push(Module { file: root.to_owned(), ..Module::default() });
        let folder = root.parent().unwrap_or(Path::new("")).to_owned();
        found.add_file(0, root, &folder, read)?;
        Ok(found)
    }

    /// Reads `file`, the module number `module`; its children lie in `folder`.
    fn add_file(
        &mut self,
        module: usize,
        file: &Path,
        folder: &Path,
        read: &dyn Fn(&Path) -> Option<String>,
    ) -> Result<(), String> {
        let text = read(file).ok_or_else(|| format!("{}: no such file", file.display()))?;
        let mut reader = Reader { tokens: tokens(&text), at: 0, found: self, module, declared: Vec::new() };
        reader.items(true);
        for (parent, name, inside) in reader.declared {
            let folder = inside.iter().fold(folder.to_owned(), |folder, part| folder.join(part));
            let candidates = [folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")];
            let child = candidates
                .iter()
                .find(|path| read(path).is_some())
                .ok_or_else(|| format!("{}: where is `mod {name}`?", file.display()))?;
            let number = self.modules.len();
            self.modules.push(Module { file: child.clone(), parent: Some(parent), ..Module::default() });
            self.modules[parent].children.insert(name.clone(), number);
            self.add_file(number, child, &folder.join(&name), read)?;
        }
        Ok(())
    }

    /// Whether module `of` lies in module `ancestor`, however deep.
    pub(super) fn is_below(&self, of: usize, ancestor: usize) -> bool {
        let parent = self.modules[of].parent;
        parent.is_some_and(|parent| parent == ancestor || self.is_below(parent, ancestor))
    }

    /// The module or the item that `path` leads to, seen from `module`; nothing if it leaves the crate.
    pub(super) fn resolve(&self, module: usize, path: &[String]) -> Option<Target> {
        self.follow(module, path, true, 0)
    }

    fn follow(&self, module: usize, path: &[String], first: bool, depth: usize) -> Option<Target> {
        let Some((segment, rest)) = path.split_first() else { return Some(Target::Module(module)) };
        if depth > MAX_DEPTH {
            return None;
        }
        let here = &self.modules[module];
        let next = match segment.as_str() {
            "crate" if first => 0,
            "self" => module,
            "super" => here.parent?,
            name => match here.children.get(name) {
                Some(&child) => child,
                None => return self.follow_name(module, name, rest, first, depth),
            },
        };
        self.follow(next, rest, false, depth + 1)
    }

    /// Follows a name that is no child module: an item, an import, a glob's, a macro, or another crate's.
    fn follow_name(
        &self,
        module: usize,
        name: &str,
        rest: &[String],
        first: bool,
        depth: usize,
    ) -> Option<Target> {
        let here = &self.modules[module];
        if here.items.contains(name) {
            return Some(Target::Item(module));
        }
        if let Some(import) = here.imports.iter().find(|import| import.name.as_deref() == Some(name)) {
            let whole: Vec<_> = import.mention.path.iter().chain(rest).cloned().collect();
            // An import of another crate's name leads out.
            return self.follow(module, &whole, true, depth + 1);
        }
        for import in here.imports.iter().filter(|import| import.name.is_none()) {
            if let Some(Target::Module(source)) =
                self.follow(module, &import.mention.path, true, depth + GLOB)
                && source != module
                && self.offers(source, name)
            {
                let whole: Vec<_> = std::iter::once(name.to_owned()).chain(rest.iter().cloned()).collect();
                return self.follow(source, &whole, false, depth + 1);
            }
        }
        if let Some(&source) = self.macros.get(name) {
            return Some(Target::Item(source));
        }
        // A path that starts with an unknown name is another crate's; one that goes on with it names what a macro makes here.
        (!first).then_some(Target::Item(module))
    }

    fn offers(&self, module: usize, name: &str) -> bool {
        let here = &self.modules[module];
        here.items.contains(name)
            || here.children.contains_key(name)
            || here.imports.iter().any(|import| import.name.as_deref() == Some(name))
    }
}

/// What a path leads to.
#[derive(Debug, PartialEq, Clone, Copy)]
pub(super) enum Target {
    Module(usize),
    /// An item that this module defines.
    Item(usize),
}

/// Reads the items of one file.
struct Reader<'a> {
    tokens: Vec<Token>,
    at: usize,
    found: &'a mut Crate,
    /// The module that is being read.
    module: usize,
    /// Modules in files of their own: the parent, the name, and the inline modules on the way.
    declared: Vec<(usize, String, Vec<String>)>,
}

/// Words before the name of an item.
const ITEMS: [&str; 9] = ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod"];

impl Reader<'_> {
    fn text(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", |token| &token.text)
    }

    fn line(&self) -> usize {
        self.tokens.get(self.at).map_or(0, |token| token.line)
    }

    /// Reads up to the brace that closes the module, or to the end. `outermost` is false inside bodies, where names that
    /// are defined are not the module's.
    fn items(&mut self, outermost: bool) {
        let mut inside = Vec::new();
        self.block(outermost, &mut inside);
    }

    fn block(&mut self, outermost: bool, inside: &mut Vec<String>) {
        while self.at < self.tokens.len() {
            match self.text(0) {
                "}" => {
                    self.at += 1;
                    return;
                }
                "{" => {
                    self.at += 1;
                    self.block(false, inside);
                }
                "#" => self.attribute(),
                "use" if self.text(1) != "<" => self.import(),
                "mod" if self.text(2) == ";" => {
                    self.declared.push((self.module, self.text(1).to_owned(), inside.clone()));
                    self.at += 3;
                }
                "mod" if self.text(2) == "{" => self.inline_module(inside),
                "macro_rules" if self.text(1) == "!" => {
                    self.found.macros.insert(self.text(2).to_owned(), self.module);
                    // What its body names is named where it is used.
                    self.skip_item();
                }
                "const" if ["fn", "unsafe", "extern", "async"].contains(&self.text(1)) => self.at += 1,
                word if outermost && ITEMS.contains(&word) => {
                    let name = self.text(1).to_owned();
                    self.found.modules[self.module].items.insert(name);
                    self.at += 2;
                }
                _ => self.mention(),
            }
        }
    }

    fn inline_module(&mut self, inside: &mut Vec<String>) {
        let (name, parent) = (self.text(1).to_owned(), self.module);
        self.at += 3;
        let number = self.found.modules.len();
        let file = self.found.modules[parent].file.clone();
        self.found.modules.push(Module { file, parent: Some(parent), ..Module::default() });
        self.found.modules[parent].children.insert(name.clone(), number);
        (self.module, _) = (number, inside.push(name));
        self.block(true, inside);
        (self.module, _) = (parent, inside.pop());
    }

    /// At `#`: skips the attribute, and what it is for if only tests see that.
    fn attribute(&mut self) {
        let start = self.at;
        while self.at < self.tokens.len() && self.text(0) != "[" {
            self.at += 1;
        }
        let is_inner = self.tokens.get(start + 1).is_some_and(|token| token.text == "!");
        self.skip_brackets();
        let words: Vec<&str> = self.tokens[start..self.at].iter().map(|token| &*token.text).collect();
        let all_of_test = words.starts_with(&["#", "[", "cfg", "(", "all", "("])
            && words.contains(&"test")
            && !words.contains(&"any")
            && !words.contains(&"not");
        let is_test = words.starts_with(&["#", "[", "cfg", "(", "test", ")"])
            || words.starts_with(&["#", "[", "test", "]"])
            || all_of_test;
        if is_test && !is_inner {
            self.skip_item();
        }
    }

    /// At `[`: skips to after its `]`.
    fn skip_brackets(&mut self) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            match self.text(0) {
                "[" => depth += 1,
                "]" => depth -= 1,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// Skips an item: to after its `;` or its body.
    fn skip_item(&mut self) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            match self.text(0) {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            let (ends, closes) = (self.text(0) == ";" || self.text(0) == ",", self.text(0) == "}");
            if depth < 0 {
                return;
            }
            self.at += 1;
            if depth == 0 && (ends || closes) {
                return;
            }
        }
    }

    /// At `use`.
    fn import(&mut self) {
        let is_public = self.at > 0 && ["pub", ")"].contains(&&*self.tokens[self.at - 1].text);
        self.at += 1;
        let mut found = Vec::new();
        self.tree(&[], is_public, &mut found);
        self.found.modules[self.module].imports.append(&mut found);
    }

    /// Reads one path or use-tree.
    fn tree(&mut self, prefix: &[String], is_public: bool, found: &mut Vec<Import>) {
        let mut path = prefix.to_vec();
        let line = self.line();
        loop {
            match self.text(0) {
                "{" => {
                    self.at += 1;
                    while self.at < self.tokens.len() && self.text(0) != "}" {
                        if self.text(0) == "," {
                            self.at += 1;
                        } else {
                            self.tree(&path, is_public, found);
                        }
                    }
                    self.at += 1;
                    return;
                }
                "*" => {
                    self.at += 1;
                    found.push(Import { mention: Mention { line, path }, name: None, is_public });
                    return;
                }
                // A path may begin with `::`.
                "::" => self.at += 1,
                word => {
                    if word != "self" || path.is_empty() {
                        path.push(word.to_owned());
                    }
                    self.at += 1;
                }
            }
            if self.text(0) != "::" {
                break;
            }
            self.at += 1;
        }
        let mut name = path.last().cloned();
        if self.text(0) == "as" {
            name = Some(self.text(1).to_owned());
            self.at += 2;
        }
        found.push(Import { mention: Mention { line, path }, name, is_public });
    }

    /// Any other token: a path is remembered if it has more than one part, its words are counted.
    fn mention(&mut self) {
        let line = self.line();
        let is_word = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_');
        if !is_word(self.text(0)) {
            self.at += 1;
            return;
        }
        let after_path = self.at > 0 && ["::", "."].contains(&&*self.tokens[self.at - 1].text);
        let mut path = Vec::new();
        loop {
            let word = self.text(0).to_owned();
            *self.found.modules[self.module].words.entry(word.clone()).or_default() += 1;
            path.push(word);
            self.at += 1;
            if self.text(0) != "::" || !is_word(self.text(1)) {
                break;
            }
            self.at += 1;
        }
        if path.len() > 1 && !after_path {
            self.found.modules[self.module].mentions.push(Mention { line, path });
        }
    }
}
