import { write } from 'node:fs'

/** What waits for a reader that hangs; further texts are dropped. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024
const RETRY_INTERVAL_MS = 100
const FULL_CODES: readonly unknown[] = ['EAGAIN', 'EBUSY']

export interface LineDestination {
  /** False if the text was dropped. */
  write(text: string): boolean
  /** Resolves once everything is written, or nobody reads any more. */
  flush(): Promise<void>
}

/**
 * Writes to a file descriptor from another thread: a reader that hangs delays no request. Not the
 * logger's own stream, which blocks, so that its last line before a crash is never lost.
 */
export class DescriptorDestination implements LineDestination {
  readonly #descriptor: number
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #isWriting = false
  #isClosed = false
  #onIdle: (() => void)[] = []

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  write(text: string): boolean {
    if (this.#isClosed || this.#waitingBytes + text.length > MAX_WAITING_BYTES) return false
    const bytes = Buffer.from(text)
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    if (!this.#isWriting) this.#writeNext()
    return true
  }

  flush(): Promise<void> {
    return this.#isWriting ? new Promise((resolve) => this.#onIdle.push(resolve)) : Promise.resolve()
  }

  #writeNext(): void {
    const next = this.#waiting.shift()
    this.#isWriting = next !== undefined
    if (next !== undefined) this.#writeBytes(next)
    else for (const resolve of this.#onIdle.splice(0)) resolve()
  }

  #writeBytes(bytes: Buffer): void {
    write(this.#descriptor, bytes, (error, written) => {
      if (error !== null && FULL_CODES.includes(error.code))
        setTimeout(() => this.#writeBytes(bytes), RETRY_INTERVAL_MS)
      else if (error !== null) this.#close()
      else if (written < bytes.length) this.#writeRest(bytes, written)
      else {
        this.#waitingBytes -= bytes.length
        this.#writeNext()
      }
    })
  }

  #writeRest(bytes: Buffer, written: number): void {
    this.#waitingBytes -= written
    this.#writeBytes(bytes.subarray(written))
  }

  /** Nobody reads the log any more, or the disk is full: the service goes on without it. */
  #close(): void {
    this.#isClosed = true
    this.#waiting = []
    this.#writeNext()
  }
}
