//! What LLVM's models of CPUs make of a list of instructions.

use phalanx::Backend::{self, Avx2Gfni, Avx512, Avx512Ifma};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// A model of a CPU.
pub(crate) struct Model {
    /// As LLVM calls it.
    name: &'static str,
    pub(crate) title: &'static str,
    /// Backends that the CPU does not run: the model would count them all the same.
    pub(crate) lacks: &'static [Backend],
}

pub(crate) const MODELS: [Model; 5] = [
    Model { name: "skylake-avx512", title: "Skylake-SP", lacks: &[Avx2Gfni, Avx512Ifma] },
    Model { name: "alderlake", title: "Alder Lake", lacks: &[Avx512, Avx512Ifma] },
    Model { name: "znver3", title: "Zen 3", lacks: &[Avx2Gfni, Avx512, Avx512Ifma] },
    Model { name: "sapphirerapids", title: "Sapphire Rapids", lacks: &[] },
    // LLVM 19 has one model for both: it splits vectors of 512 bits, as only Zen 4 does.
    Model { name: "znver5", title: "Zen 4, 5", lacks: &[] },
];

/// Longer lists are not given to a model: it would take minutes.
const LONGEST: usize = 700_000;

/// The newest of LLVM's tools that is here: `llvm-mca-19`, say. Models of newer CPUs are wrong or absent before 19.
pub(crate) fn tool(name: &str) -> Result<String, String> {
    let names = (19..40).rev().map(|version| format!("{name}-{version}")).chain([name.to_owned()]);
    let runs = |name: &String| {
        let version = Command::new(name).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    };
    names.into_iter().find(runs).ok_or_else(|| format!("{name} is not here (Debian: llvm-19)"))
}

/// The instructions of this program, by their address in its file.
pub(crate) fn disassembly() -> Result<HashMap<u64, String>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(tool("llvm-objdump")?)
        .args(["-d", "--no-show-raw-insn", "--no-leading-headers"])
        .arg(&program)
        .output()
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let of_line = |line: &str| {
        let (address, instruction) = line.split_once(':')?;
        let address = u64::from_str_radix(address.trim(), 16).ok()?;
        Some((address, plain(instruction.trim())))
    };
    let found: HashMap<_, _> = text.lines().filter_map(of_line).collect();
    if found.is_empty() { Err("llvm-objdump printed no instruction".to_owned()) } else { Ok(found) }
}

/// An instruction as an assembler takes it: without symbols and remarks. A jump is one to where it stands.
fn plain(instruction: &str) -> String {
    let code = instruction.split(['#', '<']).next().unwrap_or_default().trim();
    let mnemonic = code.split_whitespace().next().unwrap_or_default();
    let direct = (mnemonic.starts_with('j') || mnemonic.starts_with("call")) && !code.contains('*');
    if direct { format!("{mnemonic} .") } else { code.replace('\t', " ") }
}

/// What a model says of a list: its micro-operations, and the cycles that they take.
pub(crate) struct Estimate {
    pub(crate) micro_operations: u64,
    pub(crate) cycles: u64,
}

/// `None` if the list is too long, or the model does not know an instruction.
pub(crate) fn estimate(model: &Model, list: &[&str]) -> Result<Option<Estimate>, String> {
    if list.len() > LONGEST {
        return Ok(None);
    }
    let mut text = String::new();
    for instruction in list {
        writeln!(text, "{instruction}").expect("to a string");
    }
    let mut child = Command::new(tool("llvm-mca")?)
        .args([&format!("-mcpu={}", model.name), "-mtriple=x86_64", "-iterations=1", "-instruction-info=0"])
        .args(["-resource-pressure=0", "-skip-unsupported-instructions=none"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut stdin = child.stdin.take().ok_or("a pipe to llvm-mca")?;
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().map_err(|error| error.to_string())?;
    // A list with errors is not read to its end.
    let _ = writer.join();
    if !output.status.success() {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let number = |title: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(title));
        line.and_then(|rest| rest.trim().parse().ok()).ok_or(format!("llvm-mca says no `{title}`"))
    };
    Ok(Some(Estimate { micro_operations: number("Total uOps:")?, cycles: number("Total Cycles:")? }))
}
