import * as crypto from 'node:crypto'
import type { Random } from './random.ts'

/** A timer that was set, to be cleared by the runtime that set it. */
export type Timer = object

/** Time as a node meets it: the machine's, or that of a simulation. */
export interface Runtime {
  /** The wall clock, which may be set: milliseconds since 1970. */
  readonly wallClock: () => number
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number
  setTimeout(call: () => void, ms: number): Timer
  /** Does not keep the process alive. */
  setInterval(call: () => void, ms: number): Timer
  clear(timer: Timer | null | undefined): void
}

export const machine: Runtime = {
  wallClock: Date.now,
  elapsed: () => performance.now(),
  setTimeout: (call, ms) => setTimeout(call, ms),
  setInterval: (call, ms) => setInterval(call, ms).unref(),
  clear: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
}

/** Rejects with the signal's reason if it is aborted before. */
export async function sleep({ setTimeout, clear }: Runtime, ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const ended = Promise.withResolvers<void>()
  const timer = setTimeout(ended.resolve, ms)
  const abort = () => ended.reject(signal!.reason as Error)
  signal?.addEventListener('abort', abort)
  try {
    await ended.promise
  } finally {
    signal?.removeEventListener('abort', abort)
    clear(timer)
  }
}

/** The next turn of the event loop: requests and answers that wait are handled before. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** The result of `work`, which goes on, or `otherwise` if it takes longer. */
export async function within<Value, Other>(
  { setTimeout, clear }: Runtime,
  ms: number,
  work: Promise<Value>,
  otherwise: () => Other,
): Promise<Value | Other> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(late.resolve, ms)
  try {
    return await Promise.race([work, late.promise.then(otherwise)])
  } finally {
    clear(timer)
  }
}

/** A signal that is aborted after some time, unless it is disposed of before. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal
}

export function deadlineIn({ setTimeout, clear }: Runtime, ms: number): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException(`${ms} ms have passed`, 'TimeoutError')), ms)
  return { signal: controller.signal, [Symbol.dispose]: () => clear(timer) }
}

type ClockSources = Pick<Runtime, 'wallClock' | 'elapsed'>

/** Differences up to this are left alone: clocks that are set by NTP differ by far less. */
const TOLERANCE_MS = 5_000

/**
 * A wall clock that agrees with a reference: while the machine's clock differs from it by more than
 * the tolerance, the reference counts, carried on by the monotonic clock.
 */
export class SynchronizedClock {
  readonly #sources: ClockSources
  #reference: { readonly time: number; readonly elapsed: number } | null = null

  constructor(sources: ClockSources) {
    this.#sources = sources
  }

  readonly now = (): number => this.#correct(this.#sources.wallClock())

  /** Milliseconds by which the machine's clock is ahead of the one that counts; 0 if they agree. */
  get correctedBy(): number {
    // Read once: between two readings a millisecond may pass, which is no difference.
    const own = this.#sources.wallClock()
    return own - this.#correct(own)
  }

  /** Reads the reference. A reading that took too long says nothing, and is ignored. */
  async synchronize(readReference: () => Promise<number>): Promise<void> {
    const before = this.#sources.elapsed()
    const time = await readReference()
    const took = this.#sources.elapsed() - before
    if (took <= TOLERANCE_MS) this.#reference = { time, elapsed: before + took / 2 }
  }

  #correct(own: number): number {
    if (this.#reference === null) return own
    const expected = this.#reference.time + this.#sources.elapsed() - this.#reference.elapsed
    return Math.abs(own - expected) <= TOLERANCE_MS ? own : Math.round(expected)
  }
}

/** A clock that is ahead for an hour makes nothing look older by more than a day. */
const MOST_AGING = 24

/**
 * Tells how old things are, for whatever is deleted or given up because of its age. It follows a
 * clock that goes on, and one that is set back; if the clock jumps ahead, it catches up with it in
 * a twenty-fourth of the time that was jumped over. So a clock that is wrong for a while, such as
 * one that says 2040, does not delete for good what is young, and after months without a running
 * service its age is true again within days.
 */
export class AgingClock {
  readonly #sources: { readonly clock: () => number; readonly elapsed: () => number }
  #last: { readonly time: number; readonly elapsed: number }

  constructor(sources: { readonly clock: () => number; readonly elapsed: () => number }) {
    this.#sources = sources
    this.#last = { time: sources.clock(), elapsed: sources.elapsed() }
  }

  readonly now = (): number => this.#follow(this.#sources.clock())

  /** Milliseconds by which the clock is ahead of it. */
  get behindMs(): number {
    const now = this.#sources.clock()
    return now - this.#follow(now)
  }

  /** Goes on from where this or another process was. */
  continueFrom(time: number): void {
    this.#last = { time, elapsed: this.#sources.elapsed() }
  }

  #follow(now: number): number {
    const elapsed = this.#sources.elapsed()
    const aged = this.#last.time + Math.round((elapsed - this.#last.elapsed) * MOST_AGING)
    this.#last = { time: Math.min(now, aged), elapsed }
    return this.#last.time
  }
}

/** Shared by all nodes of a process. */
interface Chance {
  readonly random: Random
  readonly randomBytes: (size: number) => Buffer
  /** Measures how long computations take, in milliseconds. */
  readonly stopwatch: () => number
}

let chance: Chance = { random: Math.random, randomBytes: crypto.randomBytes, stopwatch: () => performance.now() }

/**
 * Decides all chance of this process until it is disposed of: only a simulation, which is
 * repeatable, may.
 */
export function useChance(other: Chance): Disposable {
  const before = chance
  const use = (next: Chance) => {
    chance = next
    usedBytes = randomPool.length
  }
  use(other)
  return { [Symbol.dispose]: () => use(before) }
}

export function random(): number {
  return chance.random()
}

export function stopwatch(): number {
  return chance.stopwatch()
}

export function randomBytes(size: number): Buffer {
  return chance.randomBytes(size)
}

/** A name that nobody else has or can guess. */
export function randomName(): string {
  return randomBytes(16).toString('hex')
}

const randomPool = Buffer.allocUnsafe(4096)
let usedBytes = randomPool.length

/** Like `randomBytes`, which for few bytes costs half as much as signing. */
export function pooledRandomBytes(size: number): Uint8Array {
  if (usedBytes + size > randomPool.length) {
    chance.randomBytes(randomPool.length).copy(randomPool)
    usedBytes = 0
  }
  usedBytes += size
  // A copy, which the next refill does not change.
  return Uint8Array.prototype.slice.call(randomPool, usedBytes - size, usedBytes)
}
