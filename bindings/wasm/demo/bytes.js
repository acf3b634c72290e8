// Bytes as people paste them.

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const digits = (text) => text.trim().replace(/^0x/i, "").replace(/\s+/g, "");

/** The bytes of hexadecimal digits, or nothing. */
function unhex(text) {
  const all = digits(text);
  if (all.length % 2 || !/^[0-9a-f]*$/i.test(all)) return null;
  return Uint8Array.from({ length: all.length / 2 }, (_, i) => Number.parseInt(all.slice(2 * i, 2 * i + 2), 16));
}

/** The bytes of base64, or nothing. Its lines may be broken; words between spaces are words. */
function unbase64(text) {
  const all = text.trim().replace(/[ \t]*\r?\n[ \t]*/g, "").replaceAll("-", "+").replaceAll("_", "/");
  if (!/^[0-9a-z+/]+={0,2}$/i.test(all)) return null;
  try {
    return Uint8Array.from(atob(all), (c) => c.charCodeAt(0));
  } catch {
    return null;
  }
}

/** The bytes of a field. */
export function field(name, text) {
  const bytes = unhex(text) ?? unbase64(text);
  if (bytes === null) throw new Error(`${name}: neither hexadecimal nor base64`);
  return bytes;
}

/** What a pasted text may be: itself (PEM, OpenSSH, JSON), or the bytes it spells. */
export function pasted(text) {
  const spelled = [unhex(text), unbase64(text)].filter((bytes) => bytes?.length);
  return [...spelled, new TextEncoder().encode(text)];
}
