//! Lists of kernels: each `first_of!` of a scheme is in its crate's table of algorithms, with the same kernels.

use super::tokens::{Token, tokens};
use std::collections::BTreeSet;

/// Kernels by the names of their witnesses, best first.
pub(super) type Kernels = Vec<String>;

/// The lists in a file's source. One that asks only for numbers, and gives no witness to a kernel, is none.
pub(super) fn lists(source: &str) -> BTreeSet<Kernels> {
    let tokens = tokens(source);
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token: &Token| token.text == text);
    let mut found = BTreeSet::new();
    for at in 0..tokens.len() {
        if !(is(at, "first_of") && is(at + 1, "!") && is(at + 2, "(")) {
            continue;
        }
        let (mut depth, mut kernels, mut enters) = (1, Kernels::new(), false);
        let mut next = at + 3;
        while depth > 0 && next < tokens.len() {
            // `name(pattern)`, then an arrow or a condition: an arm. Calls in bodies stand behind a path or an arrow.
            let begins = is(next - 1, ";") || is(next - 1, ",") || is(next - 1, "}");
            if depth == 1 && begins && is(next + 1, "(") && is(next + 3, ")") {
                kernels.push(tokens[next].text.clone());
                enters |= !is(next + 2, "_");
                next += 4;
                continue;
            }
            match &*tokens[next].text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                _ => {}
            }
            next += 1;
        }
        if enters {
            found.insert(kernels);
        }
    }
    found
}

/// The rows of a crate's table: the file that each names, and its kernels.
pub(super) fn table(source: &str) -> Vec<(String, Kernels)> {
    let code = source.split_once("mod tests").map_or(source, |(code, _)| code);
    let rows = code.split("Algorithm::new(").skip(1);
    let row = |row: &str| {
        let mut texts = row.split("])").next()?.split('"').skip(1).step_by(2).map(str::to_owned);
        let _name = texts.next()?;
        Some((texts.next()?, texts.collect()))
    };
    rows.filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_read_and_bodies_are_not() {
        let source = r#"
            // first_of!(isa; neon(w) => never,)
            first_of!(isa;
                ifma(w) => ifma::run(w, other(x), [a, b]),
                avx2(witness) if n > 4 => { call(one, two(three)); four },
                else => portable(x),
            );
            let lanes = first_of!(isa; avx512(_) => 8, else => 1,);
        "#;
        let wanted = vec!["ifma".to_owned(), "avx2".to_owned()];
        assert_eq!(lists(source), BTreeSet::from([wanted.clone()]));
        let table_of = r#"&[Algorithm::new("A: b, c", "a/b.rs", &["ifma", "avx2"])]; mod tests { Algorithm::new("x", "y", &[]) }"#;
        assert_eq!(table(table_of), [("a/b.rs".to_owned(), wanted)]);
    }
}
