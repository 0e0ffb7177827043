import { BoundedCache } from '../lib/bounded-cache.ts'

/** About thirty months of eight thousand incidents each. */
const MAX_KEPT_BYTES = 32 << 20
const MAX_FILE_BYTES = 4 << 20
/** Clients read as slowly as they like: only for a few is everything gathered meanwhile. */
const MAX_GATHERED = 4

/**
 * Two files of a name with the same version have the same content: a hash, or a number that is
 * counted up.
 */
export type Version = string | number

interface KeptFile {
  readonly version: Version
  readonly parts: readonly Uint8Array[]
}

/** Files in parts, compressed. Those kept first are given up first. */
export class KeptFiles {
  readonly #kept = new BoundedCache<string, KeptFile>(MAX_KEPT_BYTES, sizeOf)
  readonly #gathered = new Set<string>()

  /** The bytes that are kept. */
  get size(): number {
    return this.#kept.size
  }

  /** Null if the file is not kept or is of another version. */
  partsOf(name: string, version: Version): readonly Uint8Array[] | null {
    const kept = this.#kept.get(name)
    return kept?.version === version ? kept.parts : null
  }

  /** Null if others are being gathered already. */
  gather(name: string, version: Version): GatheredFile | null {
    if (this.#gathered.size >= MAX_GATHERED || this.#gathered.has(name)) return null
    this.#gathered.add(name)
    return new GatheredFile(
      (parts) => this.#kept.set(name, { version, parts }),
      () => this.#gathered.delete(name),
    )
  }
}

/**
 * A file whose parts come one after the other. It is kept only if `keep` is called after the last
 * one.
 */
class GatheredFile implements Disposable {
  readonly #parts: Uint8Array[] = []
  readonly #onKeep: (parts: readonly Uint8Array[]) => void
  readonly #onEnd: () => void
  #bytes = 0

  constructor(onKeep: (parts: readonly Uint8Array[]) => void, onEnd: () => void) {
    this.#onKeep = onKeep
    this.#onEnd = onEnd
  }

  add(part: Uint8Array): void {
    this.#bytes += part.length
    // A copy: what zlib returns lies in memory that is several times as large.
    if (this.#bytes <= MAX_FILE_BYTES) this.#parts.push(new Uint8Array(part))
  }

  /** Does nothing if the file is too large. */
  keep(): void {
    if (this.#bytes <= MAX_FILE_BYTES) this.#onKeep(this.#parts)
  }

  [Symbol.dispose](): void {
    this.#onEnd()
  }
}

function sizeOf({ parts }: KeptFile): number {
  return parts.reduce((sum, part) => sum + part.length, 0)
}
