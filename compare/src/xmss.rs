//! The kernels under XMSS: permutations, many side by side, per lane.

use crate::sample::{More, Row, interleaved, peer_build};
use p3_field::{Field, PrimeCharacteristicRing, PrimeField32};
use p3_koala_bear::{KoalaBear, Poseidon1KoalaBear, Poseidon2KoalaBear};
use p3_poseidon1::Poseidon1Constants;
use p3_poseidon2::ExternalLayerConstants;
use phalanx::Backend;
use phalanx::xmss::hazmat::{self, Permutation};
use std::hint::black_box;

/// Permutations of a timed run, on every lane.
const REPEATS: usize = 200;

/// States that phalanx permutes side by side: its widest engine, full.
const STATES: usize = 16;

/// What the peers' packed field elements are.
type Packing = <KoalaBear as Field>::Packing;

/// Lanes of the peers' packing in this build.
const PEER_LANES: usize = size_of::<Packing>() / size_of::<KoalaBear>();

/// The numbers as the peers' field elements.
fn elements(numbers: &[u32]) -> Vec<KoalaBear> {
    numbers.iter().map(|&x| KoalaBear::from_u32(x)).collect()
}

/// The numbers as rows of field elements.
fn rows_of<const N: usize>(numbers: &[u32]) -> Vec<[KoalaBear; N]> {
    elements(numbers).as_chunks::<N>().0.to_vec()
}

/// Plonky3's Poseidon2 with the constants of our parameter sets (its default ones changed since).
macro_rules! peer_poseidon2 {
    ($width:literal) => {{
        let [initial, internal, terminal, _] = hazmat::poseidon2_constants($width).expect("a width we have");
        let external = ExternalLayerConstants::new(rows_of::<$width>(initial), rows_of::<$width>(terminal));
        Poseidon2KoalaBear::<$width>::new(external, elements(internal))
    }};
}

/// Plonky3's Poseidon1 with the constants of our parameter sets.
macro_rules! peer_poseidon1 {
    ($width:literal) => {{
        let [rounds, first_row] = hazmat::poseidon1_constants($width).expect("a width we have");
        let round_constants = rows_of::<$width>(rounds);
        // It wants the first column: the row backwards, but for its first entry.
        let mds_circ_col = std::array::from_fn(|i| i64::from(first_row[($width - i) % $width]));
        let rounds_p = round_constants.len() - 8;
        Poseidon1KoalaBear::<$width>::new(&Poseidon1Constants {
            rounds_f: 8,
            rounds_p,
            mds_circ_col,
            round_constants,
        })
    }};
}

/// All rows of the system.
pub(crate) fn rows(samples: usize) -> Vec<Row> {
    use Permutation::{Poseidon1, Poseidon2};
    vec![
        row_16("poseidon2-16/permute", samples, Poseidon2, &peer_poseidon2!(16)),
        row_24("poseidon2-24/permute", samples, Poseidon2, &peer_poseidon2!(24)),
        row_16("poseidon1-16/permute", samples, Poseidon1, &peer_poseidon1!(16)),
        row_24("poseidon1-24/permute", samples, Poseidon1, &peer_poseidon1!(24)),
        keccak_row(samples),
    ]
}

macro_rules! poseidon_row {
    ($name:ident, $width:literal, $ours:path) => {
        /// Ours and Plonky3's on the same state, after checking that they agree.
        fn $name<P>(operation: &'static str, samples: usize, permutation: Permutation, peer: &P) -> Row
        where
            P: p3_symmetric::Permutation<[Packing; $width]> + p3_symmetric::Permutation<[KoalaBear; $width]>,
        {
            let start: [u32; $width] = std::array::from_fn(|i| u32::try_from(i * i + 1).expect("small"));
            let mut states = [start; STATES];
            $ours(permutation, &mut states, 1);
            let mut theirs = start.map(KoalaBear::from_u32);
            peer.permute_mut(&mut theirs);
            assert_eq!(
                states[STATES - 1],
                theirs.map(|x| x.as_canonical_u32()),
                "{operation}: the peer disagrees"
            );

            let mut packed: [Packing; $width] = start.map(|x| Packing::from(KoalaBear::from_u32(x)));
            let [ours, peer_value] = interleaved(
                samples,
                || {
                    $ours(permutation, black_box(&mut states), REPEATS);
                    REPEATS * STATES
                },
                || {
                    for _ in 0..REPEATS {
                        peer.permute_mut(black_box(&mut packed));
                    }
                    REPEATS * PEER_LANES
                },
            );
            let peer_version = format!("0.9.0-rc.2, {}, {PEER_LANES} lanes", peer_build());
            let (peer, backend) = ("p3-koala-bear", Backend::current());
            Row {
                operation,
                ours,
                peer,
                peer_version,
                peer_value,
                n: None,
                profile: None,
                backend,
                more: More::default(),
            }
        }
    };
}

poseidon_row!(row_16, 16, hazmat::permute_16);
poseidon_row!(row_24, 24, hazmat::permute_24);

/// Ours, eight states side by side, and RustCrypto's, one.
fn keccak_row(samples: usize) -> Row {
    let start: [u64; 25] = std::array::from_fn(|i| i as u64);
    let (mut states, mut state) = ([start; 8], start);
    let peer = keccak::Keccak::new();
    hazmat::keccak_f1600(&mut states, 1);
    peer.with_f1600(|f1600| f1600(&mut state));
    assert_eq!(states[7], state, "keccak-f1600: the peer disagrees");
    let [ours, peer_value] = interleaved(
        samples,
        || {
            hazmat::keccak_f1600(black_box(&mut states), REPEATS);
            REPEATS * states.len()
        },
        || {
            peer.with_f1600(|f1600| {
                for _ in 0..REPEATS {
                    f1600(black_box(&mut state));
                }
            });
            REPEATS
        },
    );
    Row {
        operation: "keccak-f1600/permute",
        ours,
        peer: "keccak",
        peer_version: "0.2.2, one state at a time".into(),
        peer_value,
        n: None,
        profile: None,
        backend: Backend::current(),
        more: More::default(),
    }
}
