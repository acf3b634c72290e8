//! The functions that each suite has for itself.
//!
//! Prover and verifier are generic, and private. What users call is made here, for one suite: a function that were
//! generic would take its suite from whichever argument the compiler looked at first.
#![forbid(unsafe_code)]

/// What a suite's module has beside the enumeration `Preset`: the methods of the presets, the types of commitments, and
/// the functions that commit and verify, which take nothing of any other suite.
macro_rules! suite {
    (
        $challenge:ty, $suite:expr, $sums:expr, $hashing:expr, last code $last:literal,
        commitments of $len:literal bytes, samples $samples:literal,
        $($preset:ident = $code:literal $name:literal $table:ident,)+
    ) => {
        impl Preset {
            /// Every preset.
            pub const ALL: [Self; [$($code),+].len()] = [$(Self::$preset),+];

            /// The name, as on the command line.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$preset => $name,)+
                }
            }

            /// The preset called `name`, or `None`.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|preset| preset.name() == name)
            }

            /// The number that stands for it in a commitment. No two suites have one in common.
            #[must_use]
            pub const fn code(self) -> u8 {
                match self {
                    $(Self::$preset => $code,)+
                }
            }

            /// The preset of that number, or `None`.
            #[must_use]
            pub fn from_code(code: u8) -> Option<Self> {
                Self::ALL.into_iter().find(|preset| preset.code() == code)
            }

            /// The registered shape for polynomials of 2^`variables` coefficients, or `None`: there are shapes for
            /// [`MIN_VARIABLES`](crate::MIN_VARIABLES) to [`MAX_VARIABLES`](crate::MAX_VARIABLES).
            #[must_use]
            pub fn shape(self, variables: u8) -> Option<$crate::Shape> {
                let table = match self {
                    $(Self::$preset => &$table,)+
                };
                let levels = table.get(usize::from(variables.checked_sub($crate::MIN_VARIABLES)?))?;
                Some($crate::Shape::registered::<$challenge>(variables, levels, $samples))
            }
        }

        impl $crate::preset::PresetOf for Preset {
            type Challenge = $challenge;
            type Bytes = [u8; $len];
        }

        impl $crate::preset::OfSuite for Preset {
            const SUITE: &'static str = $suite;
            const SUMS: &'static str = $sums;
            const HASHING: &'static $crate::suite::Hashing = &$hashing;
            const SAMPLES: bool = $samples;
            const LAST_CODE: u8 = $last;

            fn code(self) -> u8 {
                self.code()
            }

            fn from_code(code: u8) -> Option<Self> {
                Self::from_code(code)
            }

            fn shape(self, variables: u8) -> Option<$crate::Shape> {
                self.shape(variables)
            }
        }

        /// What is published of a polynomial: the root of its tree, with the preset and the number of variables.
        pub type Commitment = $crate::CommitmentOf<Preset>;
        /// Which commitments a verifier is ready to look at.
        pub type Accepted = $crate::AcceptedOf<Preset>;

        impl Accepted {
            /// This preset with this number of variables and nothing else.
            #[must_use]
            pub const fn exactly(preset: Preset, variables: u8) -> Self {
                Self::between(1 << preset.code(), variables, variables)
            }

            /// Any of `presets` with at most `max_variables` variables.
            #[must_use]
            pub const fn up_to(presets: &[Preset], max_variables: u8) -> Self {
                let (mut codes, mut i) = (0, 0);
                while i < presets.len() {
                    codes |= 1 << presets[i].code();
                    i += 1;
                }
                Self::between(codes, 0, max_variables)
            }
        }

        /// Commits to the polynomial whose 2^mu coefficients on the Boolean cube are `polynomial`, each an element of
        /// GF(2^32).
        ///
        /// Gives what is published and what openings are made from; the latter holds the encoded polynomial, 2^r times
        /// as long as the polynomial, and borrows the polynomial itself. Not hiding.
        ///
        /// # Errors
        /// [`Error::PolynomialLength`](crate::Error::PolynomialLength) if no shape is registered for the length;
        /// [`Error::TooLarge`](crate::Error::TooLarge) on small address spaces.
        pub fn commit(
            preset: Preset,
            polynomial: &[u32],
        ) -> Result<(Commitment, $crate::ProverData<'_, $challenge>), $crate::Error> {
            commit_on(&$crate::Inline, preset, polynomial)
        }

        /// [`commit`] on the threads of a pool. The answer is the same.
        ///
        /// # Errors
        /// As [`commit`].
        pub fn commit_on<'a>(
            pool: &dyn $crate::Pool,
            preset: Preset,
            polynomial: &'a [u32],
        ) -> Result<(Commitment, $crate::ProverData<'a, $challenge>), $crate::Error> {
            commit_watched_on(pool, preset, polynomial, &|_, _| ())
        }

        /// [`commit_on`], which calls `progress(rows done, rows in all)` from time to time, on any thread. Both count
        /// the rows of the encoded matrix; what follows the last call takes a small part of the time.
        ///
        /// # Errors
        /// As [`commit`].
        pub fn commit_watched_on<'a>(
            pool: &dyn $crate::Pool,
            preset: Preset,
            polynomial: &'a [u32],
            progress: &(dyn Fn(u64, u64) + Sync),
        ) -> Result<(Commitment, $crate::ProverData<'a, $challenge>), $crate::Error> {
            $crate::prove::commit(pool, preset, $crate::binary::gf32s(polynomial).into(), progress)
        }

        /// Commits to 2^(mu + 5) bits, bit i of integer j being bit 64 j + i: the words of 32 bits that they make are the
        /// coefficients. No bit is copied, and the commitment is that of the words.
        ///
        /// The planes at a point ([`ProverData::orbit`](crate::ProverData::orbit)) are what is opened of them, and
        /// [`value_of_planes`](crate::value_of_planes) is the value of the bits' own multilinear extension.
        ///
        /// # Errors
        /// As [`commit`], with the number of words.
        pub fn commit_bits(
            preset: Preset,
            bits: &[u64],
        ) -> Result<(Commitment, $crate::ProverData<'_, $challenge>), $crate::Error> {
            commit_bits_on(&$crate::Inline, preset, bits)
        }

        /// [`commit_bits`] on the threads of a pool. The answer is the same.
        ///
        /// # Errors
        /// As [`commit_bits`].
        pub fn commit_bits_on<'a>(
            pool: &dyn $crate::Pool,
            preset: Preset,
            bits: &'a [u64],
        ) -> Result<(Commitment, $crate::ProverData<'a, $challenge>), $crate::Error> {
            $crate::prove::commit(pool, preset, $crate::binary::words_of_bits(bits), &|_, _| ())
        }

        /// Commits to a polynomial of 2^`variables` words that need not be in memory, and is read several times: the commitment of
        /// [`commit`], of which nothing is kept to open.
        ///
        /// `read(first, words)` fills `words` with the words from number `first` on. It is asked for all words from 0 on, piece by
        /// piece and without gaps, and then again from 0: for an iterator, make a new one where `first` is 0. At most `memory`
        /// bytes are held at a time; the fewer, the more often all words are read
        /// ([`Shape::streaming_memory_bytes`](crate::Shape::streaming_memory_bytes)).
        ///
        /// # Errors
        /// [`StreamError::Read`](crate::StreamError::Read) with what `read` failed with; as [`commit`], and
        /// [`Error::StreamingMemory`](crate::Error::StreamingMemory).
        pub fn commit_streamed<R>(
            preset: Preset,
            variables: u8,
            memory: u64,
            read: impl FnMut(u64, &mut [u32]) -> Result<(), R>,
        ) -> Result<Commitment, $crate::StreamError<R>> {
            commit_streamed_on(&$crate::Inline, preset, variables, memory, read, &|_, _| ())
        }

        /// [`commit_streamed`] on the threads of a pool, with `progress` as in [`commit_watched_on`]. The answer is the same. `read`
        /// is called on the caller's thread.
        ///
        /// # Errors
        /// As [`commit_streamed`].
        pub fn commit_streamed_on<R>(
            pool: &dyn $crate::Pool,
            preset: Preset,
            variables: u8,
            memory: u64,
            mut read: impl FnMut(u64, &mut [u32]) -> Result<(), R>,
            progress: &(dyn Fn(u64, u64) + Sync),
        ) -> Result<Commitment, $crate::StreamError<R>> {
            $crate::streaming::commit(pool, preset, variables, memory, &mut read, progress)
        }

        /// Verifies that the polynomial under `commitment` has the claimed values. `context` is what the prover bound
        /// the proof to, of any length.
        ///
        /// # Errors
        /// [`ProofError`](crate::ProofError) names the first check that failed. Checks come in the order of its
        /// variants, except that a proof may be found too short wherever it ends.
        pub fn verify(
            accepted: &Accepted,
            commitment: &Commitment,
            claims: &[$crate::EvaluationClaim<'_, $challenge>],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), $crate::ProofError> {
            $crate::verify::verify(accepted, commitment, claims, proof, context)
        }

        /// Verifies that the polynomial under `commitment` has the claimed planes. The proof is one of
        /// [`ProverData::open_orbits`](crate::ProverData::open_orbits), or, in the suites `ligerito-v1`, of `open` at the 32
        /// points of each orbit.
        ///
        /// # Errors
        /// As [`verify`]; each claim counts as 32 claims, and is named by its own number.
        pub fn verify_planes(
            accepted: &Accepted,
            commitment: &Commitment,
            claims: &[$crate::PlanesClaim<'_, $challenge>],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), $crate::ProofError> {
            $crate::verify::verify_planes(accepted, commitment, claims, proof, context)
        }

        /// Verifies claims about the polynomial under `commitment`: values at points, sums weighted by tensors, planes. The
        /// proof is one of [`ProverData::open_sums`](crate::ProverData::open_sums), an opening of `ligerito-v2`.
        ///
        /// # Errors
        /// As [`verify`], and [`ProofError::ClaimBody`](crate::ProofError::ClaimBody); planes count as 32 claims.
        pub fn verify_sums(
            accepted: &Accepted,
            commitment: &Commitment,
            claims: &[$crate::SumClaim<'_, $challenge>],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), $crate::ProofError> {
            $crate::verify::verify_sums(accepted, commitment, claims, proof, context)
        }

        /// [`verify_sums`] of several commitments of one preset, in one proof of
        /// [`ProverData::open_together`](crate::ProverData::open_together): a claim and the number, in `commitments`, of the one
        /// that it is about.
        ///
        /// # Errors
        /// As [`verify_sums`], and [`ProofError::CommitmentIndex`](crate::ProofError::CommitmentIndex); commitments that have no
        /// proof together are [`UnacceptedParams`](crate::ProofError::UnacceptedParams).
        pub fn verify_together(
            accepted: &Accepted,
            commitments: &[Commitment],
            claims: &[(usize, $crate::SumClaim<'_, $challenge>)],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), $crate::ProofError> {
            $crate::verify::verify_together(accepted, commitments, claims, proof, context)
        }

        /// [`verify_together`] as a step of a larger protocol, as [`verify_sums_in`] is.
        ///
        /// # Errors
        /// As [`verify_together`], and [`ProofError::LateCommitment`](crate::ProofError::LateCommitment).
        pub fn verify_together_in<'a>(
            reader: $crate::ProofReader<'a, $challenge>,
            accepted: &Accepted,
            commitments: &[Commitment],
            claims: &[(usize, $crate::SumClaim<'_, $challenge>)],
            context: &[u8],
        ) -> Result<$crate::ProofReader<'a, $challenge>, $crate::ProofError> {
            $crate::verify::verify_together_in(reader, accepted, commitments, claims, context)
        }

        /// [`verify_sums`] as a step of a larger protocol: on the transcript of `reader`, which goes on behind it, the proof being
        /// the next part of what is read. The commitment must have been bound there before. The reader is given back only if
        /// the claims hold.
        ///
        /// # Errors
        /// As [`verify_sums`], and [`ProofError::LateCommitment`](crate::ProofError::LateCommitment).
        pub fn verify_sums_in<'a>(
            reader: $crate::ProofReader<'a, $challenge>,
            accepted: &Accepted,
            commitment: &Commitment,
            claims: &[$crate::SumClaim<'_, $challenge>],
            context: &[u8],
        ) -> Result<$crate::ProofReader<'a, $challenge>, $crate::ProofError> {
            $crate::verify::verify_sums_in(reader, accepted, commitment, claims, context)
        }

        /// [`verify_sums`] of a proof of [`ProverData::open_sums_bridged`](crate::ProverData::open_sums_bridged): `context`
        /// are 32 bytes squeezed from a transcript of another hash, which absorbs the 32 bytes that this gives.
        ///
        /// # Errors
        /// As [`verify_sums`]. Then nothing that was derived from that transcript may be used any more.
        pub fn verify_sums_bridged(
            accepted: &Accepted,
            commitment: &Commitment,
            claims: &[$crate::SumClaim<'_, $challenge>],
            proof: &[u8],
            context: &[u8; 32],
        ) -> Result<[u8; 32], $crate::ProofError> {
            $crate::verify::verify_sums_bridged(accepted, commitment, claims, proof, context)
        }
    };
}
pub(crate) use suite;
