import { isUtf8 } from 'node:buffer'

/** A longer row is rejected, not collected: one stray quote or a file of another kind must not fill the memory. */
export const LONGEST_ROW = 1_000_000
/** How many bytes of such a row are kept to show. */
const SAMPLE = 1_000

const windows1252 = new TextDecoder('windows-1252')
const ASCII = /^[\0-\x7f]*$/

/** UTF-8, or else Windows-1252, in which every byte means something. Decided row by row: files are glued together. */
export function decode(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : windows1252.decode(bytes)
}

/** The same, from bytes that stand as the characters U+0000 to U+00FF, which keeps index and offset the same. */
export function decodeBinary(text: string): string {
  return ASCII.test(text) ? text : decode(Buffer.from(text, 'latin1'))
}

/** The beginning of a row that is too long to be kept, not cut within a character. */
export function sampleOf(bytes: Buffer): string {
  let end = Math.min(SAMPLE, bytes.length)
  while (end > SAMPLE - 4 && end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--
  return `${decode(bytes.subarray(0, end))}…`
}

export function binaryOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
