//! Where lists are hashed: on the calling thread, or on Winterfell's threads.

use phalanx_rescue::Pool;

/// The calling thread.
#[cfg(not(feature = "concurrent"))]
pub(crate) const POOL: &dyn Pool = &phalanx_rescue::Inline;

/// The threads that Winterfell's feature `concurrent` uses.
#[cfg(feature = "concurrent")]
pub(crate) const POOL: &dyn Pool = &Rayon;

#[cfg(feature = "concurrent")]
struct Rayon;

#[cfg(feature = "concurrent")]
impl Pool for Rayon {
    fn run<'a>(&self, jobs: alloc::vec::Vec<phalanx_rescue::Job<'a>>) {
        use rayon::iter::{IntoParallelIterator, ParallelIterator};
        jobs.into_par_iter().for_each(|job| job());
    }

    fn threads(&self) -> usize {
        rayon::current_num_threads()
    }
}
