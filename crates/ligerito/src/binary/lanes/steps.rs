//! Operations as functions, each compiled once for the lanes' instruction set.
//!
//! What is inlined always goes into its caller as it was written: calls of single instructions whose operands lie in
//! memory. For the compiler a kernel would be all operations of all its steps, to be cleared up in every place where
//! they are used. As functions that are compiled for their instructions they are cleared up once, and inlined short.

/// Methods that are functions of the lanes and the operands, compiled for target features of which the lanes are the
/// proof.
macro_rules! steps {
    (
        $lanes:ty, $features:literal:
        $($name:ident($($operand:ident: $type:ty),*) -> $result:ty = $function:path;)*
    ) => {
        $(
            #[inline(always)]
            fn $name(self, $($operand: $type),*) -> $result {
                #[inline]
                #[target_feature(enable = $features)]
                fn step(lanes: $lanes, $($operand: $type),*) -> $result {
                    $function(lanes, $($operand),*)
                }
                // SAFETY: `self` is the proof that this CPU has these features.
                unsafe { step(self, $($operand),*) }
            }
        )*
    };
}

pub(super) use steps;
