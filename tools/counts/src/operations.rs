//! What is counted: each operation on data of its own, so often as it is told.

use phalanx::Backend;
use phalanx::ed25519::{Profile, SignedMessage, SigningKey, sign_many, verify, verify_many};
use phalanx::ligerito::hazmat::kernels;
use phalanx::ligerito::{Gf128, Level};
use phalanx::rescue::Function;
use phalanx::xmss::hazmat::{Permutation, blake2s, keccak_f1600, permute_16, permute_24};
use std::hint::black_box;

/// An operation.
pub(crate) struct Operation {
    /// As benchmarks call it.
    pub(crate) name: &'static str,
    /// How many of what it is named after are made at a time.
    items: usize,
    /// Prepares it for so many; what comes back does it so many times.
    pub(crate) prepare: fn(usize) -> Box<dyn FnMut(usize)>,
}

impl Operation {
    /// How many are made at a time. Code without lanes makes one after the other, and one is enough to count; portable code has
    /// the four lanes of SSE2 for what is made [`STATES`] at a time.
    pub(crate) fn items(&self, backend: Backend) -> usize {
        match (backend, self.items) {
            (Backend::Portable, STATES) => 4,
            (Backend::Portable, ..STATES) => 1,
            _ => self.items,
        }
    }
}

/// States side by side: as many as the widest engine takes.
const STATES: usize = 16;

/// Signatures in a call: as many as the widest kernels take, and no more instructions than models read in a minute.
const SIGNATURES: usize = 8;

/// Elements of an encoded matrix.
const ENCODED: usize = 1 << 12;

/// Products in GF(2^128), summed.
const PRODUCTS: usize = 256;

pub(crate) const ALL: &[Operation] = &[
    Operation {
        name: "poseidon2-16/permute",
        items: STATES,
        prepare: |n| poseidon_16(Permutation::Poseidon2, n),
    },
    Operation {
        name: "poseidon2-24/permute",
        items: STATES,
        prepare: |n| poseidon_24(Permutation::Poseidon2, n),
    },
    Operation {
        name: "poseidon1-16/permute",
        items: STATES,
        prepare: |n| poseidon_16(Permutation::Poseidon1, n),
    },
    Operation {
        name: "poseidon1-24/permute",
        items: STATES,
        prepare: |n| poseidon_24(Permutation::Poseidon1, n),
    },
    Operation { name: "keccak-f1600/permute", items: 8, prepare: keccak },
    Operation { name: "blake2s/compress", items: STATES, prepare: compress },
    Operation { name: "rescue-rp64-256/permute", items: 1, prepare: rescue },
    Operation { name: "rescue-rp64-256/permute-many", items: 16, prepare: rescue },
    Operation { name: "ed25519/sign", items: 1, prepare: sign },
    Operation { name: "ed25519/sign-many-per-signature", items: SIGNATURES, prepare: sign_all },
    Operation { name: "ed25519/verify", items: 1, prepare: verify_one },
    Operation { name: "ed25519/verify-many-per-signature", items: SIGNATURES, prepare: verify_all },
    Operation { name: "ligerito/encode-per-element", items: ENCODED, prepare: encode },
    Operation { name: "ligerito/inner-product-per-element", items: PRODUCTS, prepare: products },
];

fn poseidon_16(permutation: Permutation, items: usize) -> Box<dyn FnMut(usize)> {
    let mut states = vec![[7; 16]; items];
    Box::new(move |times| permute_16(permutation, black_box(&mut states), times))
}

fn poseidon_24(permutation: Permutation, items: usize) -> Box<dyn FnMut(usize)> {
    let mut states = vec![[7; 24]; items];
    Box::new(move |times| permute_24(permutation, black_box(&mut states), times))
}

fn keccak(items: usize) -> Box<dyn FnMut(usize)> {
    let mut states = vec![[7; 25]; items];
    Box::new(move |times| keccak_f1600(black_box(&mut states), times))
}

/// As many compressions side by side as the backend has lanes, until there are as many as asked for.
fn compress(items: usize) -> Box<dyn FnMut(usize)> {
    let mut states = [[7; 16]; 8];
    Box::new(move |times| {
        let calls = times * items.div_ceil(blake2s::lanes());
        blake2s::compressions(black_box(&mut states), u32::try_from(calls).expect("few"));
    })
}

fn rescue(states: usize) -> Box<dyn FnMut(usize)> {
    let function = Function::Rp64_256;
    let mut words = vec![7; states * function.width()];
    Box::new(move |times| {
        for _ in 0..times {
            function.permute(black_box(&mut words)).expect("whole states");
        }
    })
}

/// Keys, messages and their signatures.
fn signed(items: usize) -> (Vec<SigningKey>, Vec<[u8; 32]>, Vec<[u8; 64]>) {
    let seeds = (1..).take(items).map(|seed: u8| [seed; 32]);
    let keys: Vec<_> = seeds.map(|seed| SigningKey::from_seed(&seed)).collect();
    let messages = vec![[9; 32]; items];
    let signatures = keys.iter().zip(&messages).map(|(key, message)| key.sign(message).to_bytes()).collect();
    (keys, messages, signatures)
}

fn sign(items: usize) -> Box<dyn FnMut(usize)> {
    let (keys, messages, _) = signed(items);
    Box::new(move |times| {
        for _ in 0..times {
            black_box(keys[0].sign(black_box(&messages[0])));
        }
    })
}

fn sign_all(items: usize) -> Box<dyn FnMut(usize)> {
    let (keys, messages, _) = signed(items);
    Box::new(move |times| {
        let messages: Vec<&[u8]> = messages.iter().map(<[u8; 32]>::as_slice).collect();
        for _ in 0..times {
            black_box(sign_many(black_box(&keys.iter().collect::<Vec<_>>()), &messages))
                .expect("as many keys as messages");
        }
    })
}

fn verify_one(items: usize) -> Box<dyn FnMut(usize)> {
    let (keys, messages, signatures) = signed(items);
    let key = keys[0].verifying_key().to_bytes();
    Box::new(move |times| {
        for _ in 0..times {
            verify(Profile::Strict, black_box(&key), &messages[0], &signatures[0]).expect("valid");
        }
    })
}

fn verify_all(items: usize) -> Box<dyn FnMut(usize)> {
    let (keys, messages, signatures) = signed(items);
    let keys: Vec<[u8; 32]> = keys.iter().map(|key| key.verifying_key().to_bytes()).collect();
    Box::new(move |times| {
        let all = keys.iter().zip(&messages).zip(&signatures);
        let all: Vec<_> = all
            .map(|((public_key, message), signature)| SignedMessage { public_key, message, signature })
            .collect();
        for _ in 0..times {
            assert!(verify_many(Profile::Strict, black_box(&all)).iter().all(Result::is_ok));
        }
    })
}

fn encode(items: usize) -> Box<dyn FnMut(usize)> {
    let (log2_message, log2_columns) = (8, 4);
    let shape = Level { log2_message, log2_columns, log2_inverse_rate: 2, queries: 1, grinding_bits: 0 };
    let message = vec![7; items];
    Box::new(move |times| {
        for _ in 0..times {
            black_box(kernels::encode_32(&shape, black_box(&message)));
        }
    })
}

fn products(items: usize) -> Box<dyn FnMut(usize)> {
    let factors: Vec<_> =
        (1..=items as u128).map(|i| Gf128::from_le_bytes(((i << 64) | (3 * i)).to_le_bytes())).collect();
    Box::new(move |times| {
        for _ in 0..times {
            black_box(kernels::inner(black_box(&factors), &factors));
        }
    })
}
