//! The memory of Python objects, seen without copying: the one file of this package that needs `unsafe`.
//!
//! `PyObject_GetBuffer` joined the stable interface in Python 3.11, and with it the layout of `Py_buffer`, which had been
//! the same since 3.3; 3.9 and 3.10 export both functions under the same names. So this file declares them itself, for the
//! one wheel that serves all of these versions.
//!
//! While a [`Buffer`] lives the object's memory stays where it is: a `bytearray` refuses to change its length, an array
//! refuses to be resized, and none of them is freed. What nobody can refuse is a *write* by another Python thread while
//! Rust reads; the rule for callers is that there is none. Nothing here or in the library trusts a value that it read
//! before: a broken rule gives a wrong answer. Where a wrong answer would betray a secret (signing), the bytes are copied
//! first: see [`Frozen`](crate::arguments::Frozen).
#![allow(unsafe_code, reason = "the memory of Python objects, without copying")]

use core::ffi::{c_char, c_int, c_void};
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;

/// `Py_buffer`.
#[repr(C)]
struct View {
    buf: *mut c_void,
    obj: *mut ffi::PyObject,
    len: isize,
    itemsize: isize,
    readonly: c_int,
    ndim: c_int,
    format: *mut c_char,
    shape: *mut isize,
    strides: *mut isize,
    suboffsets: *mut isize,
    internal: *mut c_void,
}

// SAFETY: the signatures are those of the stable interface of Python 3.11, and of 3.9 and 3.10.
unsafe extern "C" {
    fn PyObject_GetBuffer(object: *mut ffi::PyObject, view: *mut View, flags: c_int) -> c_int;
    fn PyBuffer_Release(view: *mut View);
}

const WRITABLE: c_int = 0x1;
const FORMAT: c_int = 0x4;
/// With shape and strides.
const STRIDES: c_int = 0x18;
/// With shape and strides, and without gaps.
const C_CONTIGUOUS: c_int = 0x38;

/// An integer that arrays hold.
///
/// # Safety
/// Every pattern of bits is a value, and there is no padding.
pub(crate) unsafe trait Word: Copy + Default + Send + Sync + 'static {
    /// Its name in sentences.
    const NAME: &'static str;
    /// The letters that stand for it in a buffer's format, if the size fits.
    const LETTERS: &'static [u8];
    /// From its little-endian bytes, as many as it has.
    fn from_bytes(bytes: &[u8]) -> Self;
}

/// Implements [`Word`] for integers: name, letters.
macro_rules! words {
    ($($word:ty, $name:literal, $letters:literal;)*) => {$(
        // SAFETY: an integer: it has no padding, and every pattern of bits is a value.
        unsafe impl Word for $word {
            const NAME: &'static str = $name;
            const LETTERS: &'static [u8] = $letters;

            fn from_bytes(bytes: &[u8]) -> Self {
                bytes.try_into().map_or(0, Self::from_le_bytes)
            }
        }
    )*};
}

words! {
    u8, "bytes", b"Bbc";
    u32, "uint32", b"IL";
    u64, "uint64", b"QLN";
}

/// The memory of a Python object, held in its place until this is dropped.
pub(crate) struct Buffer(Box<View>);

// SAFETY: the view is plain data; the memory is only read or written through it, and releasing attaches to the interpreter.
unsafe impl Send for Buffer {}
// SAFETY: a shared buffer only reads.
unsafe impl Sync for Buffer {}

impl Buffer {
    /// The memory of `object`, which has to be without gaps.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::with_flags(object, FORMAT | C_CONTIGUOUS)
    }

    /// The memory of `object`, which may have gaps: only [`rows`](Self::rows) and [`gathered`](Self::gathered) look at it.
    pub(crate) fn strided(object: &Bound<'_, PyAny>) -> PyResult<Strided> {
        Self::with_flags(object, FORMAT | STRIDES).map(Strided)
    }

    /// The memory of `object`, to be written to.
    pub(crate) fn writable(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::with_flags(object, FORMAT | C_CONTIGUOUS | WRITABLE)
    }

    fn with_flags(object: &Bound<'_, PyAny>, flags: c_int) -> PyResult<Self> {
        let mut view = Box::new(View {
            buf: core::ptr::null_mut(),
            obj: core::ptr::null_mut(),
            len: 0,
            itemsize: 1,
            readonly: 1,
            ndim: 0,
            format: core::ptr::null_mut(),
            shape: core::ptr::null_mut(),
            strides: core::ptr::null_mut(),
            suboffsets: core::ptr::null_mut(),
            internal: core::ptr::null_mut(),
        });
        // SAFETY: the interpreter is attached (`object` is bound), and the view has the layout that it fills.
        let status = unsafe { PyObject_GetBuffer(object.as_ptr(), &raw mut *view, flags) };
        if status == 0 {
            let buffer = Self(view);
            buffer.check_plain()?;
            return Ok(buffer);
        }
        let error = PyErr::fetch(object.py());
        let kind = object.get_type();
        let name = kind.name().map_or_else(|_| "this object".to_owned(), |name| name.to_string());
        if error.is_instance_of::<PyTypeError>(object.py()) {
            return Err(PyTypeError::new_err(format!("bytes or another buffer wanted, got {name}")));
        }
        let what = if flags & WRITABLE == 0 { "C-contiguous" } else { "writable and C-contiguous" };
        Err(PyBufferError::new_err(format!("{name} has no {what} memory: {}", error.value(object.py()))))
    }

    /// The items' format, as the module `struct` writes it.
    fn format(&self) -> &[u8] {
        if self.0.format.is_null() {
            return b"B";
        }
        // SAFETY: a format is a string that ends with a zero byte, and lives as long as the view.
        unsafe { core::ffi::CStr::from_ptr(self.0.format) }.to_bytes()
    }

    /// Refuses items that are addresses of objects, and text, which is no bytes before somebody says how.
    fn check_plain(&self) -> PyResult<()> {
        // A structure's fields have names between colons.
        let letters = || self.format().split(|&c| c == b':').step_by(2).flatten();
        if letters().any(|c| b"OPX&".contains(c)) {
            let text = "an array of Python objects holds no bytes: give the objects as a list (tolist())";
            return Err(PyTypeError::new_err(text));
        }
        if letters().any(|c| b"uw".contains(c)) {
            return Err(PyTypeError::new_err("an array of text holds no bytes: encode it first"));
        }
        Ok(())
    }

    /// Length in bytes. Views that the interpreter made have no negative one.
    pub(crate) fn len_bytes(&self) -> usize {
        usize::try_from(self.0.len).unwrap_or(0)
    }

    /// The extents, outermost first.
    pub(crate) fn shape(&self) -> Vec<usize> {
        let count = usize::try_from(self.0.ndim).unwrap_or(0);
        if self.0.shape.is_null() || count == 0 {
            return Vec::new();
        }
        // SAFETY: the exporter promises `ndim` extents behind `shape` as long as the view is held.
        let extents = unsafe { core::slice::from_raw_parts(self.0.shape, count) };
        extents.iter().map(|&extent| usize::try_from(extent).unwrap_or(0)).collect()
    }

    /// The bytes.
    pub(crate) fn bytes(&self) -> &[u8] {
        self.slice().unwrap_or(&[])
    }

    /// The memory as words of type `T`: of an array of such words, or of bytes that are as many and aligned.
    ///
    /// # Errors
    /// `TypeError` for items of another kind; `ValueError` for bytes that are no whole number of words, or not aligned.
    pub(crate) fn words<T: Word>(&self) -> PyResult<&[T]> {
        self.check::<T>()?;
        self.slice().ok_or_else(unaligned::<T>)
    }

    /// The memory of an array of unsigned integers, of any size, as words of type `T`, the lowest first.
    ///
    /// # Errors
    /// As [`words`](Self::words); integers of several bytes are little-endian memory only on such machines.
    pub(crate) fn words_of_integers<T: Word>(&self) -> PyResult<&[T]> {
        let letter = match self.format() {
            [b'@' | b'=' | b'<', letter] | [letter] => *letter,
            _ => 0,
        };
        if cfg!(target_endian = "big") || !b"HILQN".contains(&letter) {
            return self.words();
        }
        if !self.len_bytes().is_multiple_of(size_of::<T>()) {
            let (len, name) = (self.len_bytes(), T::NAME);
            return Err(PyValueError::new_err(format!("{len} bytes are no whole number of {name}")));
        }
        self.slice().ok_or_else(unaligned::<T>)
    }

    /// [`words`](Self::words) to be written to.
    pub(crate) fn words_mut<T: Word>(&mut self) -> PyResult<&mut [T]> {
        self.check::<T>()?;
        if self.0.readonly != 0 {
            return Err(PyBufferError::new_err("the memory is read-only"));
        }
        let len = self.len_bytes() / size_of::<T>();
        if len == 0 {
            return Ok(&mut []);
        }
        let start = self.0.buf.cast::<T>();
        if start.is_null() || !start.is_aligned() {
            return Err(unaligned::<T>());
        }
        // SAFETY: the exporter keeps `len` writable bytes there while the view is held, `T` takes any bits, and the view is
        // borrowed mutably; that no other thread writes is the caller's promise.
        Ok(unsafe { core::slice::from_raw_parts_mut(start, len) })
    }

    /// Copies the words of `source`, which may be the same memory.
    pub(crate) fn copy_words<T: Word>(&mut self, source: &Self) -> PyResult<()> {
        source.check::<T>()?;
        self.check::<T>()?;
        if self.0.readonly != 0 || self.len_bytes() != source.len_bytes() {
            return Err(PyValueError::new_err(format!(
                "out has {} bytes, wanted {} that can be written",
                self.len_bytes(),
                source.len_bytes()
            )));
        }
        if self.len_bytes() > 0 && self.0.buf != source.0.buf {
            // SAFETY: both views are held and have this length; `copy` allows them to overlap.
            unsafe { core::ptr::copy(source.0.buf.cast::<u8>(), self.0.buf.cast::<u8>(), self.len_bytes()) };
        }
        Ok(())
    }

    /// Whether the items are words of type `T`, or bytes.
    fn check<T: Word>(&self) -> PyResult<()> {
        let format = self.format();
        let native: &[u8] = if cfg!(target_endian = "little") { b"@=<" } else { b"@=>" };
        let letter = match format {
            [order, letter] if native.contains(order) => *letter,
            [letter] => *letter,
            _ => 0,
        };
        let size = usize::try_from(self.0.itemsize).unwrap_or(0);
        if T::LETTERS.contains(&letter) && size == size_of::<T>() {
            return Ok(());
        }
        if !(matches!(letter, b'B' | b'b' | b'c') && size == 1) {
            let format = String::from_utf8_lossy(format);
            return Err(PyTypeError::new_err(format!("items of format {format:?}, wanted {}", T::NAME)));
        }
        if !self.len_bytes().is_multiple_of(size_of::<T>()) {
            let (len, name) = (self.len_bytes(), T::NAME);
            return Err(PyValueError::new_err(format!("{len} bytes are no whole number of {name}")));
        }
        // Bytes are little-endian words.
        if cfg!(target_endian = "big") && size_of::<T>() > 1 { Err(unaligned::<T>()) } else { Ok(()) }
    }

    /// The memory as words, if it is aligned.
    fn slice<T: Word>(&self) -> Option<&[T]> {
        let len = self.len_bytes() / size_of::<T>();
        let start = self.0.buf.cast::<T>();
        if len == 0 {
            return Some(&[]);
        }
        if start.is_null() || !start.is_aligned() {
            return None;
        }
        // SAFETY: the exporter keeps the bytes there while the view is held, and `T` takes any bits; that no other thread
        // writes meanwhile is the caller's promise.
        Some(unsafe { core::slice::from_raw_parts(start, len) })
    }
}

fn unaligned<T: Word>() -> PyErr {
    PyValueError::new_err(format!("the memory is not aligned for {}", T::NAME))
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // After the interpreter's end there is nothing left to release.
        Python::try_attach(|_| {
            // SAFETY: attached, and the view was filled by `PyObject_GetBuffer` and not released before.
            unsafe { PyBuffer_Release(&raw mut *self.0) }
        });
    }
}

/// Memory that may have gaps, such as some columns of a table.
pub(crate) struct Strided(Buffer);

impl Strided {
    /// The distance in bytes from an index to the next, for every dimension; none if there are none.
    fn strides(&self) -> &[isize] {
        let view = &self.0.0;
        let count = usize::try_from(view.ndim).unwrap_or(0);
        if view.strides.is_null() || count == 0 {
            return &[];
        }
        // SAFETY: the exporter promises `ndim` strides behind `strides` as long as the view is held.
        unsafe { core::slice::from_raw_parts(view.strides, count) }
    }

    /// Bytes of one item.
    fn item_len(&self) -> usize {
        usize::try_from(self.0.0.itemsize).unwrap_or(0)
    }

    /// The bytes of each index of the first of two dimensions; `None` unless each row's own bytes lie together. Rows may lie
    /// apart, backwards or in one place.
    pub(crate) fn rows(&self) -> Option<Vec<&[u8]>> {
        let shape = self.0.shape();
        let (&[count, items], &[step, inner]) = (shape.as_slice(), self.strides()) else { return None };
        let item_len = self.item_len();
        let len = items.checked_mul(item_len)?;
        if items > 1 && usize::try_from(inner).ok() != Some(item_len) {
            return None;
        }
        if len == 0 || count == 0 {
            return Some(vec![&[]; count]);
        }
        let row = |i: usize| {
            let at = isize::try_from(i).ok()?.checked_mul(step)?;
            // SAFETY: `buf` is the place of index (0, 0), and the exporter promises that `i` strides from it, for every `i`
            // below the extent, is the place of (i, 0), after which the row's items lie without gaps, as was checked.
            Some(unsafe {
                core::slice::from_raw_parts(self.0.0.buf.cast::<u8>().cast_const().offset(at), len)
            })
        };
        (0..count).map(row).collect()
    }

    /// A copy of the words of one dimension, if they are words of type `T`.
    pub(crate) fn gathered<T: Word>(&self) -> PyResult<Option<Vec<T>>> {
        self.0.check::<T>()?;
        let shape = self.0.shape();
        let (&[count], &[step]) = (shape.as_slice(), self.strides()) else { return Ok(None) };
        if self.item_len() != size_of::<T>() {
            return Ok(None);
        }
        let word = |i: usize| {
            let at = isize::try_from(i).ok()?.checked_mul(step)?;
            // SAFETY: as for rows: the place of index `i` is `i` strides from the first, and holds an item of the size of
            // `T`, which takes any bits.
            Some(unsafe { self.0.0.buf.cast::<u8>().cast_const().offset(at).cast::<T>().read_unaligned() })
        };
        Ok((0..count).map(word).collect())
    }
}

/// Something that borrows words of a buffer, together with the buffer.
pub(crate) struct Borrowing<D> {
    /// Dropped first.
    data: D,
    _words: Box<dyn core::any::Any + Send + Sync>,
}

impl<D> Borrowing<D> {
    /// What `make` makes of the words of `owner`.
    pub(crate) fn new<O, T, E>(
        owner: O,
        words: impl FnOnce(&O) -> &[T],
        make: impl FnOnce(&'static [T]) -> Result<D, E>,
    ) -> Result<Self, E>
    where
        O: Send + Sync + 'static,
        T: Word,
    {
        let owner = Box::new(owner);
        let words: *const [T] = words(&owner);
        // SAFETY: the words are memory of a held view or of a vector, neither of which moves when its owner does; the owner
        // is kept, unchanged, until after `data` is dropped.
        let words: &'static [T] = unsafe { &*words };
        Ok(Self { data: make(words)?, _words: owner })
    }

    /// What borrows, for no longer than this lives.
    pub(crate) fn get(&self) -> &D {
        &self.data
    }
}
