import type { LineDestination } from './descriptor.ts'

/** A pipe takes up to 4,096 bytes in one piece: lines of other writers cannot fall in between. */
const MAX_BATCH_LENGTH = 4096
const FLUSH_INTERVAL_MS = 500

/** Collects lines, so that many share one write. */
export class LineBatches {
  readonly #destination: LineDestination
  readonly #onDropped: (count: number) => string
  #waiting = ''
  #lines = 0
  #dropped = 0
  #timer: NodeJS.Timeout | null = null

  /** `onDropped` writes the line that tells how many were dropped. */
  constructor(destination: LineDestination, onDropped: (count: number) => string) {
    this.#destination = destination
    this.#onDropped = onDropped
  }

  /** `line` holds ASCII only, so that its length is its bytes. */
  add(line: string): void {
    if (this.#waiting.length + line.length > MAX_BATCH_LENGTH) this.#write()
    this.#waiting += line
    this.#lines++
    this.#timer ??= setTimeout(() => this.#write(), FLUSH_INTERVAL_MS)
  }

  async flush(): Promise<void> {
    this.#write()
    await this.#destination.flush()
  }

  #write(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#dropped > 0 && this.#destination.write(this.#onDropped(this.#dropped))) this.#dropped = 0
    if (this.#waiting !== '' && !this.#destination.write(this.#waiting)) this.#dropped += this.#lines
    this.#waiting = ''
    this.#lines = 0
  }
}
