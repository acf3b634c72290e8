//! The two profiles: where the definition of August 2026 and the current one differ.

/// Which definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Profile {
    /// leanVM-b of August 2026; `xmss-blake2s-a-l32-d42b8`.
    A,
    /// The current one; `xmss-blake2s-l32-d42b8`.
    B,
}

/// What a tweak labels (specification section 3). Only uses that both profiles have; those of key generation and signing
/// are in `keys.rs`.
#[derive(Clone, Copy)]
pub(super) enum Use {
    /// A chain step.
    Chain,
    /// A leaf.
    Leaf,
    /// A tree node.
    Node,
    /// The encoding of a message.
    Encoding,
}

impl Profile {
    /// The number of a type.
    pub(super) fn kind(self, of: Use) -> u8 {
        let number = match of {
            Use::Chain => 0,
            Use::Leaf => 1,
            Use::Node => 2,
            Use::Encoding => 3,
        };
        match self {
            Self::A => number,
            // Number 0 is the secret start of a chain.
            Self::B => number + 1,
        }
    }
}
