//! A reader of Rust source that knows just enough for the house rules: it drops comments, blanks literals, and sees
//! the rest as tokens with line numbers. It does not expand macros; what a macro's text says is taken at its word.

/// A word, a number, a literal (as `""`) or a punctuation mark; `::`, `->` and `=>` are one token each.
#[derive(Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) text: String,
    /// Counted from 1.
    pub(crate) line: usize,
}

/// Splits Rust source into tokens.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let mut reader = Reader { chars: source.chars().collect(), at: 0, line: 1, found: Vec::new() };
    while reader.at < reader.chars.len() {
        reader.next_token();
    }
    reader.found
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
    found: Vec<Token>,
}

impl Reader {
    fn peek(&self, ahead: usize) -> char {
        self.chars.get(self.at + ahead).copied().unwrap_or('\0')
    }

    fn advance(&mut self, count: usize) {
        for _ in 0..count {
            if self.peek(0) == '\n' {
                self.line += 1;
            }
            self.at += 1;
        }
    }

    fn push(&mut self, text: &str, line: usize) {
        self.found.push(Token { text: text.to_owned(), line });
    }

    fn next_token(&mut self) {
        let (c, next, line) = (self.peek(0), self.peek(1), self.line);
        if c.is_whitespace() {
            self.advance(1);
        } else if c == '/' && next == '/' {
            while self.at < self.chars.len() && self.peek(0) != '\n' {
                self.advance(1);
            }
        } else if c == '/' && next == '*' {
            self.skip_block_comment();
        } else if c == '"' {
            self.skip_string(line);
        } else if c == '\'' {
            self.skip_character_or_lifetime(line);
        } else if c.is_alphanumeric() || c == '_' {
            self.word(line);
        } else {
            let pair: String = [c, next].iter().collect();
            let mark = if ["::", "->", "=>"].contains(&pair.as_str()) { pair } else { c.to_string() };
            self.advance(mark.chars().count());
            self.push(&mark, line);
        }
    }

    fn skip_block_comment(&mut self) {
        let mut depth = 0;
        loop {
            match (self.peek(0), self.peek(1)) {
                ('/', '*') => {
                    depth += 1;
                    self.advance(2);
                }
                ('*', '/') => {
                    depth -= 1;
                    self.advance(2);
                }
                _ => self.advance(1),
            }
            if depth == 0 || self.at >= self.chars.len() {
                return;
            }
        }
    }

    fn skip_string(&mut self, line: usize) {
        self.advance(1);
        while self.at < self.chars.len() && self.peek(0) != '"' {
            let escaped = self.peek(0) == '\\';
            self.advance(if escaped { 2 } else { 1 });
        }
        self.advance(1);
        self.push("\"\"", line);
    }

    /// At the first `#` or `"` after the `r` of a raw string.
    fn skip_raw_string(&mut self, line: usize) {
        let hashes = self.count_hashes(0);
        self.advance(hashes + 1);
        while self.at < self.chars.len() && !(self.peek(0) == '"' && self.count_hashes(1) >= hashes) {
            self.advance(1);
        }
        self.advance(hashes + 1);
        self.push("\"\"", line);
    }

    fn count_hashes(&self, from: usize) -> usize {
        (from..).take_while(|&ahead| self.peek(ahead) == '#').count()
    }

    /// `'a'` and `'\n'` are characters; `'a` without a closing quote is a lifetime, and of no interest.
    fn skip_character_or_lifetime(&mut self, line: usize) {
        if self.peek(1) == '\\' {
            self.advance(3);
            while self.at < self.chars.len() && self.peek(0) != '\'' {
                self.advance(1);
            }
            self.advance(1);
            self.push("\"\"", line);
        } else if self.peek(2) == '\'' {
            self.advance(3);
            self.push("\"\"", line);
        } else {
            self.advance(1);
            while self.peek(0).is_alphanumeric() || self.peek(0) == '_' {
                self.advance(1);
            }
        }
    }

    fn word(&mut self, line: usize) {
        let start = self.at;
        while self.peek(0).is_alphanumeric() || self.peek(0) == '_' {
            self.advance(1);
        }
        let word: String = self.chars[start..self.at].iter().collect();
        let hashes = self.count_hashes(0);
        match word.as_str() {
            "r" | "br" | "cr" if self.peek(hashes) == '"' => self.skip_raw_string(line),
            "b" | "c" if self.peek(0) == '"' => self.skip_string(line),
            "b" if self.peek(0) == '\'' => self.skip_character_or_lifetime(line),
            "r" if hashes == 1 => self.advance(1), // a raw identifier: its word follows
            _ => self.push(&word, line),
        }
    }
}

/// A path that begins with `crate`, `super` or `self`, with use-groups spelled out one by one.
#[derive(Debug)]
pub(crate) struct Mention {
    pub(crate) line: usize,
    /// What the path names, counted from the crate's root: `["fields", "koala_bear", "Packed"]`.
    /// Empty when it names the root itself, or climbs above it.
    pub(crate) target: Vec<String>,
    /// Inside a module that only tests see.
    pub(crate) in_test: bool,
}

/// What a file says about modules.
#[derive(Debug, Default)]
pub(crate) struct Modules {
    pub(crate) mentions: Vec<Mention>,
    /// Modules declared as `#[cfg(test)] mod name;`, counted from the crate's root.
    pub(crate) test_files: Vec<Vec<String>>,
}

struct InlineModule {
    name: String,
    depth: usize,
    test: bool,
}

/// Reads the paths of a file that is the module `home` of its crate.
pub(crate) fn modules(source: &str, home: &[String]) -> Modules {
    let tokens = tokens(source);
    let text = |i: usize| tokens.get(i).map_or("", |token: &Token| token.text.as_str());
    let mut found = Modules::default();
    let mut inline: Vec<InlineModule> = Vec::new();
    let mut depth = 0;
    let mut i = 0;
    while i < tokens.len() {
        let here = || home.iter().cloned().chain(inline.iter().map(|m| m.name.clone())).collect::<Vec<_>>();
        match text(i) {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                inline.retain(|module| module.depth <= depth);
            }
            "mod" if text(i + 2) == ";" && is_test_item(&tokens, i) => {
                let mut path = here();
                path.push(text(i + 1).to_owned());
                found.test_files.push(path);
            }
            "mod" if text(i + 2) == "{" => {
                let test = is_test_item(&tokens, i) || inline.iter().any(|module| module.test);
                inline.push(InlineModule { name: text(i + 1).to_owned(), depth: depth + 1, test });
            }
            "crate" | "super" | "self"
                if (i == 0 || text(i - 1) != "::") && ["::", "as"].contains(&text(i + 1)) =>
            {
                let mut paths = Vec::new();
                let end = expand(&tokens, i, &[], &mut paths);
                let (module, in_test) = (here(), inline.iter().any(|module| module.test));
                found.mentions.extend(paths.into_iter().map(|(line, path)| Mention {
                    line,
                    target: resolve(&module, &path),
                    in_test,
                }));
                i = end;
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    found
}

/// Reads one path or use-tree that starts at token `i`; returns the index of the first token after it.
fn expand(tokens: &[Token], mut i: usize, prefix: &[String], paths: &mut Vec<(usize, Vec<String>)>) -> usize {
    let text = |i: usize| tokens.get(i).map_or("", |token: &Token| token.text.as_str());
    let mut path = prefix.to_vec();
    let line = tokens.get(i).map_or(0, |token| token.line);
    loop {
        if text(i) == "{" {
            i += 1;
            while i < tokens.len() && text(i) != "}" {
                i = if text(i) == "," { i + 1 } else { expand(tokens, i, &path, paths) };
            }
            return i + 1;
        }
        path.push(text(i).to_owned());
        i += 1;
        if text(i) != "::" || text(i + 1) == "<" {
            break;
        }
        i += 1;
    }
    paths.push((line, path));
    if text(i) == "as" { i + 2 } else { i }
}

/// Is the item whose keyword stands at `i` marked `#[cfg(test)]` or `#[cfg(all(test, ...))]`?
fn is_test_item(tokens: &[Token], i: usize) -> bool {
    let text = |i: usize| tokens[i].text.as_str();
    let mut end = i;
    while end > 0 && ["pub", "(", ")", "crate", "super"].contains(&text(end - 1)) {
        end -= 1;
    }
    while end > 0 && text(end - 1) == "]" {
        let Some(start) = (0..end).rev().find(|&j| text(j) == "#") else { return false };
        let attribute: Vec<&str> = (start..end).map(text).collect();
        if attribute.starts_with(&["#", "[", "cfg", "(", "test", ")"])
            || attribute.starts_with(&["#", "[", "cfg", "(", "all", "(", "test", ","])
        {
            return true;
        }
        end = start;
    }
    false
}

fn resolve(module: &[String], path: &[String]) -> Vec<String> {
    let mut target = if path[0] == "crate" { Vec::new() } else { module.to_vec() };
    for segment in path {
        match segment.as_str() {
            "crate" | "self" => {}
            // Above the root there is nothing: rustc refuses it, and we report it as the root.
            "super" => drop(target.pop()),
            name => target.push(name.to_owned()),
        }
    }
    target
}

/// A function with a body.
#[derive(Debug, PartialEq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    pub(crate) len_lines: usize,
}

/// Every function of a file, from the line of `fn` to its closing brace.
pub(crate) fn functions(source: &str) -> Vec<Function> {
    let tokens = tokens(source);
    let mut found = Vec::new();
    for i in 0..tokens.len().saturating_sub(1) {
        let name = &tokens[i + 1].text;
        if tokens[i].text != "fn" || !name.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            continue;
        }
        let (mut nested, mut body) = (0_i32, 0_i32);
        for token in &tokens[i + 1..] {
            match token.text.as_str() {
                "(" | "[" | "<" if body == 0 => nested += 1,
                ")" | "]" | ">" if body == 0 => nested -= 1,
                ";" if body == 0 && nested == 0 => break,
                "{" if nested == 0 => body += 1,
                "}" if nested == 0 => body -= 1,
                _ => continue,
            }
            if token.text == "}" && nested == 0 && body == 0 {
                let len_lines = token.line - tokens[i].line + 1;
                found.push(Function { name: name.clone(), line: tokens[i].line, len_lines });
                break;
            }
        }
    }
    found
}

/// Lines where `unsafe` is used, or where the lint against it is switched off.
pub(crate) fn unsafe_lines(source: &str) -> Vec<usize> {
    let tokens = tokens(source);
    let switched_off = |i: usize| {
        let open = (0..i).rev().find(|&j| tokens[j].text == "(");
        open.is_some_and(|j| j > 0 && !["deny", "forbid"].contains(&tokens[j - 1].text.as_str()))
    };
    (0..tokens.len())
        .filter(|&i| match tokens[i].text.as_str() {
            "unsafe" => true,
            "unsafe_code" => switched_off(i),
            _ => false,
        })
        .map(|i| tokens[i].line)
        .collect()
}

/// Lines with an `unsafe` block, function, impl, trait or extern block that no safety comment speaks for.
pub(crate) fn unexplained_unsafe(source: &str) -> Vec<usize> {
    let tokens = tokens(source);
    let lines: Vec<&str> = source.lines().collect();
    let text = |i: usize| tokens.get(i).map_or("", |token: &Token| token.text.as_str());
    (0..tokens.len())
        .filter(|&i| text(i) == "unsafe")
        // `unsafe fn(..)` is the type of a pointer, and `#[unsafe(..)]` an attribute: neither promises anything.
        .filter(|&i| !(text(i + 1) == "fn" && text(i + 2) == "(") && text(i + 1) != "(")
        .map(|i| tokens[i].line)
        .filter(|&line| !is_explained(&lines, line))
        .collect()
}

/// Looks at the line and upwards, through comments, attributes and the beginning of the same statement.
fn is_explained(lines: &[&str], line: usize) -> bool {
    let speaks = |text: &str| {
        let comment = text.find("//").map_or("", |at| &text[at..]);
        comment.contains("SAFETY:") || comment.contains("# Safety")
    };
    if speaks(lines[line - 1]) {
        return true;
    }
    for text in lines[..line - 1].iter().rev().take(40).map(|text| text.trim()) {
        if speaks(text) {
            return true;
        }
        let is_comment = text.starts_with("//");
        if text.is_empty() || (!is_comment && text.ends_with([';', '{', '}'])) {
            return false;
        }
    }
    false
}
