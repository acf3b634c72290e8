//! Proofs, trees and coins are Winterfell's, byte for byte, on every backend.

#[path = "../../examples/computations/mod.rs"]
mod computations;

mod parts;
mod proofs;

use phalanx_rescue::Backend;

/// Runs `check` on every backend of this CPU.
fn on_backends(check: impl Fn()) {
    for backend in Backend::ALL {
        if backend.force(&check).is_err() {
            eprintln!("{}: not run", backend.name());
        }
    }
}
