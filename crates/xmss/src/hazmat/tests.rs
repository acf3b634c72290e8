//! The tools against one another and against numbers of the vectors; `cargo xtask vectors` runs the vectors whole.

use super::*;
use crate::parameters::ParameterSet;
use crate::{Error, SigningKey};
use alloc::vec::Vec;
use phalanx_core::threads::Inline;

fn on_every_backend(test: impl Fn()) {
    for backend in phalanx_testing::backends() {
        backend.force(&test).expect("available");
    }
}

#[test]
fn seeds_and_rounding_are_as_published() {
    // vectors/xmss/poseidon2.primitives.json, std_rng_seed_from_u64 of 42.
    assert_eq!(random_words(&seed_from_u64(42), 4), [572990626, 2261546851, 1068323197, 2330987027]);
    assert_eq!(activation_rounding(8, 100, 40), 6..9);
    assert_eq!((montgomery(1), canonical(33_554_430), canonical(u32::MAX)), (33_554_430, Some(1), None));
}

#[test]
fn the_cube_of_three_bits() {
    let sizes: Vec<u64> = layer_sizes(3, 2).iter().map(|limbs| limbs[0]).collect();
    assert_eq!(sizes, [1, 3, 3, 1]);
    assert_eq!(vertices_up_to(3, 2, 3), Some([8, 0, 0, 0]));
    assert_eq!(vertices_up_to(64, 8, 448), Some([0, 0, 0, 1]), "8^64 = 2^192");
    assert_eq!(vertices_up_to(3, 2, 4), None);
    assert_eq!(vertex(3, 2, 1, [2, 0, 0]), Some(alloc::vec![0, 1, 1]));
    assert_eq!(vertex(3, 2, 1, [3, 0, 0]), None);
    assert_eq!(target_sum(ParameterSet::POSEIDON2_L32_D48B10), 326);
    assert_eq!(domain_size(ParameterSet::POSEIDON2_L32_D48B10), vertices_up_to(48, 10, 112));
    assert_eq!(domain_size(ParameterSet::POSEIDON1_L32_D46B8), None);
}

#[test]
fn stages_fit_together() {
    let set = ParameterSet::POSEIDON2_L8_D64B8;
    on_every_backend(|| {
        let (parameter, prf_key, _) = draw_key_material(set, &[3; 32], 0);
        let one_time = one_time_key(set, &prf_key, &parameter, 9);
        assert_eq!(leaf_sponges(set, &parameter, &[(9, &one_time.ends)])[0], one_time.leaf);
        assert_eq!(one_time.starts[5], prf_chain_start(set, &prf_key, 9, 5));
        let all = leaves(set, &prf_key, &parameter, 8, 2);
        assert_eq!(all[1], one_time.leaf);
        let root = bottom_subtree_root(&Inline, set, &prf_key, &parameter, 8, 1);
        assert_eq!(tree_nodes(set, &parameter, 1, 4, &all), [root]);

        let found = find_encoding(set, &prf_key, &parameter, 9, &[1; 32]).expect("found");
        let counter = u64::from(found.counter);
        assert_eq!(found.randomness, prf_randomness(set, &prf_key, 9, &[1; 32], counter));
        let input = MessageInput { parameter, epoch: 9, message: [1; 32], randomness: found.randomness };
        let hash = message_hashes(set, &[input]).remove(0);
        assert_eq!(
            (hash.codeword.as_ref(), hash.vertex.as_ref()),
            (Some(&found.codeword), Some(&found.codeword))
        );
        let top = hash.top_layers.expect("a Poseidon2 set");
        assert_eq!(vertex(64, 8, top.layer, top.offset), Some(found.codeword));
    });
}

#[test]
fn a_partial_key_signs_its_epochs_again_and_again() {
    on_every_backend(|| {
        for set in [ParameterSet::POSEIDON2_L18_D64B8, ParameterSet::POSEIDON1_L32_D46B8] {
            let start = 5 * u32::try_from(set.tree_leaves()).expect("small") + 17;
            let key = partial_key(set, &[4; 32], start..start + 2);
            let public = key.verifying_key();
            for (epoch, message) in [(start, [1; 32]), (start, [2; 32]), (start + 1, [3; 32])] {
                let signature = sign_unrecorded(&key, epoch, &message).expect("prepared");
                assert_eq!(public.verify(epoch, &message, &signature), Ok(()));
                assert!(codeword_of(&public, epoch, &message, &signature).is_some());
            }
            let other = sign_unrecorded(&key, start + 2, &[1; 32]).expect("prepared");
            assert!(public.verify(start + 2, &[1; 32], &other).is_err(), "its leaf is zero");
        }
    });
}

#[test]
fn unprepared_epochs_are_refused() {
    let set = ParameterSet::POSEIDON1_L8_D4B8_TEST;
    let mut key = SigningKey::from_seed(set, &[5; 32], 16..80).expect("fits");
    let error = |key: &SigningKey, epoch| sign_unrecorded(key, epoch, &[0; 32]).map(|_| ());
    assert_eq!(error(&key, 15), Err(Error::NotActive { epoch: 15, start: 16, end: 80 }));
    assert_eq!(error(&key, 80), Err(Error::Exhausted { epoch: 80, end: 80 }));
    assert_eq!(error(&key, 48), Err(Error::NotPrepared { epoch: 48, end: 48 }));
    assert_eq!(key.advance(), Ok(true));
    assert_eq!(error(&key, 16), Err(Error::Passed { epoch: 16, prepared: 32 }));
    assert_eq!(error(&key, 48), Ok(()));
}
