//! The functions of the C library that are stood in for. Each has the name, the arguments and the answer of its original.
#![allow(
    unsafe_code,
    reason = "functions of the C library: their arguments are pointers, and their names must be theirs"
)]

use crate::record::Op;
use crate::registry::{Folder, Handle, Kept, Verdict, of_descriptor, of_path, registry};
use libc::{c_char, c_int, c_long, c_uint, c_void, off_t, size_t, ssize_t};
use std::ffi::{CStr, OsStr};
use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Sees to it that the linker takes this file.
pub(crate) fn are_linked() {
    let functions: [*const (); 4] =
        [write as *const (), pwrite64 as *const (), fsync as *const (), open64 as *const ()];
    std::hint::black_box(functions);
}

/// Passes a call on to the system. Its answer, and `errno`, are those of the C library's function.
macro_rules! system {
    ($number:ident $(, $argument:expr)*) => {
        // SAFETY: the caller of the function that is stood in for answers for these very arguments, of this very call.
        unsafe { libc::syscall(libc::$number $(, $argument)*) }
    };
}

fn fail(error: c_int) -> c_long {
    // SAFETY: the address of this thread's `errno`, which lives as long as the thread.
    unsafe { *libc::__errno_location() = error };
    -1
}

fn int(answer: c_long) -> c_int {
    c_int::try_from(answer).expect("descriptors and errors are small")
}

fn die() -> ! {
    // SAFETY: no memory is involved.
    unsafe { libc::kill(libc::getpid(), libc::SIGKILL) };
    loop {
        std::thread::park();
    }
}

/// The path behind a pointer, if it is absolute.
fn path(pointer: *const c_char) -> Option<PathBuf> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: the caller of a function that takes a path gives it with a zero at its end.
    let bytes = unsafe { CStr::from_ptr(pointer) }.to_bytes();
    (bytes.first() == Some(&b'/')).then(|| PathBuf::from(OsStr::from_bytes(bytes)))
}

fn status(fd: c_int) -> Option<libc::stat> {
    let mut status = std::mem::MaybeUninit::<libc::stat>::uninit();
    // SAFETY: room for the answer.
    let answer = unsafe { libc::fstat(fd, status.as_mut_ptr()) };
    // SAFETY: it was filled, since the call succeeded.
    (answer == 0).then(|| unsafe { status.assume_init() })
}

fn size(fd: c_int) -> u64 {
    status(fd).map_or(0, |status| u64::try_from(status.st_size).unwrap_or(0))
}

fn exists(pointer: *const c_char) -> bool {
    system!(SYS_faccessat, libc::AT_FDCWD, pointer, libc::F_OK) == 0
}

/// Counts a call, and makes it if nothing is against that.
fn act(folder: &mut Folder, call: impl FnOnce(&mut Folder) -> c_long) -> c_long {
    match folder.count() {
        Verdict::Go => call(folder),
        Verdict::Fail(error) => fail(error),
        Verdict::Short => fail(libc::EIO),
        Verdict::Kill => die(),
    }
}

fn opening(folder: c_int, name: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    let pass = || int(system!(SYS_openat, folder, name, flags, mode));
    let Some((mut registry, id, inside)) = path(name).and_then(|path| of_path(&path)) else { return pass() };
    let is_new = flags & libc::O_CREAT != 0 && !exists(name);
    let watched = registry.folders.get_mut(&id).expect("it was found there");
    let empties = flags & libc::O_TRUNC != 0;
    let fd = if is_new || empties {
        int(act(watched, |_| system!(SYS_openat, folder, name, flags, mode)))
    } else {
        pass()
    };
    let Some(status) = (fd >= 0).then(|| status(fd)).flatten() else { return fd };
    let handle = if status.st_mode & libc::S_IFMT == libc::S_IFDIR {
        Handle::Folder(inside)
    } else {
        let file = watched.opened(status.st_ino, &inside, is_new);
        if empties && !is_new {
            watched.record.ops.push(Op::Truncate(file, 0));
        }
        Handle::File(file, inside)
    };
    registry.handles.insert(fd, (id, handle));
    fd
}

/// Stands in for `open`.
///
/// # Safety
/// As the original. It has a variable number of arguments; on Linux a third that was not given is read as anything, and the
/// system ignores it without `O_CREAT`.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn open(name: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    opening(libc::AT_FDCWD, name, flags, mode)
}

/// Stands in for `open64`.
///
/// # Safety
/// As [`open`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn open64(name: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    opening(libc::AT_FDCWD, name, flags, mode)
}

/// Stands in for `openat`.
///
/// # Safety
/// As [`open`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn openat(
    folder: c_int,
    name: *const c_char,
    flags: c_int,
    mode: c_uint,
) -> c_int {
    opening(folder, name, flags, mode)
}

/// Stands in for `openat64`.
///
/// # Safety
/// As [`open`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn openat64(
    folder: c_int,
    name: *const c_char,
    flags: c_int,
    mode: c_uint,
) -> c_int {
    opening(folder, name, flags, mode)
}

/// Stands in for `close`.
///
/// # Safety
/// As the original.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn close(fd: c_int) -> c_int {
    let registry = registry();
    if let Some(mut registry) = registry {
        registry.handles.remove(&fd);
    }
    int(system!(SYS_close, fd))
}

/// A write of `len` bytes at `offset`, or at the place that the descriptor has.
fn writing(fd: c_int, data: *const c_void, len: size_t, offset: Option<off_t>) -> ssize_t {
    let call = |len: size_t| match offset {
        None => system!(SYS_write, fd, data, len),
        Some(offset) => system!(SYS_pwrite64, fd, data, len, offset),
    };
    let answer = |answer: c_long| ssize_t::try_from(answer).expect("a long is as wide");
    let Some(mut registry) = of_descriptor(fd) else { return answer(call(len)) };
    let Some((folder, Handle::File(file, _))) = registry.handle(fd) else { return answer(call(len)) };
    // SAFETY: no memory is involved.
    let flags = unsafe { libc::fcntl(fd, libc::F_GETFL) };
    let before = size(fd);
    let start = match offset {
        _ if flags & libc::O_APPEND != 0 => before,
        Some(offset) => u64::try_from(offset).unwrap_or(0),
        // SAFETY: no memory is involved.
        None => u64::try_from(unsafe { libc::lseek(fd, 0, libc::SEEK_CUR) }).unwrap_or(0),
    };
    let verdict = folder.count();
    let len = match verdict {
        Verdict::Go => match fitting(folder, before, start, len) {
            0 if len > 0 => return answer(fail(libc::ENOSPC)),
            fitting => fitting,
        },
        Verdict::Fail(error) => return answer(fail(error)),
        Verdict::Short | Verdict::Kill => len.div_ceil(2),
    };
    let written = call(len);
    if let Ok(written) = usize::try_from(written) {
        // SAFETY: the system has just read these bytes there.
        let bytes = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), written) };
        folder.record.ops.push(Op::Write(file, start, bytes.to_vec()));
        folder.grown += size(fd).saturating_sub(before);
    }
    if matches!(verdict, Verdict::Kill) {
        die();
    }
    answer(written)
}

/// How much of a write the disk has room for.
fn fitting(folder: &Folder, before: u64, start: u64, len: size_t) -> size_t {
    let Some(space) = folder.space() else { return len };
    let last = (before + space).max(before).saturating_sub(start);
    usize::try_from(last).map_or(len, |last| last.min(len))
}

/// Stands in for `write`.
///
/// # Safety
/// As the original.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn write(fd: c_int, data: *const c_void, len: size_t) -> ssize_t {
    writing(fd, data, len, None)
}

/// Stands in for `pwrite`.
///
/// # Safety
/// As the original.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn pwrite(
    fd: c_int,
    data: *const c_void,
    len: size_t,
    offset: off_t,
) -> ssize_t {
    writing(fd, data, len, Some(offset))
}

/// Stands in for `pwrite64`.
///
/// # Safety
/// As the original.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn pwrite64(
    fd: c_int,
    data: *const c_void,
    len: size_t,
    offset: off_t,
) -> ssize_t {
    writing(fd, data, len, Some(offset))
}

fn truncating(fd: c_int, len: off_t) -> c_int {
    let call = || system!(SYS_ftruncate, fd, len);
    let Some(mut registry) = of_descriptor(fd) else { return int(call()) };
    let Some((folder, Handle::File(file, _))) = registry.handle(fd) else { return int(call()) };
    int(act(folder, |folder| {
        let before = size(fd);
        let len = u64::try_from(len).unwrap_or(0);
        if folder.space().is_some_and(|space| len > before + space) {
            return fail(libc::ENOSPC);
        }
        let answer = call();
        if answer == 0 {
            folder.record.ops.push(Op::Truncate(file, len));
            folder.grown = (folder.grown + len).saturating_sub(before);
        }
        answer
    }))
}

/// Stands in for `ftruncate`.
///
/// # Safety
/// As the original.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ftruncate(fd: c_int, len: off_t) -> c_int {
    truncating(fd, len)
}

/// Stands in for `ftruncate64`.
///
/// # Safety
/// As the original.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn ftruncate64(fd: c_int, len: off_t) -> c_int {
    truncating(fd, len)
}

fn flushing(fd: c_int, call: impl Fn() -> c_long, is_flush: bool) -> c_int {
    let Some(mut registry) = of_descriptor(fd) else { return int(call()) };
    let Some((folder, handle)) = registry.handle(fd) else { return int(call()) };
    let answer = act(folder, |_| call());
    let op = match handle {
        Handle::File(file, name) if answer == 0 => is_flush.then_some(Op::Flush(file, name)),
        Handle::Folder(name) if answer == 0 => is_flush.then_some(Op::FlushFolder(name)),
        Handle::File(file, _) => Some(Op::FailedFlush(file)),
        Handle::Folder(_) => None,
    };
    // The error number of the call is left as it is: nothing between makes a call.
    folder.record.ops.extend(op);
    int(answer)
}

/// Stands in for `fsync`.
///
/// # Safety
/// As the original.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn fsync(fd: c_int) -> c_int {
    flushing(fd, || system!(SYS_fsync, fd), true)
}

/// Stands in for `fdatasync`.
///
/// # Safety
/// As the original.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn fdatasync(fd: c_int) -> c_int {
    flushing(fd, || system!(SYS_fdatasync, fd), true)
}

/// Flushes a file as some stores do, with `sync_file_range`: its pages, but neither its size nor the cache of the disk.
///
/// # Errors
/// The system's.
pub fn flush_range(file: &File) -> io::Result<()> {
    let flags =
        libc::SYNC_FILE_RANGE_WAIT_BEFORE | libc::SYNC_FILE_RANGE_WRITE | libc::SYNC_FILE_RANGE_WAIT_AFTER;
    // SAFETY: the descriptor is open, and no memory is involved.
    let answer = unsafe { sync_file_range(file.as_raw_fd(), 0, 0, flags) };
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Stands in for `sync_file_range`, which flushes neither sizes nor the cache of the disk: after a power loss nothing that
/// it was told of need be there.
///
/// # Safety
/// As the original.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn sync_file_range(
    fd: c_int,
    offset: off_t,
    len: off_t,
    flags: c_uint,
) -> c_int {
    flushing(fd, || system!(SYS_sync_file_range, fd, offset, len, flags), false)
}

/// Keeps the file at a path, which is about to lose that name, if there is one.
fn keep(name: *const c_char) -> Option<Kept> {
    let flags = libc::O_PATH | libc::O_NOFOLLOW | libc::O_CLOEXEC;
    let fd = int(system!(SYS_openat, libc::AT_FDCWD, name, flags));
    (fd >= 0).then_some(Kept(fd))
}

impl Drop for Kept {
    fn drop(&mut self) {
        system!(SYS_close, self.0);
    }
}

/// A call that gives a file another name, or one less.
fn naming(
    from: *const c_char,
    target: *const c_char,
    call: impl Fn() -> c_long,
    op: impl FnOnce(PathBuf, PathBuf) -> Op,
) -> c_int {
    let Some((mut registry, id, inside)) = path(target).and_then(|to| of_path(&to)) else {
        return int(call());
    };
    let folder = registry.folders.get_mut(&id).expect("it was found there");
    let from = path(from).and_then(|from| from.file_name().map(PathBuf::from)).unwrap_or_default();
    let from = inside.parent().unwrap_or(Path::new("")).join(from);
    let kept = keep(target);
    int(act(folder, |folder| {
        let answer = call();
        if answer == 0 {
            folder.record.ops.push(op(from, inside));
            folder.nameless.extend(kept);
        }
        answer
    }))
}

/// Stands in for `rename`.
///
/// # Safety
/// As the original. Both names are taken to be in one folder.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn rename(from: *const c_char, to: *const c_char) -> c_int {
    let call = || system!(SYS_renameat2, libc::AT_FDCWD, from, libc::AT_FDCWD, to, 0);
    naming(from, to, call, Op::Rename)
}

/// Stands in for `link`.
///
/// # Safety
/// As [`rename`].
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn link(from: *const c_char, to: *const c_char) -> c_int {
    let call = || system!(SYS_linkat, libc::AT_FDCWD, from, libc::AT_FDCWD, to, 0);
    naming(from, to, call, Op::Link)
}

/// Stands in for `unlink`.
///
/// # Safety
/// As the original.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn unlink(name: *const c_char) -> c_int {
    let call = || system!(SYS_unlinkat, libc::AT_FDCWD, name, 0);
    naming(name, name, call, |name, _| Op::Unlink(name))
}
