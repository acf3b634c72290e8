//! Steps through a child, one instruction at a time, between two signals that it raises.

use nix::sys::ptrace;
use nix::sys::signal::{Signal, raise};
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::Pid;
use std::process::{Child, Command};

/// The environment variable that makes a child of this program: operation, backend and how often, between spaces.
const CHILD: &str = "PHALANX_COUNTS_CHILD";

/// An operation with more instructions than this is none to count: minutes of stepping.
const LONGEST: usize = 20_000_000;

/// What a child is told to do, if this process is one.
pub(crate) fn task() -> Option<(String, String, usize)> {
    let task = std::env::var(CHILD).ok()?;
    let mut words = task.split(' ').map(str::to_owned);
    Some((words.next()?, words.next()?, words.next()?.parse().ok()?))
}

/// In the child: lets the parent see each instruction of `work`.
pub(crate) fn show(work: impl FnOnce()) -> nix::Result<()> {
    ptrace::traceme()?;
    raise(Signal::SIGTRAP)?;
    work();
    // Another signal: one like that of the last step would be lost in it.
    raise(Signal::SIGUSR1)
}

/// In the parent: the addresses, seen from the beginning of this program's file, of the instructions that a child ran
/// between its signals. Those outside of the program (the C library's) are `None`.
pub(crate) fn instructions(operation: &str, backend: &str, times: usize) -> Result<Vec<Option<u64>>, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let task = format!("{operation} {backend} {times}");
    let mut child = Command::new(&program)
        .env(CHILD, task)
        .spawn()
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let seen = step(&child);
    // A child that was not seen to its end still waits for us.
    let _ = child.kill();
    let _ = child.wait();
    seen
}

fn step(child: &Child) -> Result<Vec<Option<u64>>, String> {
    let pid = Pid::from_raw(child.id().try_into().map_err(|_| "a process number above 2^31")?);
    let told = |error: nix::Error| error.to_string();
    if stopped(pid)? != Signal::SIGTRAP {
        return Err("the child did not begin".to_owned());
    }
    let (begin, end) = mapped(child.id())?;
    let mut addresses = Vec::new();
    loop {
        ptrace::step(pid, None).map_err(told)?;
        if stopped(pid)? == Signal::SIGUSR1 {
            return Ok(addresses);
        }
        let at = ptrace::getregs(pid).map_err(told)?.rip;
        if addresses.len() == LONGEST {
            return Err(format!("more than {LONGEST} instructions"));
        }
        addresses.push((begin..end).contains(&at).then(|| at - begin));
    }
}

/// Waits until the child has stopped, and says at which signal.
fn stopped(pid: Pid) -> Result<Signal, String> {
    match waitpid(pid, None) {
        Ok(WaitStatus::Stopped(_, signal)) => Ok(signal),
        Ok(other) => Err(format!("the child did not stop: {other:?}")),
        Err(error) => Err(error.to_string()),
    }
}

/// Where the program's file lies in the child's memory. Its segments lie one after the other, as in the file's own
/// addresses.
fn mapped(id: u32) -> Result<(u64, u64), String> {
    let maps = std::fs::read_to_string(format!("/proc/{id}/maps")).map_err(|error| error.to_string())?;
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let own = maps.lines().filter(|line| line.ends_with(&*program.to_string_lossy()));
    let ranges: Vec<(u64, u64)> = own
        .filter_map(|line| {
            let (begin, end) = line.split_once(' ')?.0.split_once('-')?;
            Some((u64::from_str_radix(begin, 16).ok()?, u64::from_str_radix(end, 16).ok()?))
        })
        .collect();
    let begin = ranges.iter().map(|range| range.0).min();
    begin
        .zip(ranges.iter().map(|range| range.1).max())
        .ok_or_else(|| "the child has not mapped its program".to_owned())
}
