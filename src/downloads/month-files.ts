import { createHash } from 'node:crypto'
import type { Archive } from '../archive/archive.ts'
import type { PinnedDocuments } from '../archive/documents/document-store.ts'
import { LAYOUTS } from '../formats/layouts.ts'
import { inTimeSlices } from '../lib/async/time-slices.ts'
import type { Month } from '../lib/time/month.ts'
import { chunksOf } from './chunks.ts'

export const FILE_FORMATS = ['ndjson', 'csv', 'geojson'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

/** What a file is known by, without having it. */
export interface Digest {
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
}

/** A month as a file: its bytes stay the same, though events go on while they are read. */
export interface MonthFile extends Digest {
  chunks(): Iterable<Uint8Array>
}

export interface MonthEntry {
  readonly month: Month
  readonly incidents: number
  /** Null where it is still being worked out. */
  readonly files: Readonly<Record<FileFormat, Digest | null>>
}

interface Known {
  readonly version: number
  readonly working: Promise<Digest>
  digest: Digest | null
}

/**
 * The archive's months as files. Nothing is kept of them but sizes and hashes, each worked out when first wanted and kept until
 * an event touches its month.
 */
export class MonthFiles implements Disposable {
  readonly #archive: Archive
  readonly #known = new Map<string, Known>()
  readonly #stopping = new AbortController()
  /** One at a time: each takes a few milliseconds of every turn. */
  #queue: Promise<unknown> = Promise.resolve()
  #filling: Promise<void> | null = null

  constructor(archive: Archive) {
    this.#archive = archive
  }

  /** Null where the month has no incidents. */
  async open(month: Month, format: FileFormat): Promise<MonthFile | null> {
    const incidents = this.#archive.pinMonth(month)
    if (incidents.size === 0) return null
    const digest = await this.#know(month, format, incidents).working
    return { ...digest, chunks: () => chunksOf(incidents, LAYOUTS[format]) }
  }

  /** All months, the newest first. Waits up to so many milliseconds for what is not known yet. */
  async index(patience: number): Promise<readonly MonthEntry[]> {
    this.#filling ??= this.#fill()
    let timer: NodeJS.Timeout | undefined
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patience)
    })
    await Promise.race([this.#filling, enough])
    clearTimeout(timer)
    return this.#archive.months().map(({ month, incidents }) => ({
      month,
      incidents,
      files: {
        ndjson: this.#digest(month, 'ndjson'),
        csv: this.#digest(month, 'csv'),
        geojson: this.#digest(month, 'geojson'),
      },
    }))
  }

  [Symbol.dispose](): void {
    this.#stopping.abort()
  }

  /** Works out what is missing, one file after the other, so that a download that comes meanwhile waits for one at most. */
  async #fill(): Promise<void> {
    try {
      for (const { month } of this.#archive.months()) {
        for (const format of FILE_FORMATS) {
          if (this.#digest(month, format) !== null) continue
          await this.#know(month, format, this.#archive.pinMonth(month)).working
        }
      }
    } catch (error) {
      if (!this.#stopping.signal.aborted) throw error
    } finally {
      this.#filling = null
    }
  }

  #digest(month: Month, format: FileFormat): Digest | null {
    const known = this.#known.get(`${month} ${format}`)
    return known?.version === this.#archive.monthVersion(month) ? known.digest : null
  }

  /** `incidents` are the month's at this moment. */
  #know(month: Month, format: FileFormat, incidents: PinnedDocuments): Known {
    const name = `${month} ${format}`
    const version = this.#archive.monthVersion(month)
    const present = this.#known.get(name)
    if (present?.version === version) return present
    const working = this.#queue.then(() => digestOf(chunksOf(incidents, LAYOUTS[format]), this.#stopping.signal))
    this.#queue = working.catch(() => {})
    const known: Known = { version, working, digest: null }
    this.#known.set(name, known)
    working.then(
      (digest) => {
        known.digest = digest
      },
      () => this.#known.delete(name),
    )
    return known
  }
}

async function digestOf(chunks: Iterable<Uint8Array>, signal: AbortSignal): Promise<Digest> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of inTimeSlices(chunks)) {
    signal.throwIfAborted()
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}
