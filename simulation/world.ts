import { syncBuiltinESMExports } from 'node:module'
import zlib from 'node:zlib'
import { type Random, seededBytes, seededRandom } from '../src/lib/random.ts'
import { type Runtime, type Timer, useChance } from '../src/lib/runtime.ts'

export interface Task {
  readonly at: number
  /** Of tasks at the same moment, the first that was set is the first to run. */
  readonly order: number
  readonly machine: Machine | null
  readonly run: () => void
  isCancelled: boolean
  hasFired: boolean
}

/** Programs beside this process, for which time waits. */
export interface Outside extends Disposable {
  /** Lets them come to an end; true if anything has happened. */
  settle(): Promise<boolean>
}

/**
 * Virtual time for all machines of a simulation, and the chance of its seed. One task runs at a
 * time, and the next only when nothing that it has started goes on without waiting: so a seed
 * always gives the same history.
 */
export class World implements Disposable {
  readonly random: Random
  outside: Outside | null = null
  readonly #tasks = new TaskQueue()
  readonly #turns = countTurns()
  readonly #compression = compressInTurns()
  readonly #chance: Disposable
  #now: number
  #order = 0

  constructor(seed: number, now: number) {
    this.#now = now
    this.random = seededRandom(seed)
    const bytes = seededBytes(seededRandom(seed + 0.5 * 2 ** 32))
    this.#chance = useChance({
      random: seededRandom(seed + 2 ** 32),
      randomBytes: (size) => Buffer.from(bytes(size)),
      stopwatch: () => 0,
    })
  }

  get now(): number {
    return this.#now
  }

  /** Sets a task of the world itself: a person, a network, a fault. */
  after(ms: number, run: () => void, machine: Machine | null = null): Task {
    const task: Task = { at: this.#now + ms, order: this.#order++, machine, run, isCancelled: false, hasFired: false }
    if (machine !== null) machine.timers++
    this.#tasks.add(task)
    return task
  }

  /** Lets time pass, task by task; ends early once `isDone`. */
  async runUntil(time: number, isDone = () => false): Promise<void> {
    await this.#settle()
    while (!isDone()) {
      const task = this.#tasks.takeUntil(time)
      if (task === null) break
      if (task.isCancelled) continue
      this.#now = Math.max(this.#now, task.at)
      if (task.machine === null) task.run()
      else task.machine.runTask(task)
      await this.#settle()
    }
    if (!isDone()) this.#now = Math.max(this.#now, time)
  }

  /** Lets quiet time pass as if all machines had been suspended: what fell due runs once. */
  async skipTo(time: number): Promise<void> {
    this.#now = Math.max(this.#now, time)
    await this.runUntil(this.#now)
  }

  async #settle(): Promise<void> {
    do await this.#turns.settle()
    while (await this.outside?.settle())
  }

  [Symbol.dispose](): void {
    this.outside?.[Symbol.dispose]()
    this.#compression[Symbol.dispose]()
    this.#turns[Symbol.dispose]()
    this.#chance[Symbol.dispose]()
  }
}

/** A computer with a clock of its own, which can be frozen and can die. */
export class Machine implements Runtime {
  readonly name: string
  /** Tasks that wait for their time. */
  timers = 0
  readonly onKilled = new Set<() => void>()
  /** By how much its wall clock is ahead of the true time. */
  clockOffset = 0
  readonly #world: World
  #state: 'running' | 'frozen' | 'dead' = 'running'
  /** Tasks that fell due while it was frozen. */
  readonly #held: (() => void)[] = []

  constructor(name: string, world: World) {
    this.name = name
    this.#world = world
  }

  get isRunning(): boolean {
    return this.#state === 'running'
  }

  get isDead(): boolean {
    return this.#state === 'dead'
  }

  readonly wallClock = (): number => Math.floor(this.#world.now) + this.clockOffset
  readonly elapsed = (): number => this.#world.now
  readonly setTimeout = (run: () => void, ms: number): Timer => this.#world.after(Math.max(1, ms), run, this)
  readonly setInterval = (run: () => void, ms: number): Timer => {
    const interval = { timer: this.#world.after(ms, repeat, this) }
    const world = this.#world
    const machine = this
    function repeat() {
      interval.timer = world.after(ms, repeat, machine)
      run()
    }
    return interval
  }
  readonly clear = (timer: Timer | null | undefined): void => {
    if (timer === null || timer === undefined) return
    const task = ('timer' in timer ? timer.timer : timer) as Task
    if (!task.isCancelled && !task.hasFired) this.timers--
    task.isCancelled = true
  }

  runTask(task: Task): void {
    task.hasFired = true
    this.timers--
    if (this.#state === 'running') task.run()
    else if (this.#state === 'frozen') this.#held.push(() => task.isCancelled || task.run())
  }

  freeze(): void {
    if (this.#state === 'running') this.#state = 'frozen'
  }

  thaw(): void {
    if (this.#state !== 'frozen') return
    this.#state = 'running'
    for (const run of this.#held.splice(0)) this.#world.after(0, run, this)
  }

  /** Nothing that it had begun goes on. */
  kill(): void {
    this.#state = 'dead'
    this.#held.length = 0
    for (const call of [...this.onKilled]) call()
  }
}

/** A heap by time, then by order. */
class TaskQueue {
  readonly #heap: Task[] = []

  add(task: Task): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(task)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(task, heap[parent]!)) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = task
  }

  takeUntil(time: number): Task | null {
    const heap = this.#heap
    const first = heap[0]
    if (first === undefined || first.at > time) return null
    const last = heap.pop()!
    if (heap.length === 0) return first
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
      if (!isBefore(heap[child]!, last)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = last
    return first
  }
}

function isBefore(one: Task, other: Task): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order)
}

/** Counts what waits for the next turn of the real event loop, to know when nothing does. */
function countTurns(): Disposable & { settle(): Promise<void> } {
  const { setImmediate: set, clearImmediate: clear } = globalThis
  const waiting = new Set<NodeJS.Immediate>()
  const counted = (call: (...values: unknown[]) => void, ...values: unknown[]): NodeJS.Immediate => {
    const immediate = set(() => {
      waiting.delete(immediate)
      call(...values)
    })
    waiting.add(immediate)
    return immediate
  }
  const forget = (immediate: NodeJS.Immediate | undefined): void => {
    if (immediate !== undefined) waiting.delete(immediate)
    clear(immediate)
  }
  Object.assign(globalThis, { setImmediate: counted, clearImmediate: forget })
  return {
    async settle() {
      do await new Promise<void>((resolve) => set(resolve))
      while (waiting.size > 0)
    },
    [Symbol.dispose]: () => void Object.assign(globalThis, { setImmediate: set, clearImmediate: clear }),
  }
}

const COMPRESSIONS = ['zstdCompress', 'zstdDecompress', 'brotliCompress', 'deflateRaw', 'gzip', 'gunzip'] as const

/** In the next turn, not in a thread, which ends at a moment of its own. */
function compressInTurns(): Disposable {
  const before = COMPRESSIONS.map((name) => [name, zlib[name]])
  const inTurn = COMPRESSIONS.map((name) => {
    const compress = zlib[`${name}Sync`] as (input: Uint8Array, options: object) => Buffer
    const later = (input: Uint8Array, options: object, done: (error: null, output: Buffer) => void) =>
      setImmediate(() => done(null, compress(input, options)))
    return [name, later]
  })
  const set = (functions: readonly unknown[][]) => {
    Object.assign(zlib, Object.fromEntries(functions))
    syncBuiltinESMExports()
  }
  set(inTurn)
  return { [Symbol.dispose]: () => set(before) }
}
