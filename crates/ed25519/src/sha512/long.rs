//! One long message: the schedules of neighbouring blocks side by side, which do not wait for each other, and then the
//! rounds of one block after the other.

use super::kernel::{Block, ROUND_CONSTANTS, extend, sixteen, summed_round};
use phalanx_core::lanes::{Scalar, Transpose};
use phalanx_core::simd::Kernel;
use zeroize::optimization_barrier;

/// Takes blocks into `state`, as many at a time as there are lanes.
pub(super) struct CompressLong<'a, const LANES: usize> {
    pub(super) state: &'a mut [u64; 8],
    pub(super) groups: &'a [[Block; LANES]],
}

impl<L: Transpose<u64, LANES>, const LANES: usize> Kernel<L> for CompressLong<'_, LANES> {
    type Output = ();

    #[inline(always)]
    fn run(self, lanes: L) {
        // W and K of every round and block, added. They are more than what the caller wipes of the stack.
        let mut sums = [[0; LANES]; 80];
        for group in self.groups {
            let mut w = words(lanes, &group.each_ref());
            let (turns, _) = ROUND_CONSTANTS.as_chunks::<16>();
            let mut turn = 0;
            while turn < 5 {
                sixteen!(T => {
                    let sum = lanes.add(w[T], lanes.splat(turns[turn][T]));
                    lanes.store(&mut sums[16 * turn + T], sum);
                    extend::<L, T>(lanes, &mut w);
                });
                turn += 1;
            }
            for lane in 0..LANES {
                let mut s = *self.state;
                for sums in sums.as_chunks::<16>().0 {
                    sixteen!(T => summed_round::<Scalar, T>(Scalar, &mut s, sums[T][lane]));
                }
                for (state, word) in self.state.iter_mut().zip(s) {
                    *state = state.wrapping_add(word);
                }
            }
        }
        sums = [[0; LANES]; 80];
        optimization_barrier(&sums);
    }
}

/// The words of `blocks[lane]`: `words[i]` has word i of every lane.
#[inline(always)]
pub(super) fn words<L: Transpose<u64, LANES>, const LANES: usize>(
    lanes: L,
    blocks: &[&Block; LANES],
) -> [L::Vector; 16] {
    let mut w = [lanes.splat(0); 16];
    let mut part = 0;
    while part < 16 / LANES {
        let mut rows = [lanes.splat(0); LANES];
        let mut lane = 0;
        while lane < LANES {
            rows[lane] = lanes.swap_bytes(lanes.load_bytes(&blocks[lane][8 * LANES * part..]));
            lane += 1;
        }
        w[LANES * part..][..LANES].copy_from_slice(&lanes.transpose(rows));
        part += 1;
    }
    w
}
