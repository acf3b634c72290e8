//! The tree and the coin by themselves.

use crate::on_backends;
use phalanx_winterfell::{PackedMerkleTree, PackedRandomCoin, Rp64_256};
use winterfell::crypto::{
    DefaultRandomCoin, ElementHasher, Hasher, MerkleTree, MerkleTreeError, RandomCoin, VectorCommitment,
    hashers,
};
use winterfell::math::fields::f64::BaseElement;

type Theirs = hashers::Rp64_256;
type Leaf = <Theirs as Hasher>::Digest;

fn leaves(count: u64) -> Vec<Leaf> {
    (0..count)
        .map(|i| Theirs::hash_elements(&[BaseElement::new(i.wrapping_mul(0xdead_beef_1234_5677))]))
        .collect()
}

#[test]
fn trees_of_all_heights() {
    on_backends(|| {
        for height in 1..=9 {
            let leaves = leaves(1 << height);
            let ours = PackedMerkleTree::<Rp64_256>::new(leaves.clone()).expect("a power of two");
            let theirs = MerkleTree::<Theirs>::new(leaves.clone()).expect("a power of two");
            assert_eq!(ours.commitment(), *theirs.root());
            assert_eq!(ours.domain_len(), leaves.len());
            for index in [0, 1, leaves.len() / 2, leaves.len() - 1] {
                let (leaf, proof) = ours.open(index).expect("a leaf");
                assert_eq!((leaf, proof.clone()), theirs.prove(index).expect("a leaf"));
                assert!(PackedMerkleTree::<Rp64_256>::verify(ours.commitment(), index, leaf, &proof).is_ok());
                assert!(PackedMerkleTree::<Rp64_256>::verify(leaves[0], index, leaf, &proof).is_err());
            }
        }
    });
}

#[test]
fn many_openings() {
    let leaves = leaves(64);
    let ours = PackedMerkleTree::<Rp64_256>::new(leaves).expect("a power of two");
    let positions = [3, 17, 2, 63, 32];
    let (items, proof) = ours.open_many(&positions).expect("leaves");
    let verify =
        |items| PackedMerkleTree::<Rp64_256>::verify_many(ours.commitment(), &positions, items, &proof);
    assert!(verify(&items).is_ok());
    let mut wrong = items.clone();
    wrong.swap(0, 1);
    assert!(verify(&wrong).is_err());
    assert_eq!(PackedMerkleTree::<Rp64_256>::get_multiproof_domain_len(&proof), 64);
}

#[test]
fn numbers_of_leaves_are_refused_as_theirs() {
    for count in [0, 1, 3, 6, 65] {
        let ours = PackedMerkleTree::<Rp64_256>::new(leaves(count)).err();
        assert!(ours.is_some());
        assert_eq!(ours, MerkleTree::<Theirs>::new(leaves(count)).err(), "{count}");
    }
    assert_eq!(PackedMerkleTree::<Rp64_256>::new(leaves(1)).err(), Some(MerkleTreeError::TooFewLeaves(2, 1)));
}

/// Nonces in order, backwards, in leaps, twice, and after the seed has changed.
#[test]
fn coins_answer_the_same() {
    let seed: Vec<_> = (1..5).map(BaseElement::new).collect();
    on_backends(|| {
        let mut ours = PackedRandomCoin::<Rp64_256>::new(&seed);
        let mut theirs = DefaultRandomCoin::<Theirs>::new(&seed);
        let last = (1 << 56) - 70;
        for round in 0..3 {
            let orders = (1..200).chain((30..90).rev()).chain((0..500).step_by(64)).chain([7, 7, 8, 8, 9]);
            for nonce in orders.chain(last..last + 140).chain([u64::MAX - 1, u64::MAX]) {
                assert_eq!(ours.check_leading_zeros(nonce), theirs.check_leading_zeros(nonce), "{nonce}");
            }
            if round == 0 {
                let data = leaves(1)[0];
                ours.reseed(data);
                theirs.reseed(data);
            } else {
                let drawn = ours.draw_integers(5, 64, 12).expect("five below 64");
                assert_eq!(drawn, theirs.draw_integers(5, 64, 12).expect("five below 64"));
            }
            let drawn: BaseElement = ours.draw().expect("an element");
            assert_eq!(drawn, theirs.draw::<BaseElement>().expect("an element"));
        }
    });
}
