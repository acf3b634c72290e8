//! What a program leaves on its disk when the power goes, or when the disk refuses.
//!
//! A test program that uses this crate has its own `open`, `write`, `pwrite`, `ftruncate`, `fsync`, `fdatasync`, `rename`,
//! `link`, `unlink` and their relatives: the linker takes them before those of the C library, for Rust's standard library
//! and for C code linked in, such as SQLite. They pass every call on to the system. Under folders that are watched
//! ([`Watch`]) they also record it, and make it fail when told to ([`Plan`]).
//!
//! From a record, [`Record::image`] builds what a disk may hold after the power went at a given instant: everything before
//! the last completed flush of its file (for names: of its folder), and of what came later any part, in pieces of 512
//! bytes, in any order, with holes of zeros, and with either size. A flush can be told to be a lie.
//!
//! No library to preload, no environment: the recorder and what it records are in one process, and several tests can run
//! beside each other, each with a folder of its own. Calls that go past the C library are not seen; memory that is mapped
//! is not either. SQLite's write-ahead log in exclusive mode needs neither.
#![cfg(target_os = "linux")]

mod hooks;
mod image;
mod record;
mod registry;
mod watch;

pub use hooks::flush_range;
pub use image::{Chance, Image, Park};
pub use record::{FileId, Op, Record};
pub use registry::{Fault, Plan};
pub use watch::Watch;

/// Errors of disks: no more room, no more room for this user, only for reading, broken.
pub use libc::{EDQUOT, EIO, ENOSPC, EROFS};
