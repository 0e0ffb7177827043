import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import { SUFFIX_LENGTH } from '../../domain/identifier.ts'
import { NO_DATASET, PRECISIONS } from '../../domain/incident.ts'
import { SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import type { IndexedFields } from '../../filter/filter.ts'
import type { LogHead, MergedIncident } from '../../store/store.ts'
import { Columns } from '../columns/columns.ts'
import { OWNER_ONLY, OWNER_ONLY_FOLDER, type SavedFile, type Section, syncFolder, UnusableFiles } from './files.ts'

const MANIFEST = 'manifest'
const NEW_MANIFEST = 'manifest.new'

/**
 * A folder for the files of one archive, which this process alone uses; everything else in it is
 * deleted.
 */
export class ArchiveFolder implements Disposable {
  readonly path: string
  readonly #lock: Disposable

  private constructor(path: string, lock: Disposable) {
    this.path = path
    this.#lock = lock
  }

  /** Null while another process uses the folder. */
  static open(path: string): ArchiveFolder | null {
    mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER })
    const lock = lockFolder(path)
    return lock && new ArchiveFolder(path, lock)
  }

  has(name: string): boolean {
    return existsSync(join(this.path, name))
  }

  /** Returns null if nothing is saved. */
  async readManifest(): Promise<Manifest | null> {
    const encoded = await readFile(join(this.path, MANIFEST), 'utf8').catch(nullIfMissing)
    return encoded === null ? null : decodeManifest(encoded)
  }

  /** Replaces the list of files in one step. */
  async writeManifest(manifest: Manifest, signal: AbortSignal): Promise<void> {
    const path = join(this.path, NEW_MANIFEST)
    {
      await using handle = await open(path, 'w', OWNER_ONLY)
      await handle.writeFile(encodeManifest(manifest))
      await handle.sync()
    }
    // The names of the files must be on the disk before the list that needs them.
    await syncFolder(this.path)
    signal.throwIfAborted()
    await rename(path, join(this.path, MANIFEST))
    await syncFolder(this.path)
  }

  /** Leaves as much again: the database may need the room of this disk. */
  async requireRoom(bytes: number, left = bytes): Promise<void> {
    const { bavail, bsize } = await statfs(this.path)
    if (bavail * bsize < bytes + left)
      throw new Error(`it needs ${bytes} bytes and ${left} free ones; there are ${bavail * bsize}`)
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.path, name), { force: true })
  }

  /**
   * Keeps these files, and those of the manifest. The list of files goes first: without it, nobody
   * reads the others.
   */
  async removeFiles(kept: readonly string[], manifest: Manifest | null): Promise<void> {
    const keep = new Set([LOCK_NAME, ...kept, ...(manifest === null ? [] : [MANIFEST, ...namesIn(manifest)])])
    const names = (await readdir(this.path)).filter((name) => !keep.has(name))
    if (names.includes(MANIFEST)) await rm(join(this.path, MANIFEST))
    for (const name of names) await this.remove(name)
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]()
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}

/** The killed, injured and abducted of a slot. */
export type LargeCasualties = readonly [slot: number, number | null, number | null, number | null]

/** Names the files of a saved archive, and holds what is too small for a file of its own. */
export interface Manifest {
  /** Its link tells another database, or one that was put back, from this one. */
  readonly head: LogHead
  readonly incidents: number
  /** The file of columns and document ranges, one after the other. */
  readonly index: { readonly name: string; readonly sections: readonly Section[] }
  /** In the order in which ranges number them. */
  readonly slabs: readonly SavedFile[]
  readonly dictionaries: Readonly<Record<string, readonly string[]>>
  readonly hasFinerConfidences: boolean
  readonly largeCasualties: readonly LargeCasualties[]
  readonly retracted: readonly string[]
  readonly merged: readonly MergedIncident[]
}

function namesIn({ index, slabs }: Manifest): string[] {
  return [index.name, ...slabs.map(({ name }) => name)]
}

/** The first line is the checksum of the second. */
function encodeManifest(manifest: Manifest): string {
  const text = JSON.stringify({ layout: LAYOUT, columns: describeColumns(), ...manifest })
  return `${crc32(text)}\n${text}`
}

function decodeManifest(encoded: string): Manifest {
  const end = encoded.indexOf('\n')
  const text = encoded.slice(end + 1)
  if (end < 0 || encoded.slice(0, end) !== String(crc32(text)))
    throw new UnusableFiles('the list of files is damaged: its checksum differs')
  const { layout, columns, ...manifest } = JSON.parse(text) as Manifest & { layout: number; columns: string }
  if (layout !== LAYOUT) throw new UnusableFiles(`the files have layout ${layout}; this build reads ${LAYOUT}`)
  if (columns !== describeColumns()) throw new UnusableFiles('the files are of a build with other columns')
  return manifest
}

/**
 * Raise it when the files change, or when a migration rewrites documents in the database: files of
 * another layout are not read.
 */
export const LAYOUT = 4

const EXAMPLES: readonly IndexedFields[] = [0, 1, 2].map((number) => ({
  publishedAt: Date.UTC(2026, number),
  occurredAt: Date.UTC(2025, number, 3),
  state: `state ${number}`,
  lga: number === 0 ? null : `lga ${number}`,
  type: TYPE_NAMES[number]!,
  severity: SEVERITIES[number]!,
  confidence: 0.25 * number,
  lat: 4.56789 + 3.3 * number,
  lng: 3.21098 + 4.4 * number,
  precision: PRECISIONS[number]!,
  dataset: number === 0 ? NO_DATASET : `dataset ${number}`,
  killed: number === 0 ? null : 17 * number,
  injured: 300 * number,
  abducted: number,
}))

/**
 * Describes what the columns of this build hold, by those of three examples: another way to number,
 * to project or to pack them, or another byte order, gives another description.
 */
export function describeColumns(): string {
  const columns = new Columns()
  for (const [slot, fields] of EXAMPLES.entries()) columns.set(slot, String(slot).repeat(SUFFIX_LENGTH), fields)
  const arrays = Object.entries(columns.arrays()).map(([name, array]) => {
    const used = array.subarray(0, EXAMPLES.length * (array.length / columns.publishedAt.length))
    const bytes = new Uint8Array(used.buffer, used.byteOffset, used.byteLength)
    return `${name} ${array.BYTES_PER_ELEMENT} ${crc32(bytes).toString(16)}`
  })
  return [...arrays, TYPE_NAMES.join(), SEVERITIES.join(), PRECISIONS.join()].join('; ')
}

const LOCK_NAME = 'lock'

/**
 * Keeps other processes out of the folder; null if one is in. SQLite's lock, because Node has none:
 * the system ends it with the process, however that ends.
 */
function lockFolder(folder: string): Disposable | null {
  const path = join(folder, LOCK_NAME)
  closeSync(openSync(path, 'a', OWNER_ONLY))
  chmodSync(path, OWNER_ONLY)
  const connection = new DatabaseSync(path, { timeout: 0 })
  try {
    connection.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
  } catch (error) {
    connection.close()
    const isTaken = error instanceof Error && 'errcode' in error && error.errcode === 5
    if (isTaken) return null
    throw error
  }
  return { [Symbol.dispose]: () => connection.close() }
}
