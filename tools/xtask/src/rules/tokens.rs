//! The tokens of Rust source, with line numbers: comments are dropped, literals blanked.

/// A word, a number, a literal (as `""`) or a punctuation mark; `::`, `->` and `=>` are one token each.
#[derive(Debug, PartialEq)]
pub(super) struct Token {
    pub(super) text: String,
    /// Counted from 1.
    pub(super) line: usize,
}

/// Splits Rust source into tokens.
pub(super) fn tokens(source: &str) -> Vec<Token> {
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
