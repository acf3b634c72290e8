//! A search over random sequences of ordinary commands, run in this process with the program's own code: whatever is
//! copied, restored, removed, killed or filled on the way, no epoch signs two messages, and no key is lost whose files
//! nobody has tampered with.
//!
//! In a sequence at most one side lies: the files beside the keys (copied, restored, cut, removed), or the state folder.
//! That both are set back to the same day cannot be seen, as the documentation says. A command that is killed unwinds here,
//! between two of its own steps; the ledger closes its files then. Real processes are killed elsewhere.

mod kinds;
mod migration;
mod state;
mod steps;
mod world;

use kinds::{KINDS, Liar};
use phalanx::xmss::{Format, VerifyingKey};
use std::collections::BTreeMap;
use world::{SET, World, public_key};

/// Commands in a sequence.
const LENGTH: usize = 24;

/// What a sequence came to.
#[derive(Default)]
struct Tally {
    released: u64,
    kinds: BTreeMap<&'static str, u64>,
}

/// Runs the sequence of this seed.
fn sequence(seed: u64, tally: &mut Tally) {
    let mut world = World::new(seed);
    let liar = world.liar;
    let possible = KINDS.iter().filter(|kind| (kind.may)(liar));
    let kinds: Vec<_> = possible.flat_map(|kind| std::iter::repeat_n(*kind, kind.weight)).collect();
    let keys = world.root.join("keys");
    let args = world.keygen("5e", SET.name(), 256, &keys);
    let mut plan = world.plan();
    assert!(matches!(world.run(&args, &mut plan), Some(Ok(_))), "{:?}", world.history);
    let first = (keys.join("secret-key.ssz"), Format::Ssz);
    let public = public_key(&first).expect("it was made");
    world.key_id = VerifyingKey::from_bytes(SET, Format::Ssz, &public).expect("a key").key_id().to_string();
    world.places.push(first);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        for _ in 0..LENGTH {
            let kind = world.random.choice(&kinds).expect("there are some");
            *tally.kinds.entry(kind.name).or_default() += 1;
            world.history.push(format!("- {}", kind.name));
            (kind.act)(&mut world);
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

/// With room on the disk again, some file of the key signs an epoch that is left, or does so once an operator has answered
/// for it: where a ledger was begun and the process was killed, or a copy was accepted.
fn assert_not_lost(world: &mut World) {
    if signs(world) {
        return;
    }
    let (from, places) = (world.lowest.min(256), world.known_places());
    let begun = places.iter().any(|place| {
        let mut plan = world.plan();
        world.adopt(place, from, &mut plan)
    });
    assert!(begun && signs(world), "no file signs epoch {from} any more, though its ledger was begun again");
    let had_to =
        ["killed at step", "ledger adopt", "ledger accept-move", "ledger reconcile", "ledger import"];
    let is_explained = world.history.iter().any(|line| had_to.iter().any(|cause| line.contains(cause)));
    assert!(is_explained, "an operator had to answer for nothing");
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
    assert!(count < 100 || tally.kinds.len() == KINDS.len(), "{:?}", tally.kinds);
}

#[test]
fn no_epoch_signs_twice_and_no_key_is_lost() {
    search(30, 1);
}

/// `PHALANX_SEQUENCE` is the first, `PHALANX_SEQUENCES` how many: so that several processes share them.
#[test]
#[ignore = "10,000 sequences, an hour"]
fn no_epoch_signs_twice_in_a_long_search() {
    let said = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let (first, count) =
        (said("PHALANX_SEQUENCE").unwrap_or(1000), said("PHALANX_SEQUENCES").unwrap_or(10_000));
    // What is done is said on the way.
    (first..first + count).step_by(250).for_each(|at| search(250.min(first + count - at), at));
}
