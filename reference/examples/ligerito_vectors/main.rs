//! Writes the vectors of `ligerito-v1-provable128`: `cargo run --release -p phalanx-reference --example ligerito_vectors -- FOLDER`.
//!
//! Everything is computed by the plain implementation in this crate and drawn by the generator of section 11 of
//! docs/ligerito.md, so the same bytes come out on every machine. `proof_20` takes a minute.

#![allow(clippy::print_stdout, reason = "a program that says how far it is")]

mod basics;
mod draw;
mod proofs;
mod rejects;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The folder that is written to.
struct Output(PathBuf);

impl Output {
    fn bytes(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).expect("the folder can be written to");
    }

    fn json(&self, name: &str, value: &Value) {
        self.bytes(name, pretty(value).as_bytes());
        println!("{name}");
    }
}

/// JSON with a line for every entry of an object and of a list of objects or lists, so that it can be read and is small.
fn pretty(value: &Value) -> String {
    let mut text = String::new();
    write(value, 0, &mut text);
    text.push('\n');
    text
}

fn write(value: &Value, depth: usize, text: &mut String) {
    let separate = |text: &mut String, i: usize| {
        text.push_str(if i == 0 { "\n" } else { ",\n" });
        text.push_str(&" ".repeat(depth + 1));
    };
    match value {
        Value::Object(map) => {
            text.push('{');
            for (i, (key, value)) in map.iter().enumerate() {
                separate(text, i);
                text.push_str(&format!("\"{key}\": "));
                write(value, depth + 1, text);
            }
            text.push('}');
        }
        Value::Array(list) if list.iter().any(|entry| entry.is_object() || is_list_of_lists(entry)) => {
            text.push('[');
            for (i, entry) in list.iter().enumerate() {
                separate(text, i);
                write(entry, depth + 1, text);
            }
            text.push(']');
        }
        flat => text.push_str(&flat.to_string()),
    }
}

fn is_list_of_lists(value: &Value) -> bool {
    value.as_array().is_some_and(|list| list.len() > 1)
}

fn main() {
    let folder = std::env::args().nth(1).expect("the folder to write to");
    let output = Output(Path::new(&folder).to_path_buf());
    output.json("basics.json", &basics::all());
    proofs::write(&output);
    rejects::write(&output);
    proofs::write_full_size(&output);
}
