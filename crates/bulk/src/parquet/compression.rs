//! Pages under compression: how many bytes come out is known before, and checked.

/// Names of compressions, by their numbers in the format.
const NAMES: [&str; 8] = ["UNCOMPRESSED", "SNAPPY", "GZIP", "LZO", "BROTLI", "LZ4", "ZSTD", "LZ4_RAW"];
const UNCOMPRESSED: i64 = 0;
const SNAPPY: i64 = 1;
const ZSTD: i64 = 6;

/// The largest window of a Zstandard frame, which its decoder sets aside: what RFC 8878 asks of every decoder.
const MAX_WINDOW_BYTES: u64 = 8 << 20;

/// Bytes that undoing a compression needs beside what goes in and comes out.
pub(super) fn memory_bytes(codec: i64) -> u64 {
    if codec == ZSTD { 2 * MAX_WINDOW_BYTES } else { 0 }
}

/// Appends the `len_bytes` bytes to `out` that `compressed` stands for.
///
/// # Errors
/// If it stands for something else.
pub(super) fn undo(codec: i64, compressed: &[u8], len_bytes: usize, out: &mut Vec<u8>) -> Result<(), String> {
    let damaged = || "a page does not decompress".to_owned();
    let start = out.len();
    match codec {
        UNCOMPRESSED if compressed.len() == len_bytes => out.extend_from_slice(compressed),
        UNCOMPRESSED => return Err("a page without compression has two lengths".to_owned()),
        SNAPPY => {
            if snap::raw::decompress_len(compressed).map_err(|_| damaged())? != len_bytes {
                return Err(damaged());
            }
            out.resize(start + len_bytes, 0);
            let done = snap::raw::Decoder::new().decompress(compressed, &mut out[start..]);
            if done != Ok(len_bytes) {
                return Err(damaged());
            }
        }
        ZSTD => {
            if window_bytes(compressed).is_none_or(|window| window > MAX_WINDOW_BYTES.max(len_bytes as u64)) {
                return Err(damaged());
            }
            out.resize(start + len_bytes, 0);
            let done = ruzstd::decoding::FrameDecoder::new().decode_all(compressed, &mut out[start..]);
            if !done.is_ok_and(|done| done == len_bytes) {
                return Err(damaged());
            }
        }
        _ => {
            let name = usize::try_from(codec).ok().and_then(|codec| NAMES.get(codec));
            let name = name.map_or_else(|| format!("number {codec}"), ToString::to_string);
            return Err(format!("compression {name} is not read: SNAPPY, ZSTD and none are"));
        }
    }
    Ok(())
}

/// What the frame says of its window (RFC 8878, section 3.1.1.1); `None` if it is no frame.
fn window_bytes(frame: &[u8]) -> Option<u64> {
    let (&descriptor, rest) = frame.strip_prefix(&0xfd2f_b528_u32.to_le_bytes())?.split_first()?;
    if descriptor & 0x20 == 0 {
        let window = *rest.first()?;
        let base = 1_u64 << (10 + (window >> 3));
        return Some(base + base / 8 * u64::from(window & 7));
    }
    // One segment: the window is the content.
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let len_size = [1, 2, 4, 8][usize::from(descriptor >> 6)];
    let mut size = [0; 8];
    size[..len_size].copy_from_slice(rest.get(dictionary..dictionary + len_size)?);
    let size = u64::from_le_bytes(size);
    Some(if len_size == 2 { size + 256 } else { size })
}
