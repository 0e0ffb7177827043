import { checkText } from '../../shared/check-text.ts'

const TEXT_OID = 25
/** Dimensions, null flag, element type, number of elements, first index. */
const HEADER_BYTES = 20
const NULL = -1

/**
 * Encodes a `text[]` in binary: escaping the quotes of a JSON document for the text format takes 26
 * µs here, against 3, and the server has to unescape them.
 */
export function textArray(values: readonly (string | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? NULL : lengthOf(value)))
  const bytes = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), HEADER_BYTES)
  const buffer = Buffer.allocUnsafe(bytes)
  buffer.writeInt32BE(1, 0)
  buffer.writeInt32BE(lengths.includes(NULL) ? 1 : 0, 4)
  buffer.writeInt32BE(TEXT_OID, 8)
  buffer.writeInt32BE(values.length, 12)
  buffer.writeInt32BE(1, 16)
  let at = HEADER_BYTES
  for (const [index, value] of values.entries()) {
    at = buffer.writeInt32BE(lengths[index]!, at)
    if (value !== null) at += buffer.write(value, at)
  }
  return buffer
}

function lengthOf(value: string): number {
  checkText(value)
  return Buffer.byteLength(value)
}
