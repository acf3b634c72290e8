//! A step that runs beside others, so that a core is not idle where one program waits for another: what it says is kept in a
//! file, and shown when it has ended.

use std::fs::File;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use crate::cargo::target;
use crate::steps::{Steps, Stop};

/// A step that has been started. One that nobody waits for is ended.
pub(crate) struct Beside {
    name: String,
    child: Child,
    said: PathBuf,
}

impl Beside {
    /// Starts `command`.
    pub(crate) fn start(steps: &mut Steps, name: &str, command: &mut Command) -> Result<Self, Stop> {
        let folder = target().join("xtask");
        let said = folder.join(format!("{}.txt", name.replace(' ', "-")));
        let started = std::fs::create_dir_all(&folder).and_then(|()| {
            let out = File::create(&said)?;
            command.stdin(Stdio::null()).stdout(out.try_clone()?).stderr(out);
            in_a_group_of_its_own(command);
            command.spawn()
        });
        match started {
            Ok(child) => {
                println!("\n== {name}: runs beside what follows");
                Ok(Self { name: name.to_owned(), child, said })
            }
            Err(error) => Err(steps.fail(name, &format!("could not start: {error}"))),
        }
    }

    /// Waits for it, and shows what it said.
    pub(crate) fn join(mut self, steps: &mut Steps) -> Result<(), Stop> {
        let ended = self.child.wait();
        println!("\n== {}: what it said", self.name);
        print!("{}", String::from_utf8_lossy(&std::fs::read(&self.said).unwrap_or_default()));
        let outcome = match ended {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(status.to_string()),
            Err(error) => Err(error.to_string()),
        };
        steps.checked(&self.name, outcome)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return;
        }
        // With all that it started, where that is one group.
        if cfg!(unix) {
            Command::new("kill").arg("--").arg(format!("-{}", self.child.id())).status().ok();
        }
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

#[cfg(unix)]
fn in_a_group_of_its_own(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(not(unix))]
fn in_a_group_of_its_own(_: &mut Command) {}

#[cfg(test)]
mod tests {
    use super::*;

    fn child(argument: &str) -> Command {
        let mut command = Command::new(std::env::current_exe().expect("a test binary has a path"));
        command.arg(argument);
        command
    }

    #[test]
    fn how_it_ends_counts() {
        let mut steps = Steps::new();
        let good = Beside::start(&mut steps, "lists its tests", &mut child("--list")).expect("it starts");
        let bad = Beside::start(&mut steps, "refuses", &mut child("--no-such-option")).expect("it starts");
        assert!(good.join(&mut steps).is_ok() && bad.join(&mut steps).is_err());
        assert!(Beside::start(&mut steps, "is none", &mut Command::new("phalanx-no-such-program")).is_err());
        assert_eq!(steps.finish(), std::process::ExitCode::FAILURE);
    }

    #[cfg(unix)]
    #[test]
    fn what_nobody_waits_for_is_ended() {
        let mut steps = Steps::new();
        let begun = std::time::Instant::now();
        drop(Beside::start(&mut steps, "sleeps", Command::new("sleep").arg("600")).expect("it starts"));
        assert!(begun.elapsed().as_secs() < 300);
    }
}
