//! The tour: the main job of every scheme on real input, timed, every result checked. `cargo tour` prints it, and so does
//! `phalanx tour`, which also has it as JSON.
//!
//! A scheme is a function that fills a [`Section`]; it joins by a line in [`SCHEMES`].

use std::fmt;

mod ed25519;
mod ligerito;
mod rescue;
mod section;
mod xmss;

pub use section::{Fault, Section, Step};

/// Shows one scheme.
type Tour = fn(&mut Section) -> Result<(), Fault>;

/// The schemes, in the order of the tour.
const SCHEMES: [Tour; 4] = [xmss::tour, ed25519::tour, rescue::tour, ligerito::tour];

/// Goes through all schemes; each section is made when the one before has been shown.
///
/// # Errors
/// A section ends in a [`Fault`] where a result is not what it should be. None follows it.
pub fn sections() -> impl Iterator<Item = Result<Section, Fault>> {
    let mut is_over = false;
    SCHEMES.into_iter().map_while(move |scheme| {
        if is_over {
            return None;
        }
        let mut section = Section::default();
        let result = scheme(&mut section);
        is_over = result.is_err();
        Some(result.map(|()| section))
    })
}

/// What stands above the sections: the version, and the backend in use.
pub fn title() -> String {
    format!("phalanx {}, backend {}", env!("CARGO_PKG_VERSION"), phalanx::Backend::current().name())
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.scheme)?;
        for Step { step, detail, milliseconds } in &self.steps {
            write!(f, "\n  {step:24}{milliseconds:10.3} ms  {detail}")?;
        }
        Ok(())
    }
}
