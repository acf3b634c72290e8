//! Lanes.
