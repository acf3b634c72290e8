//! A search over random sequences of ordinary commands, run in this process with the program's own code: whatever is
//! copied, restored, removed, killed or filled on the way, no epoch signs two messages, and no key is lost whose files
//! nobody has tampered with.
//!
//! In a sequence at most one side lies: the files beside the keys (copied, restored, cut, removed), or the witness in
//! the state folder. That both are set back to the same day cannot be seen, as the documentation says.

mod kinds;
mod steps;
mod world;

use kinds::*;
use phalanx::xmss::Format;
use std::collections::BTreeMap;
use world::{SET, World, record_of};

/// Commands in a sequence.
const LENGTH: usize = 24;

/// What a sequence came to.
#[derive(Default)]
struct Tally {
    released: u64,
    kinds: BTreeMap<Kind, u64>,
}

/// Runs the sequence of this seed.
fn sequence(seed: u64, tally: &mut Tally) {
    let mut world = World::new(seed);
    let liar = world.liar;
    let mut kinds = HONEST.to_vec();
    // With a witness set back, another copy that is as old would agree with it: both sides would lie.
    kinds.extend(if liar == Liar::Witness { WITNESS_LIES } else { COPIES });
    if liar == Liar::Near {
        kinds.extend(NEAR_LIES);
    }
    let keys = world.root.join("keys");
    let args = world.keygen("5e", SET.name(), 256, &keys, "");
    let mut plan = world.plan();
    assert!(matches!(world.run(&args, &mut plan), Some(Ok(_))), "{:?}", world.history);
    world.places.push((keys.join("secret-key.ssz"), Format::Ssz));
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        for _ in 0..LENGTH {
            let mut kind = world.random.of(&kinds).expect("there are some");
            // A key made again would take what a lying witness says as its own record.
            if liar == Liar::Witness
                && matches!(kind, KeygenAgain | KeygenKilled)
                && !record_of(&keys.join("secret-key.ssz")).exists()
            {
                kind = RecordCheck;
            }
            *tally.kinds.entry(kind).or_default() += 1;
            world.step(kind);
            for ((_, epoch), all) in &world.signed {
                assert!(all.len() == 1, "epoch {epoch} has signed {} times", all.len());
            }
        }
        if liar == Liar::Nobody {
            assert_not_lost(&mut world);
        }
    }));
    tally.released += world.released;
    if let Err(panic) = outcome {
        let shown = world.history.join("\n").replace(&format!("{}/", world.root.display()), "");
        eprintln!("sequence {seed} ({liar:?}):\n{shown}");
        std::panic::resume_unwind(panic);
    }
}

/// With room on the disk again, some file of the key signs an epoch that is left. An operator whose beginning of a record
/// was killed begins it again, as the refusal says.
fn assert_not_lost(world: &mut World) {
    if signs(world) {
        return;
    }
    let was_killed = |line: &&String| line.contains("--begin") && line.contains(": killed at step");
    let is_unfinished = world.history.iter().any(|line| was_killed(&line));
    assert!(is_unfinished, "no file signs epoch {} any more", world.lowest);
    let (from, places) = (world.lowest.min(256), world.known_places());
    let begun = places.iter().any(|place| world.begin(place, from));
    assert!(begun && signs(world), "no file signs epoch {from} any more, though its record was begun again");
}

/// Whether some file signs a new epoch, or none is left.
fn signs(world: &mut World) -> bool {
    let lowest = world.lowest;
    let Some(epoch) = u32::try_from(lowest).ok().filter(|epoch| *epoch <= 250) else { return true };
    let places = world.known_places();
    places.iter().any(|place| {
        let mut plan = world.plan();
        // An epoch that an unfinished write has closed is closed; the next is open.
        (epoch..epoch + 12).any(|epoch| epoch < 256 && world.sign(place, epoch, 1, &mut plan))
    })
}

fn search(count: u64, first: u64) {
    let mut tally = Tally::default();
    (first..first + count).for_each(|seed| sequence(seed, &mut tally));
    eprintln!(
        "{count} sequences from {first}: {} signatures, {} kinds of commands",
        tally.released,
        tally.kinds.len()
    );
    assert!(tally.released > 3 * count, "the search hardly signs: {}", tally.released);
    assert!(count < 100 || tally.kinds.len() >= 40, "{:?}", tally.kinds);
}

#[test]
fn no_epoch_signs_twice_and_no_key_is_lost() {
    search(100, 1);
}

#[test]
#[ignore = "10,000 sequences, 15 minutes"]
fn no_epoch_signs_twice_in_a_long_search() {
    let first = std::env::var("PHALANX_SEQUENCE").ok().and_then(|text| text.parse().ok()).unwrap_or(1000);
    search(10_000, first);
}
