// Bytes as hexadecimal digits, and back.

/** The digits of bytes, two for each, in lower case. */
export function toHex(bytes) {
  if (!(bytes instanceof Uint8Array)) throw new TypeError("bytes is no Uint8Array");
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The bytes of an even number of digits, in either case, with `0x` before them or without. */
export function fromHex(text) {
  if (typeof text !== "string") throw new TypeError("text is no string");
  const digits = text.startsWith("0x") ? text.slice(2) : text;
  if (digits.length % 2 || !/^[0-9a-f]*$/i.test(digits)) throw new RangeError("text is no even number of hexadecimal digits");
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}
