import { closeSync, existsSync, fstatSync, openSync } from 'node:fs'
import { freePagesOf, HEADER_BYTES, readAt } from './file-format.ts'

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

/** What the write-ahead log has that may not be in the database file yet. */
export interface LogFile {
  /** How many the database has in all, as of the last commit in the log. */
  readonly pages: number
  readonly free: number
  readonly written: ReadonlySet<number>
}

/** Null where there is no log, or no commit in it. */
export function readLog(path: string, pageSize: number): LogFile | null {
  if (!existsSync(path)) return null
  const file = openSync(path, 'r')
  try {
    const salt = readAt(file, 0, LOG_HEADER_BYTES).subarray(16, 24)
    const { size } = fstatSync(file)
    const written = new Set<number>()
    let pages = 0
    let free = 0
    for (let at = LOG_HEADER_BYTES; at + FRAME_HEADER_BYTES + pageSize <= size; at += FRAME_HEADER_BYTES + pageSize) {
      const frame = readAt(file, at, FRAME_HEADER_BYTES)
      // What follows was written before the log was last begun anew.
      if (!frame.subarray(8, 16).equals(salt)) break
      const page = frame.readUInt32BE(0)
      written.add(page)
      if (page === 1) free = freePagesOf(readAt(file, at + FRAME_HEADER_BYTES, HEADER_BYTES))
      pages = frame.readUInt32BE(4) || pages
    }
    return pages === 0 ? null : { pages, free, written }
  } finally {
    closeSync(file)
  }
}
