//! The record of used positions.
