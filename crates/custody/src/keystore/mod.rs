//! Encrypted key files.
