import { randomUUID } from 'node:crypto'
import { closeSync, existsSync, fstatSync, linkSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StoreUnusable } from '../../store.ts'
import { HEADER_BYTES, MAGIC, pageSizeOf, pagesOf, readAt } from './file-format.ts'
import { readLog } from './log-file.ts'

/** For whoever finds a store damaged: what to do about it. */
export const RESTORE = 'put a backup in its place with: incident-feed restore <backup> --force'

/** Sees to it that there is a file to open, and that it is whole. Writes nothing to one that is there. */
export function prepareFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path)) create(path)
  const damage = damageOf(path)
  if (damage !== null) throw new StoreUnusable(`The database file ${damage}; ${RESTORE}`)
}

/**
 * What is wrong with a file, as far as its sizes tell; null where nothing is. SQLite itself would take a file of no bytes for
 * an empty database, and miss what is cut off only when it is next read.
 */
export function damageOf(path: string): string | null {
  const file = openSync(path, 'r')
  try {
    if (fstatSync(file).size === 0) return 'is empty, with not a byte in it'
    const header = readAt(file, 0, HEADER_BYTES)
    if (!MAGIC.subarray(0, header.length).equals(header.subarray(0, MAGIC.length))) return 'is not a SQLite database'
    if (header.length < HEADER_BYTES) return 'is cut off in its first hundred bytes'
    const pageSize = pageSizeOf(header)
    const there = () => Math.floor(fstatSync(file).size / pageSize)
    if (there() >= pagesOf(header)) return null
    // A process may be moving its log into the file, or have been killed doing so: what is missing here is then there. Looked
    // at before the size, for what one loses the other has by then.
    const log = readLog(`${path}-wal`, pageSize)
    const pages = log?.pages ?? pagesOf(header)
    let missing = 0
    for (let page = there() + 1; page <= pages; page++) if (!log?.written.has(page)) missing++
    // Pages that are free need not have been written anywhere yet.
    return missing > (log?.free ?? 0) ? `is cut off: ${missing} of its ${pages} pages are missing` : null
  } finally {
    closeSync(file)
  }
}

/** How file systems say that they have none. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']

/** Under its name all at once: a process that is killed here leaves no file behind that could pass for a damaged one. */
function create(path: string): void {
  if (sizeOf(`${path}-wal`) > 0) {
    throw new StoreUnusable(
      `The database file is gone, though what was last written is still in ${path}-wal; ${RESTORE}`,
    )
  }
  const made = `${path}.${randomUUID()}.new`
  try {
    makeEmpty(made)
    linkSync(made, path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (NO_LINKS.includes(code)) makeEmpty(path)
    // Otherwise another process was first.
    else if (code !== 'EEXIST') throw error
  } finally {
    rmSync(made, { force: true })
  }
}

function makeEmpty(path: string): void {
  using connection = new DatabaseSync(path)
  connection.exec('PRAGMA journal_mode = WAL')
}

export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}
