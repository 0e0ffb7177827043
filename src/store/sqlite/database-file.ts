import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { randomName } from '../../lib/runtime.ts'
import { createOwnerOnly, OWNER_ONLY_FOLDER } from '../files.ts'
import { StoreUnusable } from '../store.ts'
import { isDiskFull, RESTORE_ADVICE, toStoreError } from './errors.ts'

/**
 * Refuses a place where this user cannot have a database, in one sentence for the operator: SQLite
 * says neither which folder it was nor what it lacks.
 */
export function requireUsablePlace(path: string): void {
  const folder = dirname(resolve(path))
  const user = `the user of this process (uid ${process.getuid?.() ?? 'unknown'})`
  try {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER })
  } catch (error) {
    if (isDiskFull(error)) throw toStoreError(error)
    throw new StoreUnusable(
      `DATABASE_URL: there is no folder ${folder}, and it cannot be created (${codeOf(error)}); create it for ${user}, or name another`,
    )
  }
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false)
    throw new StoreUnusable(`DATABASE_URL: ${path} is not a file; name one, such as sqlite:${path}/incident-feed.db`)
  const { R_OK, W_OK, X_OK } = constants
  for (const [place, mode] of [
    [folder, W_OK | X_OK] as const,
    ...FILES.map((end) => [path + end, R_OK | W_OK] as const),
  ])
    try {
      if (existsSync(place)) accessSync(place, mode)
    } catch (error) {
      const code = codeOf(error)
      throw new StoreUnusable(
        code === 'EROFS'
          ? `DATABASE_URL: ${place} is on a file system that is read-only; name a folder that can be written`
          : `DATABASE_URL: ${user} may not write to ${place} (${code}); give it to that user with chown, or name another`,
      )
    }
}

/** SQLite's files, by the ends of their names. */
const FILES = ['', '-wal', '-shm']

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error)
}

/** Creates the file if it does not exist. Refuses a damaged one, without writing to it. */
export function prepareFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER })
  if (!existsSync(path)) createFile(path)
  const damage = damageOf(path)
  if (damage !== null) throw new StoreUnusable(`The database file ${damage}; ${RESTORE_ADVICE}`)
}

/**
 * Describes damage that the file's size reveals, or null. SQLite takes 0 bytes for an empty
 * database, and notices truncation only when it reads a missing page.
 */
export function damageOf(path: string): string | null {
  const file = openSync(path, 'r')
  try {
    if (fstatSync(file).size === 0) return 'is empty (0 bytes)'
    const header = readAt(file, 0, HEADER_BYTES)
    if (!MAGIC.subarray(0, header.length).equals(header.subarray(0, MAGIC.length))) return 'is not a SQLite database'
    if (header.length < HEADER_BYTES) return 'is cut off in its first hundred bytes'
    const pageSize = pageSizeOf(header)
    const pagesInFile = () => Math.floor(fstatSync(file).size / pageSize)
    if (pagesInFile() >= pagesOf(header)) return null
    // A process may be copying the log into the file, or died doing so: missing pages are in the
    // log. Read the log before the size: pages that leave the log are in the file.
    const log = readWriteAheadLog(`${path}-wal`, pageSize)
    const pages = log?.pages ?? pagesOf(header)
    let missing = 0
    for (let page = pagesInFile() + 1; page <= pages; page++) if (!log?.written.has(page)) missing++
    // Free pages may not have been written anywhere.
    return missing > (log?.freePages ?? 0) ? `is cut off: ${missing} of its ${pages} pages are missing` : null
  } finally {
    closeSync(file)
  }
}

/** Error codes of file systems without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/** Creates the file atomically: a process killed here leaves no partial file under its name. */
function createFile(path: string): void {
  if (sizeOf(`${path}-wal`) > 0) {
    throw new StoreUnusable(
      `The database file is missing, but its last writes are still in ${path}-wal; ${RESTORE_ADVICE}`,
    )
  }
  const temporary = `${path}.${randomName()}.new`
  try {
    makeEmpty(temporary)
    linkSync(temporary, path)
  } catch (error) {
    const code = codeOf(error)
    if (NO_LINKS.includes(code)) makeEmpty(path)
    // EEXIST: another process has created it first.
    else if (code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** SQLite gives the log and its index the mode of the database. */
function makeEmpty(path: string): void {
  createOwnerOnly(path)
  using connection = new DatabaseSync(path)
  connection.exec('PRAGMA journal_mode = WAL')
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

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
