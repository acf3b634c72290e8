//! For tests: which kernels ran on a thread.

use alloc::vec::Vec;
use core::cell::RefCell;
use phalanx_core::simd::{Backend, Isa};

std::thread_local! {
    static RAN: RefCell<Vec<Backend>> = const { RefCell::new(Vec::new()) };
}

/// Called where kernels are chosen.
pub(crate) fn record(isa: Isa) {
    RAN.with_borrow_mut(|ran| ran.push(isa.backend()));
}

/// The backends of all calls on this thread since the last question.
pub(crate) fn take() -> Vec<Backend> {
    RAN.take()
}
