import { isUtf8 } from 'node:buffer'

/** A longer row is rejected: a stray quote or a binary file must not exhaust the memory. */
export const MAX_ROW_BYTES = 1_000_000
const SAMPLE_BYTES = 1_000

const windows1252 = new TextDecoder('windows-1252')
const ASCII = /^[\0-\x7f]*$/

/**
 * Decodes UTF-8, or else Windows-1252, in which every byte is valid. Decided per row, because some
 * files are concatenated from different encodings.
 */
export function decode(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString() : windows1252.decode(bytes)
}

/** Decodes text whose characters U+0000 to U+00FF are bytes, so that index equals byte offset. */
export function decodeBinary(text: string): string {
  return ASCII.test(text) ? text : decode(Buffer.from(text, 'latin1'))
}

/** Returns the beginning of a row, not cut inside a character. */
export function sampleOf(bytes: Buffer): string {
  let end = Math.min(SAMPLE_BYTES, bytes.length)
  while (end > SAMPLE_BYTES - 4 && end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--
  return `${decode(bytes.subarray(0, end))}…`
}

export function binaryOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
