//! The five acceptance rules, as data.
#![forbid(unsafe_code)]

/// Which signatures are accepted at the edges where implementations of Ed25519 differ.
///
/// All want S below L and 32 + 64 bytes. Q = \[S\]B - \[k\]A, k = SHA-512(R || A || message) over the bytes as
/// received.
///
/// | profile | public key A | R | small order | equation | also in |
/// |---|---|---|---|---|---|
/// | `strict` | any encoding | bytes compared | A and R refused | Q encodes to R | dalek `verify_strict`, Firedancer |
/// | `zip215` | any encoding | any encoding | accepted | \[8\](Q - R) = O | ed25519-zebra, ed25519-consensus |
/// | `rfc8032` | canonical | canonical | accepted | \[8\](Q - R) = O | the text of RFC 8032 |
/// | `cofactorless` | any encoding | bytes compared | accepted | Q encodes to R | dalek `verify`, Go, OpenSSL |
/// | `zig-std` | y below p | y below p | A refused, \[2\]R = O and \[2\]Q = O refused | \[8\](Q - R) = O | Zig 0.15 std |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Profile {
    /// The default: no point of small order, no second encoding of R.
    #[default]
    Strict,
    /// ZIP 215: single, many and batch verification agree by design.
    Zip215,
    /// RFC 8032 with the cofactored equation and canonical encodings.
    Rfc8032,
    /// The equation without cofactor, as most libraries check it.
    Cofactorless,
    /// What the Zig standard library accepts.
    ZigStd,
}

/// One row of the table above.
pub(crate) struct Rule {
    /// y of A must be below p; x = 0 must come without a sign.
    pub(crate) a_canonical_y: bool,
    pub(crate) a_canonical_sign: bool,
    /// Whether R is decoded (and then subtracted), or only compared as bytes with the encoding of Q.
    pub(crate) decodes_r: bool,
    pub(crate) r_canonical_y: bool,
    pub(crate) r_canonical_sign: bool,
    /// \[8\]A = O is refused.
    pub(crate) refuses_weak_a: bool,
    /// \[8\]R = O is refused.
    pub(crate) refuses_weak_r: bool,
    /// \[2\]R = O and \[2\]Q = O are refused.
    pub(crate) refuses_order_2: bool,
}

impl Profile {
    /// All, the default first.
    pub const ALL: [Self; 5] = [Self::Strict, Self::Zip215, Self::Rfc8032, Self::Cofactorless, Self::ZigStd];

    /// The name, as on the command line and in vector files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Zip215 => "zip215",
            Self::Rfc8032 => "rfc8032",
            Self::Cofactorless => "cofactorless",
            Self::ZigStd => "zig-std",
        }
    }

    /// The profile called `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|profile| profile.name() == name)
    }

    /// Whether single and aggregate equations agree on every input, so that [`verify_batch`](super::verify_batch) may
    /// use one equation for many signatures.
    #[must_use]
    pub const fn is_batch_consistent(self) -> bool {
        matches!(self, Self::Zip215 | Self::Rfc8032)
    }

    /// The row of the table.
    pub(crate) const fn rule(self) -> Rule {
        let loose = Rule {
            a_canonical_y: false,
            a_canonical_sign: false,
            decodes_r: false,
            r_canonical_y: false,
            r_canonical_sign: false,
            refuses_weak_a: false,
            refuses_weak_r: false,
            refuses_order_2: false,
        };
        match self {
            Self::Cofactorless => loose,
            Self::Strict => Rule { refuses_weak_a: true, refuses_weak_r: true, ..loose },
            Self::Zip215 => Rule { decodes_r: true, ..loose },
            Self::Rfc8032 => Rule {
                decodes_r: true,
                a_canonical_y: true,
                a_canonical_sign: true,
                r_canonical_y: true,
                r_canonical_sign: true,
                ..loose
            },
            Self::ZigStd => Rule {
                decodes_r: true,
                a_canonical_y: true,
                r_canonical_y: true,
                refuses_weak_a: true,
                refuses_order_2: true,
                ..loose
            },
        }
    }
}
