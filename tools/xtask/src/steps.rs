//! Steps: child processes with a heading and a timing, counted, and a summary that ends them.

use std::io::{IsTerminal, Write};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// What ran so far.
pub(crate) struct Steps {
    begun: Instant,
    passed: usize,
    /// Name and reason.
    failed: Vec<(String, String)>,
    /// Name and reason.
    not_run: Vec<(String, String)>,
}

/// When a step began, and the CPU time that child processes had taken by then.
struct Begun {
    at: Instant,
    cpu_s: Option<f64>,
}

impl Begun {
    fn now() -> Self {
        Self { at: Instant::now(), cpu_s: cpu_of_children_s() }
    }

    /// What the step's processes took, in words: on a machine that does other things too, this tells more than the clock.
    fn cpu_since(&self) -> String {
        let taken = self.cpu_s.zip(cpu_of_children_s()).map(|(before, now)| now - before);
        taken.map_or_else(String::new, |seconds| format!(", {seconds:.1} s of CPU"))
    }
}

/// CPU seconds of all child processes that have ended, where Linux tells: user and system, fields 16 and 17 of proc_pid_stat(5),
/// in ticks of which a second has 100 on every machine that Rust's standard library runs on.
fn cpu_of_children_s() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name, field 2, may have blanks in it.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(13).take(2).map(|field| field.parse::<f64>().ok());
    ticks.sum::<Option<f64>>().map(|ticks| ticks / 100.0)
}

/// A step failed, and the caller stops here.
#[derive(Debug)]
pub(crate) struct Stop;

/// How a part that may be absent ended, if none of its steps failed.
pub(crate) enum Outcome {
    /// All of it ran.
    Ran,
    /// Nothing of it, or not all of it, ran, for this reason.
    Skipped(String),
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self { begun: Instant::now(), passed: 0, failed: Vec::new(), not_run: Vec::new() }
    }

    /// Runs `work` up to its first failure, and prints the summary.
    pub(crate) fn all(work: impl FnOnce(&mut Self) -> Result<(), Stop>) -> ExitCode {
        let mut steps = Self::new();
        if work(&mut steps).is_err() {
            println!("\nstopped at the first failure: later steps did not run");
        }
        steps.finish()
    }

    /// Runs `command`; what it prints is seen as it comes.
    pub(crate) fn run(&mut self, name: &str, command: &mut Command) -> Result<(), Stop> {
        self.heading(name, &described(command));
        let begun = Begun::now();
        let outcome = match command.stdin(Stdio::null()).status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(status.to_string()),
            Err(error) => Err(format!("could not start: {error}")),
        };
        self.note(name, begun, outcome)
    }

    /// Runs `command` and gives what `read` makes of its standard output; standard error is seen as it comes.
    pub(crate) fn ask<T>(
        &mut self,
        name: &str,
        command: &mut Command,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<T, Stop> {
        self.heading(name, &described(command));
        let begun = Begun::now();
        let answer = match command.stdin(Stdio::null()).stderr(Stdio::inherit()).output() {
            Ok(output) if output.status.success() => {
                let text = String::from_utf8_lossy(&output.stdout);
                read(&text).map_err(|problem| format!("{problem}; it printed: {}", text.trim()))
            }
            Ok(output) => Err(output.status.to_string()),
            Err(error) => Err(format!("could not start: {error}")),
        };
        match answer {
            Ok(answer) => self.note(name, begun, Ok(())).map(|()| answer),
            Err(reason) => Err(self.note(name, begun, Err(reason)).err().unwrap_or(Stop)),
        }
    }

    /// Counts a check that was made here, without another program.
    pub(crate) fn checked(&mut self, name: &str, outcome: Result<(), String>) -> Result<(), Stop> {
        match outcome {
            Ok(()) => {
                println!("== {name}: passed");
                self.passed += 1;
                Ok(())
            }
            Err(reason) => Err(self.fail(name, &reason)),
        }
    }

    /// Counts a step that failed before it could start.
    pub(crate) fn fail(&mut self, name: &str, reason: &str) -> Stop {
        println!("== {name}: FAILED: {reason}");
        self.failed.push((name.to_owned(), reason.to_owned()));
        Stop
    }

    /// Remembers a step that was left out, for the summary.
    pub(crate) fn not_run(&mut self, name: &str, reason: &str) {
        println!("not run: {name} ({reason})");
        self.not_run.push((name.to_owned(), reason.to_owned()));
    }

    /// Prints the summary; its last line is `N passed, M failed`.
    pub(crate) fn finish(self) -> ExitCode {
        println!("\n== summary, after {:.0} s", self.begun.elapsed().as_secs_f64());
        for (name, reason) in &self.not_run {
            println!("not run: {name} ({reason})");
        }
        for (name, reason) in &self.failed {
            println!("FAILED: {name}: {reason}");
        }
        println!("{} passed, {} failed", self.passed, self.failed.len());
        if self.failed.is_empty() && self.passed > 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    fn heading(&self, name: &str, command: &str) {
        let number = self.passed + self.failed.len() + 1;
        let (bold, plain) = if std::io::stdout().is_terminal() { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
        println!("\n{bold}== step {number}: {name}{plain}\n   {command}");
        // The child writes to the same place: what we said comes first.
        std::io::stdout().flush().ok();
    }

    fn note(&mut self, name: &str, begun: Begun, outcome: Result<(), String>) -> Result<(), Stop> {
        let seconds = begun.at.elapsed().as_secs_f64();
        match outcome {
            Ok(()) => {
                println!("== {name}: passed in {seconds:.1} s{}", begun.cpu_since());
                self.passed += 1;
                Ok(())
            }
            Err(reason) => {
                println!("== {name}: FAILED after {seconds:.1} s: {reason}");
                self.failed.push((name.to_owned(), reason));
                Err(Stop)
            }
        }
    }
}

/// The line that a person would type to repeat the step.
fn described(command: &Command) -> String {
    let set = command.get_envs().filter_map(|(key, value)| {
        let value = value?.to_string_lossy();
        let quote = if value.contains(char::is_whitespace) { "'" } else { "" };
        Some(format!("{}={quote}{value}{quote}", key.to_string_lossy()))
    });
    let program = std::path::Path::new(command.get_program()).file_stem().unwrap_or_default();
    let program = std::iter::once(program.to_string_lossy().into_owned());
    let arguments = command.get_args().map(|argument| argument.to_string_lossy().into_owned());
    set.chain(program).chain(arguments).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A child process that exists wherever these tests run: the test binary itself.
    fn child(argument: &str) -> Command {
        let mut command = Command::new(std::env::current_exe().expect("a test binary has a path"));
        command.arg(argument).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    #[test]
    fn success_is_counted() {
        let mut steps = Steps::new();
        assert!(steps.run("lists its tests", &mut child("--list")).is_ok());
        assert_eq!((steps.passed, steps.failed.len()), (1, 0));
        assert_eq!(steps.finish(), ExitCode::SUCCESS);
    }

    #[test]
    fn failures_are_counted() {
        let mut steps = Steps::new();
        assert!(steps.run("refuses its options", &mut child("--no-such-option")).is_err());
        assert!(steps.run("is no program", &mut Command::new("phalanx-no-such-program")).is_err());
        assert!(
            steps
                .ask("says nonsense", &mut child("--list"), |_| Err::<(), _>("nonsense".to_owned()))
                .is_err()
        );
        assert_eq!((steps.passed, steps.failed.len()), (0, 3));
        assert_eq!(steps.finish(), ExitCode::FAILURE);
    }

    #[test]
    fn nothing_run_is_no_success() {
        assert_eq!(Steps::new().finish(), ExitCode::FAILURE);
    }

    #[test]
    fn commands_can_be_typed_again() {
        let mut command = Command::new("bin/cargo");
        command.args(["test", "--doc"]).env("A", "b").env("C", "d e").env_remove("F");
        assert_eq!(described(&command), "A=b C='d e' cargo test --doc");
    }
}
