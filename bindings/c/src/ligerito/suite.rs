//! What the two suites of Ligerito do alike with bits, bytes and several commitments: one body for both, behind the functions of the
//! header, which are written out because the header is made from them.

/// The functions of the suite whose library module is `$library`, over `$challenge`. `$point` reads a point of C, and `$acceptance`
/// gives the library's form of what a verifier accepts of a commitment, if it accepts so few variables.
macro_rules! suite {
    (
        $library:path, $challenge:ty, $element:ty, $at:ty, $point:path, $acceptance:path, $accepted:ty,
        $planes_claim:ty, $point_of:ty, $claim_of:ty
    ) => {
        use crate::ffi;
        use crate::ligerito::verify::judged;
        use crate::status::{PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH, PHALANX_ERROR_UNAVAILABLE, Status};
        use core::ffi::c_void;
        use phalanx::ligerito::ProofError;
        use $library as library;

        /// The bytes of a commitment.
        const COMMITMENT_BYTES: usize = crate::ligerito::PHALANX_LIGERITO_COMMITMENT_BYTES;

        /// Where an opening goes: values, proof, room for it, its length.
        pub(in crate::ligerito) struct Outputs {
            pub(in crate::ligerito) values: *mut $element,
            pub(in crate::ligerito) proof: *mut u8,
            pub(in crate::ligerito) proof_capacity: usize,
            pub(in crate::ligerito) proof_len: *mut usize,
        }

        impl Outputs {
            /// Writes the proof if there is room for it, and then the values.
            ///
            /// # Safety
            /// As `ffi::write_bytes` and `ffi::write_slice`.
            unsafe fn write<'a>(
                &self,
                values: impl IntoIterator<Item = &'a $challenge>,
                proof: &[u8],
            ) -> Result<(), Status> {
                // SAFETY: as the caller's.
                unsafe { ffi::write_bytes(self.proof, self.proof_capacity, self.proof_len, proof) }?;
                let values: Vec<$element> = values.into_iter().map(|&value| value.into()).collect();
                // SAFETY: as the caller's.
                unsafe { ffi::write_slice(self.values, &values) }
            }
        }

        /// The words that lie in `len` bytes of memory.
        ///
        /// # Safety
        /// As `ffi::slice`.
        pub(in crate::ligerito) unsafe fn words(
            memory: *const c_void,
            len: usize,
        ) -> Result<&'static [u32], Status> {
            if cfg!(target_endian = "big") {
                return Err(PHALANX_ERROR_UNAVAILABLE);
            }
            if !len.is_multiple_of(size_of::<u32>()) {
                return Err(PHALANX_ERROR_LIGERITO_POLYNOMIAL_LENGTH);
            }
            // SAFETY: as the caller's; every bit pattern is a word.
            unsafe { ffi::slice(memory.cast(), len / size_of::<u32>()) }
        }

        /// # Safety
        /// As `ffi::slice`, and for the coordinates of every point; as `Outputs::write`.
        pub(in crate::ligerito) unsafe fn open_planes(
            data: &library::ProverData<'_>,
            to: &Outputs,
            points: &[$at],
            context: &[u8],
            threads: u32,
        ) -> Result<(), Status> {
            let team = ffi::threads(threads);
            let mut orbits = Vec::with_capacity(points.len());
            for at in points {
                // SAFETY: as the caller's.
                let point = unsafe { $point(at) }?;
                orbits.push(data.orbit_on(&team, &point)?);
            }
            let proof = data.open_orbits_on(&team, &orbits, context)?;
            // SAFETY: as the caller's.
            unsafe { to.write(orbits.iter().flat_map(|orbit| orbit.planes()), &proof) }
        }

        /// The 32 planes from `planes` on.
        ///
        /// # Safety
        /// As `ffi::slice`.
        unsafe fn planes_at(planes: *const $element) -> Result<[$challenge; library::PLANES], Status> {
            // SAFETY: as the caller's.
            let planes: &[$element; library::PLANES] = unsafe { ffi::array(planes) }?;
            Ok(planes.map(Into::into))
        }

        /// # Safety
        /// As `ffi::slice`, for every point and its planes; as `ffi::write`.
        pub(in crate::ligerito) unsafe fn verify_planes(
            accepted: $accepted,
            place: *mut u64,
            commitment: &[u8],
            claims: &[$planes_claim],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), Status> {
            let commitment = library::Commitment::from_bytes(commitment)?;
            let mut held = Vec::with_capacity(claims.len());
            for claim in claims {
                // SAFETY: as the caller's.
                held.push(unsafe { ($point(&claim.point)?, planes_at(claim.planes)?) });
            }
            let claims: Vec<_> =
                held.iter().map(|(point, planes)| library::PlanesClaim { point, planes }).collect();
            let result = match $acceptance(accepted, &commitment) {
                Some(accepted) => library::verify_planes(&accepted, &commitment, &claims, proof, context),
                None => Err(ProofError::UnacceptedParams),
            };
            // SAFETY: as the caller's.
            unsafe { judged(place, result) }
        }

        /// # Safety
        /// As `ffi::array`.
        pub(in crate::ligerito) unsafe fn value_of_planes(
            low: &[$element],
            basis: &[$element],
            planes: *const $element,
        ) -> Result<$element, Status> {
            // SAFETY: as the caller's.
            let planes = unsafe { planes_at(planes) }?;
            let elements = |list: &[$element]| list.iter().map(|&element| element.into()).collect::<Vec<_>>();
            Ok(library::value_of_planes(&elements(low), &elements(basis), &planes)?.into())
        }

        /// What bytes are made of, as the field has it.
        pub(in crate::ligerito) fn aes_basis() -> [$element; 8] {
            library::aes_basis::<$challenge>().map(Into::into)
        }

        /// # Safety
        /// As `ffi::slice`, for the coordinates of every point; as `Outputs::write`.
        pub(in crate::ligerito) unsafe fn open_together(
            data: &[&library::ProverData<'_>],
            to: &Outputs,
            points: &[$point_of],
            context: &[u8],
            threads: u32,
        ) -> Result<(), Status> {
            let mut held = Vec::with_capacity(points.len());
            for at in points {
                // SAFETY: as the caller's.
                held.push((at.commitment, unsafe { $point(&at.point) }?));
            }
            let weights: Vec<_> =
                held.iter().map(|(number, point)| (*number, library::Weight::Point(point))).collect();
            let opening =
                library::ProverData::open_together_on(&ffi::threads(threads), data, &weights, context)?;
            // SAFETY: as the caller's.
            unsafe { to.write(&opening.values, &opening.proof) }
        }

        /// # Safety
        /// As `ffi::slice`, for every point; as `ffi::write`.
        pub(in crate::ligerito) unsafe fn verify_together(
            accepted: $accepted,
            place: *mut u64,
            commitments: &[[u8; COMMITMENT_BYTES]],
            claims: &[$claim_of],
            proof: &[u8],
            context: &[u8],
        ) -> Result<(), Status> {
            let commitments = commitments.iter().map(|bytes| library::Commitment::from_bytes(bytes));
            let commitments = commitments.collect::<Result<Vec<_>, _>>()?;
            let mut held = Vec::with_capacity(claims.len());
            for claim in claims {
                // SAFETY: as the caller's.
                let point = unsafe { $point(&claim.claim.point) }?;
                held.push((claim.commitment, point, <$challenge>::from(claim.claim.value)));
            }
            let claims: Vec<_> = held
                .iter()
                .map(|(number, point, value)| {
                    (*number, library::SumClaim::Point(library::EvaluationClaim { point, value: *value }))
                })
                .collect();
            // None if there is no commitment, too.
            let acceptances = commitments.iter().map(|commitment| $acceptance(accepted, commitment));
            let result = match acceptances.reduce(Option::and).flatten() {
                Some(accepted) => library::verify_together(&accepted, &commitments, &claims, proof, context),
                None => Err(ProofError::UnacceptedParams),
            };
            // SAFETY: as the caller's.
            unsafe { judged(place, result) }
        }
    };
}

pub(super) use suite;
