//! How much is taken from whom: token buckets, and connections that are counted.
#![forbid(unsafe_code)]

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The guard of a lock. What is behind is whole after every step, so a panic elsewhere does not spoil it.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A bucket for each client, or each key: it fills at a rate, and holds a burst.
pub(super) struct Buckets<K> {
    rate: f64,
    burst: f64,
    filled: Mutex<HashMap<K, (f64, Instant)>>,
}

/// More buckets than this are looked through for full ones, which need not be kept.
const MANY: usize = 4096;

impl<K: Eq + Hash + Clone> Buckets<K> {
    /// Buckets that fill with `rate` a second up to `burst`.
    pub(super) fn new(rate: u32, burst: u32) -> Self {
        Self { rate: rate.into(), burst: burst.into(), filled: Mutex::new(HashMap::new()) }
    }

    /// Takes one out of the bucket of `key`, if it is there.
    pub(super) fn take(&self, key: &K, now: Instant) -> bool {
        let mut filled = lock(&self.filled);
        let level = |&(level, at): &(f64, Instant)| {
            (level + now.saturating_duration_since(at).as_secs_f64() * self.rate).min(self.burst)
        };
        if filled.len() > MANY {
            filled.retain(|_, bucket| level(bucket) < self.burst);
        }
        let left = filled.get(key).map_or(self.burst, level) - 1.0;
        if left < 0.0 {
            return false;
        }
        filled.insert(key.clone(), (left, now));
        true
    }
}

/// The connections that are open, in all and of each client.
pub(super) struct Connections {
    most: usize,
    most_of_one: usize,
    open: Mutex<(usize, HashMap<String, usize>)>,
}

impl Connections {
    pub(super) fn new(most: u32, most_of_one: u32) -> Arc<Self> {
        let size = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let (most, most_of_one) = (size(most), size(most_of_one));
        Arc::new(Self { most, most_of_one, open: Mutex::new((0, HashMap::new())) })
    }

    /// A place for a connection of `client`, if there is one.
    pub(super) fn enter(self: &Arc<Self>, client: &str) -> Option<Place> {
        let mut open = lock(&self.open);
        let (all, of) = &mut *open;
        let one = of.entry(client.to_owned()).or_default();
        if *all >= self.most || *one >= self.most_of_one {
            if *one == 0 {
                of.remove(client);
            }
            return None;
        }
        *all += 1;
        *one += 1;
        Some(Place { of: Arc::clone(self), client: client.to_owned() })
    }

    /// How many are open.
    pub(super) fn count(&self) -> usize {
        lock(&self.open).0
    }
}

/// The place of one connection, given back on drop.
pub(super) struct Place {
    of: Arc<Connections>,
    client: String,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = lock(&self.of.open);
        open.0 -= 1;
        if let Some(one) = open.1.get_mut(&self.client) {
            *one -= 1;
            if *one == 0 {
                open.1.remove(&self.client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn buckets_hold_a_burst_and_fill_at_a_rate() {
        let (buckets, start) = (Buckets::new(10, 3), Instant::now());
        let taken = |at: u64| buckets.take(&"a", start + Duration::from_millis(at));
        assert_eq!([taken(0), taken(0), taken(0), taken(0)], [true, true, true, false]);
        assert!(buckets.take(&"b", start), "another's bucket is full");
        assert_eq!([taken(99), taken(101), taken(102)], [false, true, false]);
        assert_eq!([taken(10_000), taken(10_000), taken(10_000), taken(10_000)], [true, true, true, false]);
    }

    #[test]
    fn connections_are_counted() {
        let all = Connections::new(3, 2);
        let first = all.enter("a").expect("the first");
        let second = all.enter("a").expect("the second");
        assert!(all.enter("a").is_none(), "a client has two");
        let third = all.enter("b").expect("another client");
        assert!(all.enter("c").is_none(), "three in all");
        drop((first, third));
        assert_eq!(all.count(), 1);
        assert!(all.enter("c").is_some());
        drop(second);
        assert_eq!((all.count(), lock(&all.open).1.len()), (0, 0));
    }
}
