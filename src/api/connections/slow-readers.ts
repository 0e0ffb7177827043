import type { Socket } from 'node:net'

interface UnreadBytes {
  readonly since: number
  /** Bytes that the client had taken at that time. */
  readonly taken: number
}

/** Checks per window: a client is found slow at most this share of the window late. */
const CHECKS_PER_WINDOW = 10

/**
 * Ends connections whose clients read so slowly that they only hold memory. Node's own timeout is
 * reset by every byte, so it ends only clients that read nothing at all.
 */
export class SlowReaders implements Disposable {
  readonly #sockets: ReadonlySet<Socket>
  readonly #unread = new WeakMap<Socket, UnreadBytes>()
  readonly #windowMs: number
  readonly #leastBytes: number
  readonly #timer: NodeJS.Timeout

  constructor(sockets: ReadonlySet<Socket>, windowMs: number, leastBytes: number) {
    this.#sockets = sockets
    this.#windowMs = windowMs
    this.#leastBytes = leastBytes
    this.#timer = setInterval(() => this.#check(performance.now()), windowMs / CHECKS_PER_WINDOW).unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  #check(now: number): void {
    for (const socket of this.#sockets) {
      if (socket.writableLength === 0) {
        this.#unread.delete(socket)
        continue
      }
      const taken = takenBytes(socket)
      const before = this.#unread.get(socket)
      if (before !== undefined && now - before.since < this.#windowMs) continue
      if (before !== undefined && taken - before.taken < this.#leastBytes) socket.destroy()
      else this.#unread.set(socket, { since: now, taken })
    }
  }
}

/**
 * Bytes passed to the operating system. Node's public counters only move when a whole write is
 * finished, and one write may be a list of many megabytes.
 */
function takenBytes(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { bytesWritten: number; writeQueueSize: number } | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}
