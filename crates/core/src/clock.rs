//! Whether somebody keeps the clock of this machine right.

/// Whether the kernel says that nobody does: no NTP has set the clock since the machine was started, or not for long.
/// `None` where it does not say: on systems other than Linux, or where the question is forbidden.
#[must_use]
pub fn is_unsynchronised() -> Option<bool> {
    #[cfg(target_os = "linux")]
    return linux::is_unsynchronised();
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
mod linux {
    pub(super) fn is_unsynchronised() -> Option<bool> {
        // SAFETY: the structure consists of numbers, for each of which zero is a value.
        let mut state: libc::timex = unsafe { core::mem::zeroed() };
        // SAFETY: the pointer is to a structure of the kernel's form that lives through the call; `modes` is 0, so the
        // clock is asked and not set.
        let answer = unsafe { libc::adjtimex(&raw mut state) };
        (answer != -1).then_some(state.status & libc::STA_UNSYNC != 0)
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::process::Command;
    use std::string::String;

    /// What `timedatectl` or `adjtimex` would say: where one of them is there, the answers agree.
    #[test]
    fn the_kernel_is_asked() {
        let answer = super::is_unsynchronised();
        let status = Command::new("adjtimex").arg("--print").output();
        if let (Some(answer), Ok(output)) = (answer, status) {
            let text = String::from_utf8_lossy(&output.stdout);
            let status = text.lines().find_map(|line| line.trim().strip_prefix("status:"));
            let status = status.and_then(|number| number.trim().parse::<u32>().ok());
            assert!(status.is_none_or(|status| (status & 0x40 != 0) == answer), "{text}");
        }
        // In a container without the right to ask there is no answer; anywhere else there is one.
        let may_be_forbidden = fs::read_to_string("/proc/self/status")
            .is_ok_and(|text| text.lines().any(|line| line.starts_with("Seccomp:") && !line.ends_with('0')));
        assert!(answer.is_some() || may_be_forbidden);
    }
}
