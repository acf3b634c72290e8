//! What the files of instruction sets share.

/// Methods that are one intrinsic each, on the strength of the witness `self`. An instruction set's file says which
/// vector.
macro_rules! intrinsics {
    ($vector:ty: $($name:ident($($operand:ident),+) = $intrinsic:ident;)+) => {$(
        #[inline(always)]
        fn $name(self, $($operand: $vector),+) -> $vector {
            // SAFETY: `self` is the proof that this CPU has the instruction.
            unsafe { $intrinsic($($operand),+) }
        }
    )+};
}
pub(super) use intrinsics;
