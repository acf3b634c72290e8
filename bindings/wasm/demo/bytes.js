// Bytes as people paste them.

import { fromHex, toHex } from "./phalanx/index.js";

export const hex = toHex;

const digits = (text) => text.trim().replace(/^0x/i, "").replace(/\s+/g, "");

/** The bytes of hexadecimal digits, or nothing. */
function unhex(text) {
  try {
    return fromHex(digits(text));
  } catch {
    return null;
  }
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
