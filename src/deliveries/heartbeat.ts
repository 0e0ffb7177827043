import { readFileSync, readlinkSync } from 'node:fs'
import { WakeableSleep } from '../lib/concurrency.ts'
import { type Runtime, randomName } from '../lib/runtime.ts'
import type { OwnerHeartbeat, Owners, SchemaState } from '../store/store.ts'
import { SCHEMA } from '../version.ts'

interface HeartbeatOptions {
  /** The name of this process among all that share the database. */
  readonly owner: string
  readonly clock: () => number
  /** Its `elapsed` runs on in a frozen process, its wall clock in a suspended machine. */
  readonly runtime: Runtime
  /** Returns true only if another process has certainly ended. */
  readonly hasEnded: (owner: string) => boolean
  /** Time between two heartbeats, in milliseconds. */
  readonly intervalMs: number
  readonly onError: (error: unknown) => void
}

/**
 * After this many of our heartbeats without one from a process, it is considered dead. If that is
 * wrong, a few messages are sent twice.
 */
const MAX_MISSED = 4
/**
 * A process uses its leases for so many intervals after its last recorded heartbeat: fewer than
 * the others wait, so that it has stopped before they release its leases.
 */
const LEASES_HOLD_INTERVALS = 3

/** Of a process whose name does not say it. */
const OLDEST_NAMED_SCHEMA = 38

/** The schema that a process knows, which its name ends with. */
function schemaKnownBy(owner: string): number {
  return Number(owner.split('/')[3] ?? OLDEST_NAMED_SCHEMA)
}

/** The schema of the database, and the one that each node knows, as of the last heartbeat. */
export interface NodeSchemas {
  readonly own: number
  readonly database: SchemaState
  /** The lowest and the highest of all nodes that are alive, this one too. */
  readonly oldest: number
  readonly newest: number
}

/** Whether the database needs a newer build: then this one must not write to it. */
export function isOutdated({ own, database }: NodeSchemas): boolean {
  return database.needs > own
}

interface Moment {
  readonly elapsed: number
  readonly wallClock: number
}

interface HeartbeatListener {
  /** A heartbeat was recorded; the leases hold. */
  onRecorded(): void
  /** Other processes took this one for dead and released its leases: nothing leased is its own. */
  onFenced(): void
  /** Whether a message was sent whose result is not recorded; asked when the process stops. */
  hasUnrecorded(): boolean
}

/**
 * Records that this process is alive, and releases the leases of dead ones, so that alerts need not
 * wait for expiry. On the same machine, `hasEnded` detects a dead process; on others, its missing
 * heartbeats do. Heartbeats are counted, not timed: that trusts no clock, and after a database
 * outage every process has time to return. A process that returns after it was taken for dead
 * finds its counter at the start again, and gives up everything that it had leased.
 */
export class Heartbeat implements AsyncDisposable {
  readonly #owners: Owners
  readonly #options: HeartbeatOptions
  readonly #sleep: WakeableSleep
  readonly #others = new Map<string, { beats: number; missed: number }>()
  readonly #listeners = new Set<HeartbeatListener>()
  #own: OwnerHeartbeat | null = null
  #schemas: NodeSchemas
  /** The last recorded heartbeat, by both clocks. */
  #sentAt: Moment | null = null
  #finished: Promise<void> = Promise.resolve()

  private constructor(owners: Owners, options: HeartbeatOptions) {
    this.#owners = owners
    this.#options = options
    const own = schemaKnownBy(options.owner)
    this.#schemas = { own, database: { version: own, needs: own }, oldest: own, newest: own }
    this.#sleep = new WakeableSleep(options.intervalMs, options.runtime)
  }

  /** Resolves after the first heartbeat: without one, others cannot notice this process's death. */
  static async start(owners: Owners, options: HeartbeatOptions): Promise<Heartbeat> {
    const heartbeat = new Heartbeat(owners, options)
    await heartbeat.#beat()
    heartbeat.#finished = heartbeat.#run()
    return heartbeat
  }

  /** Releases all leases at once, so that other processes need not wait for missing heartbeats. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#sleep.stop()
    await this.#finished
    const hasUnrecorded = [...this.#listeners].some((listener) => listener.hasUnrecorded())
    await this.#release(this.#own!, hasUnrecorded).catch(this.#options.onError)
  }

  addListener(listener: HeartbeatListener): void {
    this.#listeners.add(listener)
  }

  /**
   * False if others may soon take this process for dead: it must not send or lease anything. Uses
   * both clocks, because the monotonic one stands still while a machine is suspended.
   */
  get holdsLeases(): boolean {
    if (this.#sentAt === null || this.yieldsLeases) return false
    const { elapsed, wallClock } = this.#now()
    const since = Math.max(elapsed - this.#sentAt.elapsed, wallClock - this.#sentAt.wallClock)
    return since < LEASES_HOLD_INTERVALS * this.#options.intervalMs
  }

  /**
   * True while a node is alive that knows a newer schema, or if the database needs one: this node
   * leaves all work under leases to others. A newer node may have written what this one does not
   * understand, such as a filter.
   */
  get yieldsLeases(): boolean {
    return this.#schemas.newest > this.#schemas.own || isOutdated(this.#schemas)
  }

  /**
   * Once nodes write something that older ones cannot read, they may do so when `oldest` is no
   * less than the schema that came with it.
   */
  get schemas(): NodeSchemas {
    return this.#schemas
  }

  #now(): Moment {
    const { runtime } = this.#options
    return { elapsed: runtime.elapsed(), wallClock: runtime.wallClock() }
  }

  async #run(): Promise<void> {
    while (!this.#sleep.stopped) {
      await this.#sleep.wait()
      if (!this.#sleep.stopped) await this.#beat().catch(this.#options.onError)
    }
  }

  async #beat(): Promise<void> {
    const { owner } = this.#options
    const sentAt = this.#now()
    const { heartbeats, schema } = await this.#owners.recordHeartbeat(owner)
    const known = heartbeats.map((heartbeat) => schemaKnownBy(heartbeat.owner))
    const schemas = { oldest: Math.min(...known), newest: Math.max(...known) }
    this.#schemas = { own: this.#schemas.own, database: schema, ...schemas }
    const own = heartbeats.find((heartbeat) => heartbeat.owner === owner)!
    if (this.#own !== null && own.beats <= this.#own.beats) return this.#startAgain(own)
    this.#own = own
    this.#sentAt = sentAt
    for (const { onRecorded } of this.#listeners) onRecorded()
    for (const known of this.#others.keys())
      if (!heartbeats.some((heartbeat) => heartbeat.owner === known)) this.#others.delete(known)
    for (const heartbeat of heartbeats) if (heartbeat.owner !== owner) await this.#checkOther(heartbeat)
  }

  /** Frees what this process leased between the release by another one and this heartbeat. */
  async #startAgain(own: OwnerHeartbeat): Promise<void> {
    this.#sentAt = null
    this.#own = own
    for (const { onFenced } of this.#listeners) onFenced()
    await this.#release(own, true)
    this.#own = null
    await this.#beat()
  }

  async #checkOther(heartbeat: OwnerHeartbeat): Promise<void> {
    const { owner, beats } = heartbeat
    const seen = this.#others.get(owner)
    const missed = seen?.beats === beats ? seen.missed + 1 : 0
    this.#others.set(owner, { beats, missed })
    if (missed >= MAX_MISSED || this.#options.hasEnded(owner)) await this.#release(heartbeat, true)
  }

  async #release(heartbeat: OwnerHeartbeat, maybeAttempted: boolean): Promise<void> {
    await this.#owners.releaseLeases(heartbeat, this.#options.clock(), maybeAttempted)
  }
}

/** The scope of process ids: the machine since its last boot, and the container. '' if unknown. */
const PID_SCOPE = (() => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}-${readlinkSync('/proc/self/ns/pid').replace(/\D/g, '')}`
  } catch {
    // Not Linux: dead processes are detected by missing heartbeats alone.
    return ''
  }
})()

/** Names of this process; several services may run in it. */
const OWN_NAMES = new Set<string>()

/**
 * A unique name, from which others can tell the schema that this process knows, and those on the
 * same machine whether it runs.
 */
export function newProcessName(schema = SCHEMA): string {
  const name = [PID_SCOPE, process.pid, randomName(), schema].join('/')
  OWN_NAMES.add(name)
  return name
}

/** True if the process has certainly ended; false if it runs or cannot be checked from here. */
export function hasEnded(name: string): boolean {
  const [scope, pid] = name.split('/')
  if (scope === '' || scope !== PID_SCOPE) return false
  // A process id may be reused; that of a container's first process always is.
  return Number(pid) === process.pid ? !OWN_NAMES.has(name) : !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
