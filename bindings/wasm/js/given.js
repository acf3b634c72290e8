// What callers give, checked: only arrays, numbers and texts reach the modules.

export function bytes(name, value) {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new TypeError(`${name} is no Uint8Array`);
}

export function text(name, value) {
  if (typeof value === "string") return value;
  throw new TypeError(`${name} is no string`);
}

export function array(name, type, value) {
  if (value instanceof type) return value;
  throw new TypeError(`${name} is no ${type.name}`);
}

export function list(name, value) {
  if (Array.isArray(value)) return value;
  throw new TypeError(`${name} is no array`);
}

export function object(name, value) {
  if (value !== null && typeof value === "object") return value;
  throw new TypeError(`${name} is no object`);
}

export function integer(name, value, limit) {
  if (Number.isInteger(value) && value >= 0 && value < limit) return value;
  throw new RangeError(`${name} is no integer from 0 to ${limit - 1}`);
}

/** Arrays, one behind the other. */
export function joined(parts, Type = Uint8Array) {
  const out = new Type(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => (out.set(part, at), at + part.length), 0);
  return out;
}
