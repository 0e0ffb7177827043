import { closeSync, existsSync, fstatSync, openSync } from 'node:fs'
import { freePagesOf, HEADER_BYTES, readAt } from './file-format.ts'

const LOG_HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24

/** Pages in the write-ahead log that may be missing in the database file. */
export interface WriteAheadLog {
  /** Pages of the database after the last commit in the log. */
  readonly pages: number
  readonly freePages: number
  readonly written: ReadonlySet<number>
}

/** Returns null if there is no log, or no commit in it. */
export function readWriteAheadLog(path: string, pageSize: number): WriteAheadLog | null {
  if (!existsSync(path)) return null
  const file = openSync(path, 'r')
  try {
    const salt = readAt(file, 0, LOG_HEADER_BYTES).subarray(16, 24)
    const { size } = fstatSync(file)
    const written = new Set<number>()
    let pages = 0
    let freePages = 0
    for (let at = LOG_HEADER_BYTES; at + FRAME_HEADER_BYTES + pageSize <= size; at += FRAME_HEADER_BYTES + pageSize) {
      const frame = readAt(file, at, FRAME_HEADER_BYTES)
      // The following frames are left over from before the log was last restarted.
      if (!frame.subarray(8, 16).equals(salt)) break
      const page = frame.readUInt32BE(0)
      written.add(page)
      if (page === 1) freePages = freePagesOf(readAt(file, at + FRAME_HEADER_BYTES, HEADER_BYTES))
      pages = frame.readUInt32BE(4) || pages
    }
    return pages === 0 ? null : { pages, freePages, written }
  } finally {
    closeSync(file)
  }
}
