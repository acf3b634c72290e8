//! The prepared interval: by itself, step by step, beside the live key; the signatures are the same.

use super::{FAST, is_same, key, reload};
use phalanx_xmss::{Error, Format, ParameterSet, Signature, SigningKey, hazmat};
use phalanx_xmss::{Inline, Malformed, Threads};
use std::ops::ControlFlow;

fn message(epoch: u32) -> [u8; 32] {
    [epoch.to_le_bytes()[0]; 32]
}

/// The signature of an epoch by a key that holds it in its first two trees or is moved to it step by step.
fn step_by_step(fresh: &SigningKey, epoch: u32) -> Signature {
    let mut key = reload(fresh);
    while !key.prepared_interval().contains(&epoch.into()) {
        assert_eq!(key.advance(), Ok(true));
    }
    hazmat::sign_unrecorded(&key, epoch, &message(epoch)).expect("prepared")
}

/// Every epoch around every bottom tree's edge, one after the other; and jumps over one, two and many trees.
#[test]
fn by_itself_across_every_border() {
    let fresh = key(20, 0, 256);
    let public = fresh.verifying_key();
    let borders = (1..16).flat_map(|tree| [16 * tree - 1, 16 * tree, 16 * tree + 1]).chain([255]);
    let all_borders: Vec<u32> = [0].into_iter().chain(borders).collect();
    let jumps: [&[u32]; 7] = [
        &all_borders,
        &[0, 255],
        &[255],
        &[5, 32, 48, 64],
        &[5, 48, 96, 160, 255],
        &[47, 46, 33, 63, 62, 79],
        &[16, 240, 224, 255],
    ];
    for epochs in jumps {
        let mut key = reload(&fresh);
        for &epoch in epochs {
            let signature = key.sign(epoch, &message(epoch)).expect("active");
            assert!(signature == step_by_step(&fresh, epoch), "epoch {epoch} of {epochs:?}");
            assert_eq!(public.verify(epoch, &message(epoch), &signature), Ok(()));
            assert_eq!(key.verifying_key(), public);
        }
    }
}

/// A jump lands with the epoch's tree on the right; a step of one tree, too. The bytes are those of stepping there.
#[test]
fn a_jump_lands_where_steps_would() {
    for epoch in [0, 31, 32, 47, 48, 100, 255] {
        let (mut jumper, mut walker) = (key(21, 0, 256), key(21, 0, 256));
        jumper.sign(epoch, &message(epoch)).expect("active");
        while !walker.prepared_interval().contains(&epoch.into()) {
            assert_eq!(walker.advance(), Ok(true));
        }
        assert_eq!(jumper.prepared_interval(), walker.prepared_interval(), "epoch {epoch}");
        assert!(is_same(&jumper, &walker), "epoch {epoch}");
    }
}

/// A key stored and loaded anywhere on its way goes on as if nothing had happened.
#[test]
fn a_stored_key_goes_on() {
    let mut key = key(22, 96, 176);
    for epoch in [96, 127, 128, 150, 175] {
        let expected = reload(&key).sign(epoch, &message(epoch));
        key = reload(&key);
        assert_eq!(key.sign(epoch, &message(epoch)), expected);
    }
    assert_eq!(key.advance(), Ok(false), "at the end");
    assert_eq!(key.prepared_interval(), 144..176);
}

#[test]
fn advancing_ends_with_the_activation_interval() {
    for (start, end, moves) in [(0, 32, 0), (0, 256, 14), (100, 140, 1), (255, 256, 0)] {
        let mut key = key(23, start, end);
        for _ in 0..moves {
            assert!(key.next_tree().is_some());
            assert_eq!(key.advance(), Ok(true));
        }
        let last = key.prepared_interval();
        assert_eq!(last.end, key.activation_interval().end);
        assert!(key.next_tree().is_none());
        assert_eq!(key.advance(), Ok(false));
        assert_eq!(key.prepared_interval(), last);
    }
}

#[test]
fn a_tree_is_computed_beside_the_live_key() {
    for (set, seed) in [(FAST, [24; 32]), (ParameterSet::POSEIDON2_L8_D64B8, [124; 32])] {
        let mut key = SigningKey::from_seed(set, &seed, 0..64).expect("fits");
        let mut other = reload(&key);
        let mut next = key.next_tree().expect("there is more");
        assert_eq!(next.epochs(), 32..48);
        let told = std::sync::Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let progress = |progress| {
                    told.lock().expect("no panic").push(progress);
                    ControlFlow::Continue(())
                };
                next.compute_on(&Threads::new(2), &progress).expect("nothing stops it");
            });
            assert!(key.sign(1, &message(1)).is_ok(), "the key goes on signing meanwhile");
        });
        let told = told.into_inner().expect("no panic");
        let last = told.last().expect("told at least once");
        assert_eq!((last.leaves_done, last.leaves_total), (16, 16));
        key.advance_with(next).expect("its own");
        assert_eq!(other.advance(), Ok(true));
        assert!(is_same(&key, &other));
        assert_eq!(key.prepared_interval(), 16..48);
    }
}

#[test]
fn stopped_and_uncomputed_trees_are_unfinished() {
    let mut key = key(25, 0, 64);
    let before = key.to_bytes(Format::Ssz);
    assert_eq!(key.advance_with(key.next_tree().expect("more")), Err(Error::Unfinished));
    let mut next = key.next_tree().expect("more");
    assert_eq!(next.compute_on(&Inline, &|_| ControlFlow::Break(())), Err(Error::Unfinished));
    assert!(key.to_bytes(Format::Ssz) == before);
    assert_eq!(next.compute_on(&Inline, &|_| ControlFlow::Continue(())), Ok(()), "taken up again");
    assert_eq!(key.advance_with(next), Ok(()));
}

#[test]
fn wrong_trees_are_refused() {
    let go_on = |_| ControlFlow::Continue(());
    let (mut key, stranger, ahead) = (key(26, 0, 128), key(27, 0, 128), key(26, 32, 128));
    let before = key.to_bytes(Format::Ssz);
    // Of another key at the same place, computed or not; of the same secret at another place.
    let mut foreign = stranger.next_tree().expect("more");
    assert_eq!(
        key.advance_with(stranger.next_tree().expect("more")),
        Err(Error::WrongTree { got: 2, wanted: 2 })
    );
    foreign.compute_on(&Inline, &go_on).expect("computes");
    assert_eq!(key.advance_with(foreign), Err(Error::WrongTree { got: 2, wanted: 2 }));
    let mut elsewhere = ahead.next_tree().expect("more");
    elsewhere.compute_on(&Inline, &go_on).expect("computes");
    assert_eq!(key.advance_with(elsewhere), Err(Error::WrongTree { got: 4, wanted: 2 }));
    assert!(key.to_bytes(Format::Ssz) == before, "refused trees change nothing");

    // Stale: the key has moved on since, by one and by more.
    for (epoch, wanted) in [(40, 3), (100, 7)] {
        let stale = key.next_tree().expect("more");
        let mut again = reload(&key).next_tree().expect("more");
        again.compute_on(&Inline, &go_on).expect("computes");
        let got = key.prepared_interval().end / 16;
        key.sign(epoch, &message(epoch)).expect("active");
        assert_eq!(key.advance_with(stale), Err(Error::WrongTree { got, wanted }));
        assert_eq!(key.advance_with(again), Err(Error::WrongTree { got, wanted }));
    }
}

/// A root restored for a tree that does not have it makes a key that refuses to go there, and never a bad signature.
#[test]
fn a_wrong_root_is_noticed_before_its_tree_signs() {
    let mut generation = phalanx_xmss::KeyGeneration::from_seed(FAST, &[28; 32], 0..128).expect("fits");
    generation.restore(4, &[1; 32]).expect("a root by its form");
    while generation.step_on(&Inline, &|_| ControlFlow::Continue(())).expect("computes").is_some() {}
    let mut key = generation.finish().expect("complete");
    let what = "computed bottom trees whose root is in the top tree";
    let damaged = Err(Error::Malformed(Malformed { what, got: 0, wanted: 1 }));
    assert!(key.sign(47, &message(47)).is_ok(), "trees before it are sound");
    let before = key.to_bytes(Format::Ssz);
    assert_eq!(key.sign(64, &message(64)), damaged);
    assert_eq!(key.sign(80, &message(80)), damaged, "it would be the left tree");
    assert!(key.to_bytes(Format::Ssz) == before, "and the key stays where it was");
    let signature = key.sign(100, &message(100)).expect("trees after it are sound");
    assert_eq!(key.verifying_key().verify(100, &message(100), &signature), Ok(()));
}

/// Two bottom trees and a top tree, whatever the lifetime: with 256 epochs at most 3 * (2 * 16 + padding) nodes.
#[test]
fn a_key_holds_the_square_root_of_its_lifetime() {
    for (end, at_most) in [(32, 3 * 34 * 32), (256, 3 * 34 * 32 + 512)] {
        let mut key = key(29, 0, end);
        loop {
            let len = key.to_bytes(Format::Ssz).len();
            assert!(len <= at_most, "{len} bytes for {end} epochs");
            if !key.advance().expect("sound") {
                break;
            }
        }
    }
}
