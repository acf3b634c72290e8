//! Rescue: all forms of a hash agree on every backend, and what has no answer gets an error that says so.
use phalanx_rescue::{Digest, Error, Function, Hasher, Inline, Malformed, MerkleTree, Pool};
use phalanx_testing::{Random, on_every_backend};

const P: u64 = 0xffff_ffff_0000_0001;

/// The edges of the field, of its representations, and of the products inside a reduction.
const EDGES: [u64; 13] = [
    0,
    1,
    P - 1,
    P,
    P + 1,
    u64::MAX,
    0xffff_ffff,
    1 << 32,
    1 << 48,
    1 << 52,
    1 << 63,
    0xffff_fffe_0000_0001,
    7,
];

/// Random words, with edges among them.
struct Words(Random);

impl Words {
    /// Always the same from a seed.
    fn new(seed: u64) -> Self {
        Self(Random::from_seed(seed))
    }

    fn word(&mut self) -> u64 {
        if self.0.below(3) == 0 { EDGES[self.0.below(EDGES.len())] } else { self.0.u64() }
    }

    fn list(&mut self, len: usize) -> Vec<u64> {
        (0..len).map(|_| self.word()).collect()
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        self.0.bytes(len)
    }

    fn digest(&mut self) -> Digest {
        Digest::from_elements([self.word(), self.word(), self.word(), self.word()])
    }
}

/// `work` with each function, on every backend.
fn on_backends(work: impl Fn(Function)) {
    on_every_backend(|_| Function::ALL.into_iter().for_each(&work));
}

fn pools() -> Vec<Box<dyn Pool>> {
    vec![
        Box::new(Inline),
        #[cfg(feature = "parallel")]
        Box::new(phalanx_rescue::Threads::new(3)),
    ]
}

/// Lengths of lists: around the lanes, around the states in work at a time, and a tail.
const COUNTS: [usize; 12] = [0, 1, 2, 3, 7, 8, 9, 16, 17, 63, 65, 130];

#[test]
fn lists_of_elements() {
    on_backends(|function| {
        let mut words = Words::new(1);
        for count in COUNTS {
            // Mixed lengths, with empty ones between others; and in the last list, one that outlives all.
            let mut inputs: Vec<_> =
                (0..count).map(|i| words.list([0, 1, 8, 5, 9, 16, 3, 40][i % 8])).collect();
            if count == 65 {
                inputs[20] = words.list(333);
            }
            let inputs: Vec<&[u64]> = inputs.iter().map(Vec::as_slice).collect();
            let wanted: Vec<_> = inputs.iter().map(|input| function.hash_elements(input)).collect();
            assert_eq!(function.hash_elements_many(&inputs), wanted, "{function:?}, {count}");
            for pool in pools() {
                assert_eq!(function.hash_elements_many_on(&*pool, &inputs), wanted, "{function:?}, {count}");
            }
            for (input, wanted) in inputs.iter().zip(&wanted) {
                assert_eq!(function.hash_elements_secret(input), *wanted);
                // Elements count modulo p.
                let reduced: Vec<_> = input.iter().map(|x| x % P).collect();
                assert_eq!(function.hash_elements(&reduced), *wanted);
            }
        }
    });
}

#[test]
fn lists_of_bytes() {
    on_backends(|function| {
        let mut words = Words::new(2);
        for count in COUNTS {
            let inputs: Vec<_> =
                (0..count).map(|i| words.bytes([0, 1, 7, 56, 55, 63, 6, 112, 700][i % 9])).collect();
            let inputs: Vec<&[u8]> = inputs.iter().map(Vec::as_slice).collect();
            let wanted: Vec<_> = inputs
                .iter()
                .map(|input| function.hash(input).expect("a length that has an answer"))
                .collect();
            let padded: Vec<_> = inputs.iter().map(|input| function.hash_padded(input)).collect();
            assert_eq!(function.hash_many(&inputs), Ok(wanted.clone()), "{function:?}, {count}");
            assert_eq!(function.hash_padded_many(&inputs), padded, "{function:?}, {count}");
            for pool in pools() {
                assert_eq!(function.hash_many_on(&*pool, &inputs), Ok(wanted.clone()));
                assert_eq!(function.hash_padded_many_on(&*pool, &inputs), padded);
            }
            for (i, input) in inputs.iter().enumerate() {
                assert_eq!(function.hash_secret(input), Ok(wanted[i]));
                assert_eq!(function.hash_padded_secret(input), padded[i]);
                let reads_alike = function != Function::Rp64_256 || input.len() <= 56;
                assert_eq!(wanted[i] == padded[i], reads_alike, "{function:?}, {} bytes", input.len());
            }
        }
    });
}

#[test]
fn lists_of_digests() {
    on_backends(|function| {
        let mut words = Words::new(3);
        for count in COUNTS {
            let pairs: Vec<_> = (0..count).map(|_| [words.digest(), words.digest()]).collect();
            let wanted: Vec<_> = pairs.iter().map(|[left, right]| function.merge(left, right)).collect();
            assert_eq!(function.merge_pairs(&pairs), wanted, "{function:?}, {count}");
            let (seed, values) = (words.digest(), words.list(count));
            let with_ints: Vec<_> =
                values.iter().map(|&value| function.merge_with_int(&seed, value)).collect();
            assert_eq!(function.merge_with_ints(&seed, &values), with_ints, "{function:?}, {count}");
            for pool in pools() {
                assert_eq!(function.merge_pairs_on(&*pool, &pairs), wanted);
                assert_eq!(function.merge_with_ints_on(&*pool, &seed, &values), with_ints);
            }
            for ([left, right], wanted) in pairs.iter().zip(&wanted) {
                assert_eq!(function.merge_secret(left, right), *wanted);
                let alike = function.merge_many(&[*left, *right]) == *wanted;
                assert_eq!(alike, function != Function::RpJive64_256);
            }
            let elements: Vec<_> =
                pairs.as_flattened().iter().flat_map(|digest| digest.to_elements()).collect();
            assert_eq!(function.merge_many(pairs.as_flattened()), function.hash_elements(&elements));
        }
    });
}

#[test]
fn states_on_pools() {
    on_backends(|function| {
        for count in [0, 1, 9, 2500] {
            let states = Words::new(4).list(count * function.width());
            let mut wanted = states.clone();
            function.permute(&mut wanted).expect("whole states");
            for pool in pools() {
                let mut got = states.clone();
                function.permute_on(&*pool, &mut got).expect("whole states");
                assert!(got == wanted, "{function:?}, {count}");
            }
            if count < 10 {
                let mut got = states.clone();
                function.permute_secret(&mut got).expect("whole states");
                assert!(got == wanted, "{function:?}, {count}, secret");
            }
        }
    });
    let (function, mut words) = (Function::Rp64_256, [0; 13]);
    let error = Err(Error::PartialState { got: 13, width: 12 });
    assert_eq!(function.permute(&mut words), error);
    assert_eq!(function.permute_on(&Inline, &mut words), error);
    assert_eq!(function.permute_secret(&mut words), error);
    assert_eq!(words, [0; 13]);
}

/// More than one job takes.
#[test]
fn jobs_of_pools() {
    let mut words = Words::new(7);
    let digests: Vec<_> = (0..5202).map(|_| words.digest()).collect();
    let (pairs, _) = digests.as_chunks::<2>();
    let values = words.list(2601);
    let lists: Vec<_> = (0..700).map(|i| words.list(i % 60)).collect();
    let lists: Vec<&[u64]> = lists.iter().map(Vec::as_slice).collect();
    let bytes: Vec<_> = (0..700).map(|i| words.bytes(7 * (i % 50))).collect();
    let bytes: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
    for function in Function::ALL {
        for pool in pools() {
            let pool = &*pool;
            assert!(function.merge_pairs_on(pool, pairs) == function.merge_pairs(pairs));
            let (seed, wanted) = (&digests[0], function.merge_with_ints(&digests[0], &values));
            assert!(function.merge_with_ints_on(pool, seed, &values) == wanted);
            assert!(function.hash_elements_many_on(pool, &lists) == function.hash_elements_many(&lists));
            assert!(function.hash_many_on(pool, &bytes) == function.hash_many(&bytes));
            assert!(function.hash_padded_many_on(pool, &bytes) == function.hash_padded_many(&bytes));
            let leaves = digests[..4096].to_vec();
            let tree = MerkleTree::new_on(pool, function, leaves.clone()).expect("a power of two");
            assert_eq!(tree.root(), MerkleTree::new(function, leaves).expect("a power of two").root());
        }
    }
}

// ---- bytes in pieces ----

#[test]
fn pieces_of_every_size() {
    let mut words = Words::new(5);
    for function in Function::ALL {
        for len in (0..=130).chain([560, 1001]) {
            let bytes = words.bytes(len);
            for size in [1, 3, 7, 28, 56, 57, 2000] {
                let feed = |mut hasher: Hasher| {
                    bytes.chunks(size).for_each(|piece| hasher.update(piece));
                    hasher.update(&[]);
                    hasher.finalize().expect("the length announced")
                };
                match Hasher::new(function, len as u64) {
                    Ok(hasher) => {
                        assert_eq!(function.hash(&bytes), Ok(feed(hasher)), "{function:?}, {len} by {size}")
                    }
                    Err(error) => assert_eq!(function.hash(&bytes), Err(error)),
                }
                let hasher = Hasher::new_padded(function, len as u64);
                assert_eq!(feed(hasher), function.hash_padded(&bytes), "{function:?}, {len} by {size}");
            }
        }
    }
}

#[test]
fn pieces_of_another_length() {
    for function in Function::ALL {
        for (wanted, got) in [(0, 1), (1, 0), (56, 55), (56, 57), (56, 500), (28, 27), (28, 29), (1000, 0)] {
            let mut hasher = Hasher::new_padded(function, wanted);
            for _ in 0..got {
                hasher.update(&[9]);
            }
            assert_eq!(hasher.finalize(), Err(Error::Length { got, wanted }));
        }
        let mut hasher = Hasher::new_padded(function, 10);
        hasher.update(&[1; 300]);
        hasher.update(&[1; 300]);
        assert_eq!(hasher.finalize(), Err(Error::Length { got: 600, wanted: 10 }));
    }
}

// ---- what has no answer ----

#[test]
fn undefined_lengths() {
    for len in 0..=150 {
        let bytes = vec![0xa5; len];
        for function in Function::ALL {
            let defined = function != Function::Rp64_256 || len <= 56 || len % 7 == 0;
            let error = Error::UndefinedLength { got: len };
            assert_eq!(function.hash(&bytes).err(), (!defined).then_some(error), "{function:?}, {len}");
            assert_eq!(function.hash_many(&[&[], &bytes]).err(), (!defined).then_some(error));
            assert_eq!(function.hash_many_on(&Inline, &[&bytes]).err(), (!defined).then_some(error));
            assert_eq!(function.hash_secret(&bytes).err(), (!defined).then_some(error));
            assert_eq!(Hasher::new(function, len as u64).err(), (!defined).then_some(error));
        }
    }
}

#[test]
fn domains_where_there_are_some() {
    let [left, right] = [Digest::from_elements([1; 4]), Digest::from_elements([2; 4])];
    for function in Function::ALL {
        let in_domain = |domain| function.merge_in_domain(&left, &right, domain);
        let elements = |domain| function.hash_elements_in_domain(&[1, 2], domain);
        if matches!(function, Function::Rpo256 | Function::Rpx256) {
            assert_eq!(in_domain(0), Ok(function.merge(&left, &right)));
            assert_ne!(in_domain(1), in_domain(0));
            assert_eq!(elements(0), Ok(function.hash_elements(&[1, 2])));
            assert_ne!(elements(1), elements(0));
        } else {
            assert_eq!(in_domain(0), Err(Error::NoDomain));
            assert_eq!(elements(0), Err(Error::NoDomain));
        }
    }
}

#[test]
fn digests_have_one_encoding() {
    let encode = |words: [u64; 4]| {
        let mut bytes = [0; 32];
        bytes
            .chunks_exact_mut(8)
            .zip(words)
            .for_each(|(chunk, word)| chunk.copy_from_slice(&word.to_le_bytes()));
        bytes
    };
    for at in 0..4 {
        for (word, canonical) in [(P - 1, true), (P, false), (P + 1, false), (u64::MAX, false), (0, true)] {
            let mut words = [3, 1, 4, 1];
            words[at] = word;
            let bytes = encode(words);
            let lenient = Digest::from_bytes_lenient(&bytes);
            assert_eq!(lenient, Digest::from_elements(words));
            assert_eq!(lenient.to_elements()[at], word % P);
            let strict = if canonical {
                Ok(lenient)
            } else {
                Err(Malformed { what: "digest element, below", got: word, wanted: P })
            };
            assert_eq!(Digest::from_bytes(&bytes), strict, "word {at}: {word:#x}");
            assert_eq!(Digest::try_from(bytes), strict);
            assert_eq!(hex::encode(bytes).parse(), strict);
            assert_eq!(hex::encode_upper(bytes).parse(), strict);
            if canonical {
                assert_eq!(lenient.to_bytes(), bytes);
                assert_eq!(lenient.to_string(), hex::encode(bytes));
            }
        }
    }
    for text in
        ["", "00", &"0".repeat(63), &"0".repeat(65), &format!("{}g0", "0".repeat(62)), &"é".repeat(32)]
    {
        assert!(text.parse::<Digest>().is_err(), "{text}");
    }
}

// ---- trees ----

#[test]
fn trees_open_and_verify() {
    on_backends(|function| {
        let mut words = Words::new(6);
        for log2_leaves in [0, 1, 2, 3, 5, 8] {
            let leaves: Vec<_> = (0..1usize << log2_leaves).map(|_| words.digest()).collect();
            let mut level = leaves.clone();
            while level.len() > 1 {
                level = level.chunks_exact(2).map(|pair| function.merge(&pair[0], &pair[1])).collect();
            }
            let tree = MerkleTree::new(function, leaves.clone()).expect("a power of two");
            assert_eq!((tree.root(), tree.leaves(), tree.log2_leaves()), (level[0], &*leaves, log2_leaves));
            for pool in pools() {
                let other = MerkleTree::new_on(&*pool, function, leaves.clone()).expect("a power of two");
                assert_eq!(other.root(), level[0]);
            }
            for index in [0, leaves.len() / 2, leaves.len() - 1] {
                let (leaf, path) = tree.open(index).expect("there is such a leaf");
                assert_eq!(leaf, leaves[index]);
                let verify = |depth, index, leaf: &Digest, path: &[Digest]| {
                    MerkleTree::verify(function, &tree.root(), depth, index, leaf, path)
                };
                assert_eq!(verify(log2_leaves, index, &leaf, &path), Ok(()));
                assert_eq!(verify(log2_leaves, index, &altered(leaf), &path), Err(Error::WrongRoot));
                for i in 0..path.len() {
                    let mut path = path.clone();
                    path[i] = altered(path[i]);
                    assert_eq!(verify(log2_leaves, index, &leaf, &path), Err(Error::WrongRoot));
                    assert_eq!(verify(log2_leaves, index ^ 1 << i, &leaf, &path), Err(Error::WrongRoot));
                }
                let outside = leaves.len() + index;
                assert_eq!(
                    verify(log2_leaves, outside, &leaf, &path),
                    Err(Error::LeafIndex { got: outside, leaves: leaves.len() })
                );
                // An inner node is no leaf of this tree.
                if let Some((sibling, rest)) = path.split_first() {
                    let node = if index % 2 == 1 {
                        function.merge(sibling, &leaf)
                    } else {
                        function.merge(&leaf, sibling)
                    };
                    let wanted = log2_leaves as usize;
                    assert_eq!(
                        verify(log2_leaves, index / 2, &node, rest),
                        Err(Error::PathLength { got: wanted - 1, wanted })
                    );
                    assert_eq!(verify(log2_leaves - 1, index / 2, &node, rest), Ok(()));
                }
            }
            let leaves = leaves.len();
            assert_eq!(tree.open(leaves).err(), Some(Error::LeafIndex { got: leaves, leaves }));
        }
    });
    for count in [0, 3, 5, 6, 7, 9, 1000] {
        let leaves = vec![Digest::default(); count];
        let error = Some(Error::LeafCount { got: count });
        assert_eq!(MerkleTree::new(Function::Rpo256, leaves.clone()).err(), error);
        assert_eq!(MerkleTree::new_on(&Inline, Function::Rpo256, leaves).err(), error);
    }
}

/// A path longer than any index has bits is still a path.
#[test]
fn paths_of_any_length() {
    let (function, leaf) = (Function::Rpx256, Digest::default());
    let path = vec![Digest::from_elements([1; 4]); 70];
    let root = path.iter().fold(leaf, |node, sibling| function.merge(&node, sibling));
    assert_eq!(MerkleTree::verify(function, &root, 70, 0, &leaf, &path), Ok(()));
    assert_eq!(MerkleTree::verify(function, &root, 70, 1, &leaf, &path), Err(Error::WrongRoot));
    let error = Err(Error::PathLength { got: 70, wanted: u32::MAX as usize });
    assert_eq!(MerkleTree::verify(function, &root, u32::MAX, 0, &leaf, &path), error);
}

fn altered(digest: Digest) -> Digest {
    let mut elements = digest.to_elements();
    elements[2] = (elements[2] + 1) % P;
    Digest::from_elements(elements)
}

#[test]
fn errors_say_what_was_wrong() {
    let texts = [
        (
            Error::UndefinedLength { got: 57 },
            "rescue-rp64-256 defines no hash of 57 bytes: above 56, multiples of 7 only",
        ),
        (Error::PartialState { got: 13, width: 12 }, "13 words are no whole number of states of 12"),
        (Error::NoDomain, "only rpo-256 and rpx-256 hash in a domain"),
        (Error::Length { got: 1, wanted: 2 }, "got 1 bytes, 2 were announced"),
        (Error::LeafCount { got: 3 }, "3 leaves: a tree has a power of two of them"),
        (Error::LeafIndex { got: 8, leaves: 8 }, "there is no leaf 8 in a tree of 8"),
        (Error::PathLength { got: 3, wanted: 4 }, "the path has 3 digests, wanted 4"),
        (Error::WrongRoot, "leaf and path do not lead to the root"),
    ];
    for (error, text) in texts {
        assert_eq!(error.to_string(), text);
    }
}
