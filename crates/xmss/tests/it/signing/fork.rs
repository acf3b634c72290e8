//! A fork has a copy of the record of used epochs: nothing signs there.

use super::{FAST, key, reload};
use phalanx_xmss::{Error, SigningKey};

unsafe extern "C" {
    fn fork() -> i32;
    fn waitpid(pid: i32, status: *mut i32, options: i32) -> i32;
    fn _exit(status: i32) -> !;
}

/// Runs `work` in a fork of this process and returns what it answers.
fn in_a_fork(work: impl FnOnce() -> u8) -> u8 {
    // SAFETY: the child has one thread, this one; it takes no lock but the allocator's, which libc keeps usable, and
    // that of the records, which `sign` does not wait for in a fork. It ends without unwinding or running exit handlers.
    let child = unsafe { fork() };
    assert!(child >= 0, "fork failed");
    if child == 0 {
        let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or(255);
        // SAFETY: it only ends the process.
        unsafe { _exit(answer.into()) };
    }
    let mut status = 0;
    // SAFETY: `status` can be written, `child` is a child of ours that nobody else waits for.
    assert_eq!(unsafe { waitpid(child, &raw mut status, 0) }, child);
    assert_eq!(status & 0x7f, 0, "the child was killed");
    u8::try_from((status >> 8) & 0xff).expect("eight bits")
}

#[test]
fn a_fork_signs_nothing() {
    let mut unused = key(64, 0, 64);
    let mut used = key(65, 0, 64);
    assert!(used.sign(3, &[1; 32]).is_ok());
    let answer = in_a_fork(|| {
        let attempts = [
            unused.sign(3, &[1; 32]),
            used.sign(4, &[1; 32]),
            used.sign(3, &[1; 32]),
            // Loaded anew: this process remembers that its parent had the key.
            reload(&used).sign(5, &[1; 32]),
            reload(&unused).sign(5, &[1; 32]),
        ];
        attempts
            .iter()
            .zip(0..)
            .fold(0, |bits, (attempt, n)| bits | (u8::from(*attempt != Err(Error::Forked)) << n))
    });
    assert_eq!(answer, 0, "attempts that were not refused, as bits");
    // The parent goes on; a key that only the fork has ever loaded signs there.
    assert!(unused.sign(3, &[2; 32]).is_ok() && used.sign(4, &[2; 32]).is_ok());
    let fresh = in_a_fork(|| {
        let mut key = SigningKey::from_seed(FAST, &[66; 32], 0..64).expect("fits");
        u8::from(key.sign(3, &[1; 32]).is_err()) | (u8::from(key.sign(3, &[2; 32]).is_ok()) << 1)
    });
    assert_eq!(fresh, 0);
}

/// Forks made while other threads sign: none waits for a lock that nobody will give back.
#[test]
fn a_fork_does_not_hang() {
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        for seed in [67, 68] {
            let stop = &stop;
            scope.spawn(move || {
                let mut key = key(seed, 0, 64);
                while !stop.load(std::sync::atomic::Ordering::Relaxed) {
                    assert!(key.sign(1, &[1; 32]).is_ok());
                }
            });
        }
        let mut mine = key(69, 0, 64);
        for _ in 0..20 {
            assert_eq!(in_a_fork(|| u8::from(mine.sign(1, &[1; 32]) != Err(Error::Forked))), 0);
        }
        stop.store(true, std::sync::atomic::Ordering::Relaxed);
    });
}
