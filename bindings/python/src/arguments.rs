//! Arguments: bytes, words, columns and threads as callers pass them.

use crate::buffer::{Buffer, Strided, Word};
use crate::errors::Raised;
use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyTuple};
use zeroize::{Zeroize, Zeroizing};

/// Bytes, not copied: `bytes`, or the memory of another buffer without gaps.
pub(crate) enum Bytes<'py> {
    /// Nobody can write to these.
    Bytes(Bound<'py, PyBytes>),
    /// Held in place.
    View(Buffer),
}

impl<'py> Bytes<'py> {
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        match object.cast::<PyBytes>() {
            Ok(bytes) => Ok(Self::Bytes(bytes.clone())),
            Err(_) => Buffer::of(object).map(Self::View),
        }
    }

    pub(crate) fn get(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes(),
            Self::View(buffer) => buffer.bytes(),
        }
    }

    /// As an array of `N` bytes, which `what` has.
    pub(crate) fn array<const N: usize>(&self, what: &'static str) -> PyResult<&[u8; N]> {
        let bytes = self.get();
        bytes.try_into().map_err(|_| wrong_length(what, bytes.len(), N))
    }

    /// UTF-8.
    pub(crate) fn text(&self) -> PyResult<&str> {
        core::str::from_utf8(self.get()).map_err(|_| PyValueError::new_err("the file is not UTF-8"))
    }
}

impl<'py> FromPyObject<'_, 'py> for Bytes<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Self::of(&object)
    }
}

/// Bytes that nobody can write to while they are used: `bytes` as they are, a copy of anything else. What is signed is
/// hashed twice, and two hashes of different messages under one nonce would give the key away.
pub(crate) enum Frozen<'py> {
    Bytes(Bound<'py, PyBytes>),
    Copied(Vec<u8>),
}

impl<'py> Frozen<'py> {
    pub(crate) fn of(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        Ok(match Bytes::of(object)? {
            Bytes::Bytes(bytes) => Self::Bytes(bytes),
            Bytes::View(buffer) => Self::Copied(buffer.bytes().to_vec()),
        })
    }

    pub(crate) fn get(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes.as_bytes(),
            Self::Copied(bytes) => bytes,
        }
    }

    pub(crate) fn array<const N: usize>(&self, what: &'static str) -> PyResult<&[u8; N]> {
        let bytes = self.get();
        bytes.try_into().map_err(|_| wrong_length(what, bytes.len(), N))
    }
}

impl<'py> FromPyObject<'_, 'py> for Frozen<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Self::of(&object)
    }
}

/// A copy of bytes that are secret, wiped when dropped. Never of text: 32 letters are no seed.
pub(crate) struct Secret(Zeroizing<Vec<u8>>);

impl Secret {
    pub(crate) fn array<const N: usize>(&self, what: &'static str) -> PyResult<Zeroizing<[u8; N]>> {
        if self.0.len() != N {
            return Err(wrong_length(what, self.0.len(), N));
        }
        let mut array = Zeroizing::new([0; N]);
        array.copy_from_slice(&self.0);
        Ok(array)
    }

    pub(crate) fn get(&self) -> &[u8] {
        &self.0
    }
}

impl FromPyObject<'_, '_> for Secret {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        Ok(Self(Zeroizing::new(Bytes::of(&object)?.get().to_vec())))
    }
}

/// A copy of a secret that is kept as text or as its bytes: a key file, a password. Wiped when dropped.
pub(crate) struct SecretText(Zeroizing<Vec<u8>>);

impl SecretText {
    pub(crate) fn get(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn text(&self) -> PyResult<&str> {
        core::str::from_utf8(&self.0).map_err(|_| PyValueError::new_err("the file is not UTF-8"))
    }
}

impl FromPyObject<'_, '_> for SecretText {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<pyo3::types::PyString>() {
            return Ok(Self(Zeroizing::new(text.to_cow()?.as_bytes().to_vec())));
        }
        Ok(Self(Zeroizing::new(Bytes::of(&object)?.get().to_vec())))
    }
}

/// A file of text: `str` or bytes.
pub(crate) struct Text(String);

impl Text {
    pub(crate) fn get(&self) -> &str {
        &self.0
    }
}

impl Drop for Text {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl FromPyObject<'_, '_> for Text {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<pyo3::types::PyString>() {
            return Ok(Self(text.to_cow()?.into_owned()));
        }
        Ok(Self(Bytes::of(&object)?.text()?.to_owned()))
    }
}

/// The error for bytes of another length than `what` has.
pub(crate) fn wrong_length(what: &'static str, got: usize, wanted: usize) -> PyErr {
    Python::attach(|py| {
        Raised::new(py, "InvalidLength", format!("{what} has {got} bytes, {wanted} wanted"))
            .with("what", what)
            .with("got", got)
            .with("wanted", wanted)
            .into()
    })
}

/// Words: of a buffer without copying, or of a sequence of integers.
pub(crate) enum Words<T: Word> {
    View(Buffer),
    Copied(Vec<T>),
}

impl<T: Word + for<'a, 'py> FromPyObject<'a, 'py>> Words<T> {
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
            let items = tuple_of(object)?;
            let word = |item: Bound<'_, PyAny>| item.extract::<T>().map_err(Into::into);
            return Ok(Self::Copied(items.iter().map(word).collect::<PyResult<_>>()?));
        }
        let buffer = match Buffer::of(object) {
            Ok(buffer) => buffer,
            // With gaps: a column of a table, say.
            Err(error) if error.is_instance_of::<PyBufferError>(object.py()) => {
                return Buffer::strided(object)?.gathered()?.map(Self::Copied).ok_or(error);
            }
            Err(error) => return Err(error),
        };
        match buffer.words::<T>() {
            Ok(_) => Ok(Self::View(buffer)),
            // Bytes that happen to begin at an odd place.
            Err(error) if buffer.len_bytes() > 0 && error.is_instance_of::<PyValueError>(object.py()) => {
                Self::copied(&buffer).ok_or(error)
            }
            Err(error) => Err(error),
        }
    }

    /// A copy of unaligned bytes; `None` if they are no whole number of words.
    fn copied(buffer: &Buffer) -> Option<Self> {
        let bytes = buffer.bytes();
        if !bytes.len().is_multiple_of(size_of::<T>()) {
            return None;
        }
        Some(Self::Copied(bytes.chunks_exact(size_of::<T>()).map(T::from_bytes).collect()))
    }

    /// The words. A view was checked when it was made.
    pub(crate) fn get(&self) -> &[T] {
        match self {
            Self::View(buffer) => buffer.words().unwrap_or(&[]),
            Self::Copied(words) => words,
        }
    }
}

/// The words of a polynomial: of an array of unsigned integers of any size, as they lie in memory, or of what words come from.
pub(crate) enum Polynomial {
    Integers(Buffer),
    Words(Words<u32>),
}

impl Polynomial {
    /// The words. A view was checked when it was made.
    pub(crate) fn get(&self) -> &[u32] {
        match self {
            Self::Integers(buffer) => buffer.words_of_integers().unwrap_or(&[]),
            Self::Words(words) => words.get(),
        }
    }
}

impl FromPyObject<'_, '_> for Polynomial {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        match Buffer::of(&object) {
            Ok(buffer) if buffer.words_of_integers::<u32>().is_ok() => Ok(Self::Integers(buffer)),
            _ => Words::of(&object).map(Self::Words),
        }
    }
}

impl<T: Word + for<'a, 'py> FromPyObject<'a, 'py>> FromPyObject<'_, '_> for Words<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        Self::of(&object)
    }
}

/// One value for each entry of a list of signatures, say: a sequence of bytes, or rows of one buffer.
pub(crate) enum Column<'py> {
    Items(Vec<Bytes<'py>>),
    Rows {
        bytes: Bytes<'py>,
        /// Extents of a buffer of more than one dimension: rows, and bytes of each.
        shape: Option<(usize, usize)>,
        /// Whether it is an array of numpy.
        is_array: bool,
    },
    /// Rows that lie apart, such as some columns of a table: of an array of numpy, which alone can be cut so.
    Apart(Strided),
}

impl<'py> Column<'py> {
    /// Whether results are wanted as an array of numpy.
    pub(crate) fn is_array(&self) -> bool {
        matches!(self, Self::Rows { is_array: true, .. } | Self::Apart(_))
    }

    /// The bytes of a buffer that does not say how long its rows are.
    pub(crate) fn flat(&self) -> Option<&[u8]> {
        match self {
            Self::Rows { bytes, shape: None, .. } => Some(bytes.get()),
            _ => None,
        }
    }

    /// The slices, `count` of them if that is known; `row_len` is the length of a row where the buffer does not tell.
    pub(crate) fn slices(&self, count: Option<usize>, row_len: Option<usize>) -> PyResult<Vec<&[u8]>> {
        let slices: Vec<&[u8]> = match self {
            Self::Items(items) => items.iter().map(Bytes::get).collect(),
            Self::Apart(strided) => strided.rows().unwrap_or_default(),
            Self::Rows { bytes, shape, .. } => {
                let bytes = bytes.get();
                let by_count =
                    || count.filter(|&n| n > 0 && bytes.len().is_multiple_of(n)).map(|n| bytes.len() / n);
                match (shape.map(|(_, row)| row).or(row_len).or_else(by_count), shape.map(|(rows, _)| rows)) {
                    (Some(0), Some(rows)) => vec![&[]; rows],
                    (Some(0), None) => vec![&[]; count.unwrap_or(0)],
                    (Some(row), _) if bytes.len().is_multiple_of(row) => bytes.chunks_exact(row).collect(),
                    (None, _) if bytes.is_empty() => Vec::new(),
                    (row, _) => {
                        let (len, row) = (bytes.len(), row.unwrap_or(0));
                        let text = format!("{len} bytes are no whole number of rows of {row}");
                        return Err(PyValueError::new_err(text));
                    }
                }
            }
        };
        match count {
            Some(wanted) if slices.len() != wanted => Err(unequal(wanted, slices.len())),
            _ => Ok(slices),
        }
    }
}

/// A result for each row: an array of numpy, or a list of bool.
pub(crate) fn answers<'py>(py: Python<'py>, is_array: bool, results: &[bool]) -> PyResult<Bound<'py, PyAny>> {
    if !is_array {
        return Ok(PyList::new(py, results)?.into_any());
    }
    let bytes: Vec<u8> = results.iter().map(|&result| result.into()).collect();
    py.import("numpy")?.call_method1("frombuffer", (PyByteArray::new(py, &bytes), "?"))
}

/// Whether `object` is an array of numpy, without importing numpy: who has one has imported it.
pub(crate) fn is_numpy_array(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let py = object.py();
    let modules = py.import("sys")?.getattr("modules")?;
    match modules.get_item("numpy") {
        Ok(numpy) => object.is_instance(&numpy.getattr("ndarray")?),
        Err(_) => Ok(false),
    }
}

/// The error for columns of unequal length.
pub(crate) fn unequal(wanted: usize, got: usize) -> PyErr {
    Python::attach(|py| {
        Raised::new(py, "LengthMismatch", format!("columns of unequal length: {wanted} and {got}"))
            .with("wanted", wanted)
            .with("got", got)
            .into()
    })
}

impl<'py> FromPyObject<'_, 'py> for Column<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
            let items = tuple_of(&object)?;
            return Ok(Self::Items(items.iter().map(|item| Bytes::of(&item)).collect::<PyResult<_>>()?));
        }
        let bytes = match Bytes::of(&object) {
            Ok(bytes) => bytes,
            Err(error) if error.is_instance_of::<PyBufferError>(object.py()) => {
                let strided = Buffer::strided(&object)?;
                return if strided.rows().is_some() { Ok(Self::Apart(strided)) } else { Err(error) };
            }
            Err(error) => return Err(error),
        };
        let shape = match &bytes {
            Bytes::Bytes(_) => None,
            Bytes::View(buffer) => match *buffer.shape() {
                [rows, _, ..] => Some((rows, buffer.len_bytes().checked_div(rows).unwrap_or(0))),
                _ => None,
            },
        };
        Ok(Self::Rows { bytes, shape, is_array: is_numpy_array(&object)? })
    }
}

/// A sequence as a tuple, which nobody can change.
pub(crate) fn tuple_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyTuple>> {
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return Ok(tuple.clone());
    }
    if let Ok(list) = object.cast::<PyList>() {
        return Ok(list.to_tuple());
    }
    let items = object.try_iter()?.collect::<PyResult<Vec<_>>>()?;
    PyTuple::new(object.py(), items)
}

/// The items of `object`, a tuple of `N`, such as a claim.
pub(crate) fn items<'py, const N: usize>(
    object: &Bound<'py, PyAny>,
    what: &str,
) -> PyResult<[Bound<'py, PyAny>; N]> {
    let tuple = tuple_of(object)?;
    let mut items = tuple.iter();
    let mut next = || items.next().ok_or(());
    let array: [Result<_, ()>; N] = core::array::from_fn(|_| next());
    if tuple.len() != N {
        return Err(PyTypeError::new_err(format!(
            "a tuple of {N} wanted: {what}; got {} items",
            tuple.len()
        )));
    }
    let mut found = Vec::with_capacity(N);
    for item in array {
        found.push(item.map_err(|()| PyTypeError::new_err("the tuple changed"))?);
    }
    found.try_into().map_err(|_| PyTypeError::new_err("the tuple changed"))
}

/// The choice called `name`.
pub(crate) fn choice<T>(
    what: &str,
    name: &str,
    from_name: impl FnOnce(&str) -> Option<T>,
    all: impl FnOnce() -> Vec<&'static str>,
) -> PyResult<T> {
    from_name(name).ok_or_else(|| {
        let known = all().join(", ");
        PyValueError::new_err(format!("there is no {what} {name:?}: known are {known}"))
    })
}

/// Calls `work` detached from the interpreter, so that other Python threads run meanwhile. A panic, which would be a fault
/// of the library, becomes `InternalError`.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    std::panic::catch_unwind(core::panic::AssertUnwindSafe(|| py.detach(work))).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        Raised::new(py, "InternalError", format!("a fault of the library, please report it: {text}")).into()
    })
}
