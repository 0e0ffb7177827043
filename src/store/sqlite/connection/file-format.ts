import { readSync } from 'node:fs'

/** Tells a complete file from a truncated one; see https://sqlite.org/fileformat2.html. */
export const MAGIC = Buffer.from('SQLite format 3\0')
export const HEADER_BYTES = 100

export function pageSizeOf(header: Buffer): number {
  const size = header.readUInt16BE(16)
  return size === 1 ? 65_536 : size
}

export function pagesOf(header: Buffer): number {
  return header.readUInt32BE(28)
}

export function freePagesOf(header: Buffer): number {
  return header.readUInt32BE(36)
}

/** Reads at most `length` bytes; fewer at the end of the file. */
export function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, position))
}
