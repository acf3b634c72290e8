//! Many clients that ask for signatures, in the order of epochs, at a pace.

use phalanx_custody::remote::{Answer, Client, Error, Request};
use phalanx_xmss::any::VerifyingKey;
use std::ops::Range;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A key to ask for.
#[derive(Clone)]
pub struct Target {
    /// The key.
    pub key: VerifyingKey,
    /// Its epochs that nobody has used yet.
    pub epochs: Range<u32>,
}

/// How much is asked.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Requests in all.
    pub requests: u64,
    /// Requests a second; without it, as fast as answers come.
    pub rate: Option<f64>,
    /// Of a hundred requests, how many ask for another message at an epoch that was asked for before.
    pub conflicts: u64,
    /// Of a hundred, how many ask for the same message once more.
    pub repeats: u64,
}

/// One request: which key, which epoch, and which of two messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The number of its target.
    pub target: usize,
    /// The epoch.
    pub epoch: u32,
    /// 0, or 1 where it is to conflict.
    pub variant: u8,
}

impl Asked {
    /// The message: another for every key, epoch and variant.
    #[must_use]
    pub fn message(self) -> [u8; 32] {
        let mut message = [0x5a; 32];
        message[..8].copy_from_slice(&(self.target as u64).to_le_bytes());
        message[8..12].copy_from_slice(&self.epoch.to_le_bytes());
        message[12] = self.variant;
        message
    }
}

/// A request and its answer.
pub struct Seen {
    /// What was asked.
    pub asked: Asked,
    /// How long the answer took.
    pub took: Duration,
    /// The answer, not looked at yet.
    pub answer: Result<Answer, Error>,
}

/// The requests of a plan, of which there may be fewer than planned if the epochs run out. The same plan gives the same
/// requests.
#[must_use]
pub fn requests(plan: Plan, targets: &[Target]) -> Vec<Asked> {
    let mut next: Vec<u32> = targets.iter().map(|target| target.epochs.start).collect();
    let mut asked = Vec::new();
    // A generator of its own (xorshift): which requests conflict has to look like chance, and no more.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut draw = |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % bound
    };
    for number in 0..plan.requests {
        let index =
            usize::try_from(number % targets.len().max(1) as u64).expect("below the number of targets");
        let Some(target) = targets.get(index) else { break };
        let kind = draw(100);
        let used = next[index] - target.epochs.start;
        let again = kind < plan.conflicts + plan.repeats && used > 0;
        if again {
            // One of the last: what lies further back says nothing new.
            let back = u32::try_from(draw(u64::from(used.min(32)))).expect("below 32");
            let variant = u8::from(kind < plan.conflicts);
            asked.push(Asked { target: index, epoch: next[index] - 1 - back, variant });
        } else if next[index] < target.epochs.end {
            asked.push(Asked { target: index, epoch: next[index], variant: 0 });
            next[index] += 1;
        }
    }
    asked
}

/// Sends `asked`, each client from a thread of its own, and gives what was seen. With a rate, time counts from when a
/// request was due, so that a signer that is late is not asked less.
#[must_use]
pub fn run(plan: Plan, targets: &[Target], asked: &[Asked], clients: &[Client]) -> Vec<Seen> {
    let (next, begun) = (AtomicU64::new(0), Instant::now() + Duration::from_millis(50));
    let work = |client: &Client| {
        let mut seen = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&asked) = usize::try_from(number).ok().and_then(|number| asked.get(number)) else {
                return seen;
            };
            let due = plan.rate.map(|rate| begun + Duration::from_secs_f64(number as f64 / rate));
            if let Some(wait) = due.and_then(|due| due.checked_duration_since(Instant::now())) {
                thread::sleep(wait);
            }
            seen.push(one(client, targets, asked, due.unwrap_or_else(Instant::now)));
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = clients.iter().map(|client| scope.spawn(|| work(client))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a client does not panic")).collect()
    })
}

/// Asks every target for one epoch at the same moment, each from a client of its own, and gives what was seen and how
/// long it took until the last answer.
#[must_use]
pub fn at_once(targets: &[Target], asked: &[Asked], clients: &[Client]) -> (Vec<Seen>, Duration) {
    let barrier = Barrier::new(asked.len().min(clients.len()) + 1);
    thread::scope(|scope| {
        let send = |(client, &asked): (&Client, &Asked)| {
            barrier.wait();
            let seen = one(client, targets, asked, Instant::now());
            (seen, Instant::now())
        };
        let threads: Vec<_> = clients.iter().zip(asked).map(|pair| scope.spawn(move || send(pair))).collect();
        barrier.wait();
        let begun = Instant::now();
        let done: Vec<_> =
            threads.into_iter().map(|thread| thread.join().expect("a client does not panic")).collect();
        let last = done.iter().map(|(_, at)| *at).max().unwrap_or(begun);
        (done.into_iter().map(|(seen, _)| seen).collect(), last.duration_since(begun))
    })
}

fn one(client: &Client, targets: &[Target], asked: Asked, from: Instant) -> Seen {
    let message = asked.message();
    let key = &targets[asked.target].key;
    let answer = client.ask(&Request { key, epoch: asked.epoch, message: &message });
    Seen { asked, took: from.elapsed(), answer }
}

#[cfg(test)]
mod tests {
    use super::*;
    use phalanx_xmss::{ParameterSet, SigningKey};

    fn targets(count: u8, epochs: u32) -> Vec<Target> {
        let key =
            |n| SigningKey::from_seed(ParameterSet::POSEIDON2_L8_D64B8, &[n; 32], 0..32).expect("a key");
        (0..count)
            .map(|n| Target { key: VerifyingKey::KoalaBear(key(n).verifying_key()), epochs: 0..epochs })
            .collect()
    }

    #[test]
    fn epochs_come_in_order_and_conflicts_at_epochs_that_were_asked_for() {
        let targets = targets(3, 200);
        let plan = Plan { requests: 300, rate: None, conflicts: 10, repeats: 5 };
        let asked = requests(plan, &targets);
        assert_eq!(asked.len(), 300);
        let mut next = [0; 3];
        let (mut conflicts, mut repeats) = (0, 0);
        for asked in &asked {
            if asked.epoch == next[asked.target] {
                assert_eq!(asked.variant, 0);
                next[asked.target] += 1;
            } else {
                assert!(asked.epoch < next[asked.target]);
                if asked.variant == 1 { conflicts += 1 } else { repeats += 1 }
            }
        }
        assert!((10..60).contains(&conflicts) && (3..40).contains(&repeats), "{conflicts} {repeats}");
        assert_eq!(asked, requests(plan, &targets), "the same again");
    }

    #[test]
    fn epochs_run_out() {
        let plan = Plan { requests: 100, rate: None, conflicts: 0, repeats: 0 };
        assert_eq!(requests(plan, &targets(2, 7)).len(), 14);
        assert!(requests(plan, &[]).is_empty());
    }
}
