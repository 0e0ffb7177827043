import { createHash } from 'node:crypto'
import type { Archive } from '../archive/archive.ts'
import { LAYOUTS } from '../formats/layouts.ts'
import type { Month } from '../lib/calendar.ts'
import { inTimeSlices } from '../lib/concurrency.ts'
import { machine, type Runtime, within } from '../lib/runtime.ts'
import { type Chunks, chunksOf } from './chunks.ts'
import { WrittenFiles } from './month-file-cache.ts'

export const FILE_FORMATS = ['ndjson', 'csv', 'geojson'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

/** The size and hash of a file, known without keeping the file. */
export interface Digest {
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
}

/** A month as a file; later events do not change its bytes. */
export interface MonthFile extends Digest {
  /** Shares the event loop with what is done for others; `subject` is whom this is for. */
  chunks(subject: string): Chunks
}

export interface MonthEntry {
  readonly month: Month
  readonly incidents: number
  /** Null while the digest is being computed. */
  readonly files: Readonly<Record<FileFormat, Digest | null>>
}

interface CachedDigest {
  readonly version: number
  readonly computing: Promise<Digest>
  digest: Digest | null
}

/**
 * The months as files. Digests are computed on first use and kept until the month changes, and so
 * are some files.
 */
export class MonthFiles implements Disposable {
  readonly #archive: Archive
  readonly #runtime: Runtime
  readonly #digests = new Map<string, CachedDigest>()
  readonly #written = new WrittenFiles()
  readonly #stopping = new AbortController()
  /** Computes one digest at a time: each takes a few milliseconds of every event loop turn. */
  #queue: Promise<unknown> = Promise.resolve()
  #computing: Promise<void> | null = null

  constructor(archive: Archive, runtime: Runtime = machine) {
    this.#archive = archive
    this.#runtime = runtime
  }

  /** Returns null if the month has no incidents. */
  async openMonth(month: Month, format: FileFormat): Promise<MonthFile | null> {
    const incidents = this.#archive.pinMonth(month)
    if (incidents.size === 0) return null
    const version = this.#archive.monthVersion(month)
    const chunks = (subject: string, signal?: AbortSignal) => {
      const write = () => inTimeSlices(chunksOf(incidents, LAYOUTS[format]), subject, signal)
      // Stored bytes are copied sooner than decompressed.
      return LAYOUTS[format].write === null ? write() : this.#written.read(`${month} ${format}`, version, write)
    }
    const digest = await this.#digestFor(month, format, () => chunks('digests', this.#stopping.signal)).computing
    return { ...digest, chunks }
  }

  /** Lists all months, newest first. Waits up to `timeoutMs` for digests that are not known yet. */
  async listMonths(timeoutMs: number): Promise<readonly MonthEntry[]> {
    this.#computing ??= this.#computeMissing()
    await within(this.#runtime, timeoutMs, this.#computing, () => {})
    return this.#archive.months().map(({ month, incidents }) => ({
      month,
      incidents,
      files: {
        ndjson: this.#knownDigest(month, 'ndjson'),
        csv: this.#knownDigest(month, 'csv'),
        geojson: this.#knownDigest(month, 'geojson'),
      },
    }))
  }

  [Symbol.dispose](): void {
    this.#stopping.abort()
  }

  /** Computes missing digests one after the other, so that a download waits for at most one. */
  async #computeMissing(): Promise<void> {
    try {
      for (const { month } of this.#archive.months()) {
        for (const format of FILE_FORMATS) {
          if (this.#knownDigest(month, format) !== null) continue
          const incidents = this.#archive.pinMonth(month)
          const write = () => inTimeSlices(chunksOf(incidents, LAYOUTS[format]), 'digests', this.#stopping.signal)
          await this.#digestFor(month, format, write).computing
        }
      }
    } catch (error) {
      if (!this.#stopping.signal.aborted) throw error
    } finally {
      this.#computing = null
    }
  }

  #knownDigest(month: Month, format: FileFormat): Digest | null {
    const known = this.#digests.get(`${month} ${format}`)
    return known?.version === this.#archive.monthVersion(month) ? known.digest : null
  }

  /** `chunks` are those of the month at this moment. */
  #digestFor(month: Month, format: FileFormat, chunks: () => Chunks): CachedDigest {
    const name = `${month} ${format}`
    const version = this.#archive.monthVersion(month)
    const cached = this.#digests.get(name)
    if (cached?.version === version) return cached
    const computing = this.#queue.then(() => digestOf(chunks(), this.#stopping.signal))
    this.#queue = computing.catch(() => {})
    const known: CachedDigest = { version, computing, digest: null }
    this.#digests.set(name, known)
    computing.then(
      (digest) => {
        known.digest = digest
      },
      () => this.#digests.delete(name),
    )
    return known
  }
}

async function digestOf(chunks: Chunks, signal: AbortSignal): Promise<Digest> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    signal.throwIfAborted()
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
