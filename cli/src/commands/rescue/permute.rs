//! `phalanx rescue permute`.

use super::function::{FunctionArgs, as_text};
use super::input::words;
use crate::exit::{Exit, Failure};
use crate::output::{JsonFlag, Output};
use phalanx::rescue::Function;
use std::io::{self, BufRead, Read};

/// States read and permuted together.
const BATCH: usize = 1024;

/// Longest line: twelve words in any form, and blanks.
const MAX_LINE_BYTES: u64 = 1 << 12;

/// Apply the permutation itself
///
/// A state is as many words as the permutation is wide, 12, or 8 for rescue-jive-256, between commas or blanks:
/// decimal, or hexadecimal after 0x. Without --state, standard input has one state on each line. Prints the states
/// permuted, one on each line, in canonical words. For building other things on; to hash, use 'phalanx rescue hash'.
#[derive(clap::Args)]
#[command(after_help = "Example: phalanx rescue permute --state 0,1,2,3,4,5,6,7,8,9,10,11")]
pub(crate) struct Args {
    #[command(flatten)]
    function: FunctionArgs,
    /// A state; may be given more than once
    #[arg(long, value_name = "W,W,...")]
    state: Vec<String>,
    #[command(flatten)]
    pub(crate) json: JsonFlag,
}

/// Runs it.
pub(crate) fn run(args: &Args, output: &Output) -> Result<Exit, Failure> {
    let function = args.function.function;
    let mut printer = Printer { function, output, shown: Vec::new() };
    if args.state.is_empty() {
        let mut input = io::stdin().lock();
        let (mut batch, mut number) = (Vec::new(), 0);
        while let Some(line) = read_line(&mut input)? {
            number += 1;
            let at_line = |problem| Failure::usage(format_args!("line {number}: {problem}"));
            let text = str::from_utf8(&line).map_err(|_| at_line("not a text".to_owned()))?;
            // An empty line says nothing, as at the end of many files.
            if text.trim().is_empty() {
                continue;
            }
            batch.extend(state(function, text).map_err(at_line)?);
            if batch.len() >= BATCH * function.width() {
                printer.permute(&mut batch)?;
            }
        }
        printer.permute(&mut batch)?;
        if number == 0 {
            return Err(Failure::usage("standard input has no states").hint("give a state with --state"));
        }
    } else {
        let mut states = Vec::new();
        for text in &args.state {
            states.extend(
                state(function, text)
                    .map_err(|problem| Failure::usage(format_args!("--state: {problem}")))?,
            );
        }
        printer.permute(&mut states)?;
    }
    output.object(&serde_json::json!({ "function": function.name(), "states": printer.shown }))?;
    Ok(Exit::Good)
}

/// The words of one state, or what is wrong with them.
fn state(function: Function, text: &str) -> Result<Vec<u64>, String> {
    let words = words(text)?;
    if words.len() == function.width() {
        return Ok(words);
    }
    let (got, wanted) = (words.len(), function.width());
    Err(format!("a state of {}: got {got} words, wanted {wanted}", function.name()))
}

/// Where permuted states go: lines as they come, or into one list for `--json`.
struct Printer<'a> {
    function: Function,
    output: &'a Output,
    shown: Vec<Vec<String>>,
}

impl Printer<'_> {
    /// Permutes the states, shows them, and empties the list.
    fn permute(&mut self, states: &mut Vec<u64>) -> Result<(), Failure> {
        self.function.permute(states)?;
        for state in states.chunks_exact(self.function.width()) {
            let words = as_text(state);
            self.output.line(words.join(","))?;
            if self.output.is_json() {
                self.shown.push(words);
            }
        }
        states.clear();
        Ok(())
    }
}

/// The next line; `None` at the end.
fn read_line(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, Failure> {
    let mut line = Vec::new();
    let read = input.take(MAX_LINE_BYTES + 1).read_until(b'\n', &mut line);
    let read = read.map_err(|error| Failure::system(format_args!("cannot read standard input: {error}")))?;
    if line.len() as u64 > MAX_LINE_BYTES {
        return Err(Failure::usage(format_args!("a line is longer than {MAX_LINE_BYTES} bytes")));
    }
    Ok((read > 0).then_some(line))
}
