//! Sharp tools: configurations that the crate does not publish.

use super::config::{Config, Dimensions};
use alloc::vec::Vec;

/// A configuration of one's own; `None` unless there are 2 to 16 levels, every d and k is at least 1, every level's d + k is
/// the d before it, there are at most 30 variables, and every code's points lie in its field.
#[must_use]
pub fn config(levels: Vec<Dimensions>) -> Option<Config> {
    Config::unpublished(levels)
}
