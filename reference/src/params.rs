//! The seven parameter sets (spec section 1), as data.

/// Number of field elements in the public parameter `P`.
pub const PARAMETER_LEN: usize = 5;
/// Number of field elements in a tweak.
pub const TWEAK_LEN: usize = 2;
/// Number of field elements that encode a 32-byte message.
pub const MESSAGE_LEN: usize = 9;
/// Number of capacity words of the leaf sponge.
pub const CAPACITY: usize = 9;
/// Number of rate words of the leaf sponge.
pub const RATE: usize = 15;
/// Signing gives up after this many candidate codewords.
pub const MAX_TRIES: u64 = 100_000;

/// Which of the two generations of the scheme; decides every difference of spec section 14.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Poseidon2 and the top layers of a hypercube ("devnet 1..3").
    Poseidon2,
    /// Poseidon (version 1) and the aborting hypercube hash ("devnet 4").
    Poseidon1,
}

/// One named parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Params {
    /// The profile id of the specification and of the vector files, for example `p2-top-l8-d64b8`.
    pub profile: &'static str,
    /// The public name, for example `xmss-poseidon2-l8-d64b8`.
    pub name: &'static str,
    /// The generation.
    pub family: Family,
    /// `L`: the lifetime is `2^L` epochs. Even.
    pub log_lifetime: u8,
    /// `v`: the number of chains.
    pub chains: u8,
    /// `w`: the number of positions of a chain, numbered from 0 to `w - 1`.
    pub base: u8,
    /// `T`: the coordinates of an accepted codeword sum to this.
    pub target_sum: u16,
    /// The last hypercube layer that the message hash maps into; only the Poseidon2 family has one.
    pub last_layer: Option<usize>,
    /// `n`: the number of field elements in a digest.
    pub hash_len: usize,
    /// The number of field elements in the signing randomness.
    pub rand_len: usize,
}

impl Params {
    /// `2^L`, the number of epochs.
    pub fn lifetime(&self) -> u64 {
        1 << self.log_lifetime
    }

    /// `h = L/2`, the height of a bottom tree.
    pub fn bottom_height(&self) -> u8 {
        self.log_lifetime / 2
    }

    /// `C = 2^h`, the number of leaves of a bottom tree.
    pub fn leaves_per_bottom_tree(&self) -> u64 {
        1 << self.bottom_height()
    }
}

/// Every parameter set, in the order of the specification's table.
pub const ALL: [Params; 7] = [
    poseidon2("p2-top-l8-d64b8", "xmss-poseidon2-l8-d64b8", 8, (64, 8, 375, 77), (8, 7)),
    poseidon2("p2-top-l18-d64b8", "xmss-poseidon2-l18-d64b8", 18, (64, 8, 375, 77), (7, 6)),
    poseidon2("p2-top-l32-d64b8", "xmss-poseidon2-l32-d64b8", 32, (64, 8, 375, 77), (8, 7)),
    poseidon2("p2-top-l32-d48b10", "xmss-poseidon2-l32-d48b10", 32, (48, 10, 326, 112), (8, 7)),
    poseidon2("p2-top-l32-d32b26", "xmss-poseidon2-l32-d32b26", 32, (32, 26, 579, 231), (8, 7)),
    poseidon1("p1-abort-l32-d46b8", "xmss-poseidon1-l32-d46b8", 32, (46, 8, 200)),
    // Four chains: for tests only, no security.
    poseidon1("p1-abort-l8-d4b8-test", "xmss-poseidon1-l8-d4b8-test", 8, (4, 8, 6)),
];

/// A row of the table: `cube` is (v, w, T, last layer), `lens` is (n, `RAND_LEN`).
const fn poseidon2(
    profile: &'static str,
    name: &'static str,
    log_lifetime: u8,
    cube: (u8, u8, u16, usize),
    lens: (usize, usize),
) -> Params {
    let (chains, base, target_sum, last_layer) = cube;
    let (hash_len, rand_len) = lens;
    let last_layer = Some(last_layer);
    let family = Family::Poseidon2;
    Params { profile, name, family, log_lifetime, chains, base, target_sum, last_layer, hash_len, rand_len }
}

/// A row of the table: `cube` is (v, w, T).
const fn poseidon1(
    profile: &'static str,
    name: &'static str,
    log_lifetime: u8,
    cube: (u8, u8, u16),
) -> Params {
    let (chains, base, target_sum) = cube;
    let family = Family::Poseidon1;
    Params {
        profile,
        name,
        family,
        log_lifetime,
        chains,
        base,
        target_sum,
        last_layer: None,
        hash_len: 8,
        rand_len: 7,
    }
}

/// The parameter set with this public name or profile id.
pub fn by_name(name: &str) -> Option<&'static Params> {
    static TABLE: [Params; 7] = ALL;
    TABLE.iter().find(|params| params.name == name || params.profile == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_names_find_the_same_set() {
        for params in &ALL {
            assert_eq!(by_name(params.name), Some(params));
            assert_eq!(by_name(params.profile), Some(params));
            assert_eq!(params.log_lifetime % 2, 0);
        }
        assert_eq!(by_name("xmss-poseidon3-l8-d64b8"), None);
    }
}
