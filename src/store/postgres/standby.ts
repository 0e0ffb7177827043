import type pg from 'pg'
import { type Runtime, sleep, type Timer } from '../../lib/runtime.ts'
import { logHead } from '../queries/heads.ts'
import { events } from '../queries/incidents.ts'
import type { Query as StoreQuery } from '../queries/query.ts'
import {
  type EventLog,
  type Incidents,
  isSameLink,
  type LogEvent,
  type LogPosition,
  type LogReader,
  type Snapshot,
  type StandbyInspection,
  StoreUnavailable,
} from '../store.ts'
import { type PostgresPool, performWithin } from './connection.ts'
import { Servers, useClient } from './servers.ts'
import { snapshot } from './snapshot.ts'

export interface StandbyOptions {
  /** `postgres://…`; several servers as in `DATABASE_URL`. */
  readonly url: string
  /** A standby that is further behind is not read. */
  readonly maxLagMs: number
  /** Told when the node begins and ends to do without; the reason if it does. */
  readonly onChange: (reason: string | null) => void
}

interface Parts {
  readonly primary: Pick<EventLog, 'followHead' | 'after' | 'head' | 'onAppend'> & Pick<Incidents, 'snapshot'>
  readonly servers: Servers
  /** Two connections, so that a snapshot does not stop the follower. */
  readonly own: PostgresPool
  readonly ofRequests: PostgresPool
  readonly runtime: Runtime
}

/** Less than the limit, so that a lag around it does not make a node go to and fro. */
const RETURN_AT = 0.75
const FIRST_AWAY_MS = 5_000
const MOST_AWAY_MS = 60_000
/** Pauses between looks for an event that the primary has and the standby has not yet. */
const FIRST_PAUSE_MS = 5
const MOST_PAUSE_MS = 250

/** The log ended with `seq`, or later, at a moment of the monotonic clock. */
interface LogEnd {
  seq: number
  at: number
}

/**
 * Reads the log from a standby. Notifications come from the primary, which also says where the log
 * ends; so the node knows how late it is, and looks again shortly until the standby has the event.
 *
 * - **Lag is no loss.** A standby that is behind this node lacks the event that the node asks from.
 *   It is waited for; whether an event is lost, only the primary can say.
 * - **Nothing counts that the primary does not have.** It is asked after the rows were read: a
 *   standby that has more by then follows another server, and is not read.
 * - **A node does without** a standby that is away, was promoted, has parted from the primary or is
 *   too far behind: it reads the primary, and looks for the standby again after a while.
 */
export class StandbyReader implements LogReader, AsyncDisposable {
  readonly #parts: Parts
  readonly #maxLagMs: number
  readonly #onChange: (reason: string | null) => void
  readonly #listeners = new Set<() => void>()
  /** Ends of the log that the standby has not reached, oldest first. */
  readonly #ends: LogEnd[] = []
  /** The end of what the node has, which must not be missing from what it reads later. */
  #head: LogPosition = { seq: 0, link: '' }
  #isUsed = true
  #usedSince: number
  /** Until then the log had no event that the standby and the node lack; null if not known. */
  #inStepAt: number | null = null
  #lagMs: number | null = null
  #awayMs = FIRST_AWAY_MS / 2
  #probeAt = 0
  #probing: Promise<void> | null = null
  #pauseMs = FIRST_PAUSE_MS
  #timer: Timer | null = null

  constructor(parts: Parts, { maxLagMs, onChange }: Omit<StandbyOptions, 'url'>) {
    this.#parts = parts
    this.#maxLagMs = maxLagMs
    this.#onChange = onChange
    this.#usedSince = parts.runtime.elapsed()
  }

  get lagMs(): number | null {
    return this.#lagMs
  }

  get isStandby(): boolean {
    return this.#isUsed
  }

  /** Waits for the standby, so that a node does not start with an older archive than it says. */
  async snapshot(): Promise<Snapshot> {
    const { primary, runtime, own, servers } = this.#parts
    const end = await primary.head()
    if (!this.#isUsed) return primary.snapshot()
    const startedAt = runtime.elapsed()
    try {
      while ((await this.#read(own, logHead())).result.seq < end.seq) {
        if (runtime.elapsed() - startedAt > this.#maxLagMs) throw new Unusable(this.#behind(this.#maxLagMs))
        await sleep(runtime, MOST_PAUSE_MS)
      }
      const taken = await snapshot(own, servers, (error) => this.#leave(reasonOf(error)))
      const { seq } = taken.head
      if (seq >= end.seq && seq <= (await primary.head()).seq) {
        this.#head = taken.head
        return taken
      }
      await taken.chunks[Symbol.asyncIterator]().return?.()
      throw new Unusable(seq < end.seq ? 'another standby answered, which is behind' : PARTED)
    } catch (error) {
      this.#leave(reasonOf(error))
      return primary.snapshot()
    }
  }

  async followHead(head: LogPosition, limit: number): Promise<LogEvent[] | null> {
    const startedAt = this.#parts.runtime.elapsed()
    this.#head = head
    const read = this.#isUsed ? await this.#followStandby(head, limit, startedAt) : null
    const found = read ?? (await this.#followPrimary(head, limit, startedAt))
    const last = found?.at(-1)
    if (last !== undefined) this.#head = { seq: last.seq, link: last.link ?? '' }
    return found
  }

  /** Null if it cannot be used. */
  async #followStandby(head: LogPosition, limit: number, startedAt: number): Promise<LogEvent[] | null> {
    const read = await this.#read(this.#parts.own, events.followHead(head, limit)).catch((error) => {
      this.#leave(reasonOf(error))
    })
    if (!read) return null
    if (read.result === null && read.head >= head.seq) return this.#leave(PARTED)
    const found = read.result ?? []
    const reached = Math.max(read.head, head.seq)
    const end = await this.#parts.primary.head()
    if (Math.max(reached, found.at(-1)?.seq ?? 0) > end.seq) return this.#leave(PARTED)
    if (hasParted(found, end)) return this.#leave(PARTED)
    this.#recordEnd(end.seq, startedAt)
    this.#recordReached(reached)
    const lag = startedAt - (this.#inStepAt ?? this.#usedSince)
    if (lag > this.#maxLagMs) return this.#leave(this.#behind(lag))
    this.#lagMs = this.#inStepAt === null ? null : lag
    this.#pauseMs = found.length > 0 ? FIRST_PAUSE_MS : Math.min(2 * this.#pauseMs, MOST_PAUSE_MS)
    if (reached < end.seq) this.#wakeIn(this.#pauseMs)
    return found
  }

  async #followPrimary(head: LogPosition, limit: number, startedAt: number): Promise<LogEvent[] | null> {
    if (startedAt >= this.#probeAt)
      this.#probing ??= this.#probe().finally(() => {
        this.#probing = null
      })
    const found = await this.#parts.primary.followHead(head, limit)
    if (found !== null && found.length < limit) this.#recordEnd(found.at(-1)?.seq ?? head.seq, startedAt)
    this.#lagMs = 0
    return found
  }

  /** For requests. Without an event that the node has, it would contradict what the node serves. */
  async after(seq: number, limit: number): Promise<LogEvent[]> {
    if (this.#isUsed) {
      // The follower finds out what is wrong, and says so.
      const read = await this.#read(this.#parts.ofRequests, events.after(seq, limit)).catch(() => null)
      if (read !== null && read.head >= this.#head.seq) return read.result
    }
    return this.#parts.primary.after(seq, limit)
  }

  onAppend(listener: () => void): () => void {
    // Allows adding a function twice.
    const entry = () => listener()
    this.#listeners.add(entry)
    const stop = this.#parts.primary.onAppend(listener)
    return () => {
      this.#listeners.delete(entry)
      stop()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#parts.runtime.clear(this.#timer)
    this.#listeners.clear()
    const { own, ofRequests } = this.#parts
    await Promise.all([own[Symbol.asyncDispose](), ofRequests[Symbol.asyncDispose](), this.#probing])
  }

  /** `head`: the log of the standby has at least this, and so has the result. */
  #read<Result>(pool: PostgresPool, query: StoreQuery<Result>): Promise<{ head: number; result: Result }> {
    return pool.withConnection(async (run) => {
      const [state] = await run<{ seq: number; standby: boolean }>(
        'SELECT seq, pg_is_in_recovery() AS standby FROM log_head',
      )
      // Its connections stay open. It is read as the primary, if it is the one that takes writes.
      if (!state!.standby) throw new Unusable('it was promoted')
      return { head: state!.seq, result: await performWithin(run, query) }
    })
  }

  /** Looks whether the standby is back, and not too far behind. */
  async #probe(): Promise<void> {
    const { own, primary, runtime } = this.#parts
    const startedAt = runtime.elapsed()
    try {
      const { head } = await this.#read(own, logHead())
      const end = await primary.head()
      if (head > end.seq) throw new Unusable(PARTED)
      this.#recordEnd(end.seq, startedAt)
      this.#recordReached(head)
      const lag = startedAt - (this.#inStepAt ?? Number.NEGATIVE_INFINITY)
      if (lag > RETURN_AT * this.#maxLagMs) throw new Unusable(this.#behind(lag))
      this.#isUsed = true
      this.#usedSince = runtime.elapsed()
      this.#onChange(null)
    } catch (error) {
      this.#leave(reasonOf(error))
    }
  }

  #leave(reason: string): null {
    const { runtime, servers } = this.#parts
    const now = runtime.elapsed()
    const isSettled = this.#isUsed && now - this.#usedSince > MOST_AWAY_MS
    this.#awayMs = isSettled ? FIRST_AWAY_MS : Math.min(2 * this.#awayMs, MOST_AWAY_MS)
    this.#probeAt = now + this.#awayMs
    this.#inStepAt = null
    servers.skip(servers.preferred)
    if (this.#isUsed) this.#onChange(reason)
    this.#isUsed = false
    return null
  }

  #behind(ms: number): string {
    return Number.isFinite(ms)
      ? `it is ${Math.round(ms / 1000)} s behind`
      : `it is more than ${this.#maxLagMs / 1000} s behind`
  }

  #recordEnd(seq: number, at: number): void {
    const last = this.#ends.at(-1)
    if (last?.seq === seq) last.at = at
    // Many notifications: the log reached it at that moment or later.
    else if (last !== undefined && at - last.at < MOST_PAUSE_MS) last.seq = seq
    else this.#ends.push({ seq, at })
    while (this.#ends[0]!.at < at - this.#maxLagMs) this.#ends.shift()
  }

  #recordReached(seq: number): void {
    while (this.#ends.length > 0 && this.#ends[0]!.seq <= seq) this.#inStepAt = this.#ends.shift()!.at
  }

  #wakeIn(ms: number): void {
    const { runtime } = this.#parts
    runtime.clear(this.#timer)
    this.#timer = runtime.setTimeout(() => {
      for (const listener of this.#listeners) listener()
    }, ms)
  }
}

const PARTED = 'it has events that the primary does not have'

/** Whether the standby has another event where the log of the primary ends. */
function hasParted(found: readonly LogEvent[], end: LogPosition): boolean {
  const last = found.at(-1)
  return last?.seq === end.seq && !isSameLink(last.link ?? '', end.link)
}

class Unusable extends StoreUnavailable {}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const INSPECTION = {
  connectionTimeoutMillis: 5_000,
  query_timeout: 5_000,
  application_name: 'incident-feed-doctor',
}

export function inspectStandbys(databaseUrl: string, readUrl: string): Promise<StandbyInspection[]> {
  const standbys = new Servers(readUrl, undefined, 'standby').urls
  return useClient(new Servers(databaseUrl), INSPECTION, async (primary) => {
    const id = await systemOf(primary)
    const inspections: StandbyInspection[] = []
    for (const url of standbys) inspections.push(await inspectStandby(url, primary, id))
    return inspections
  })
}

async function inspectStandby(url: string, primary: pg.Client, id: string | null): Promise<StandbyInspection> {
  const { host } = new URL(url)
  try {
    const seen = await useClient(new Servers(url, undefined, 'standby'), INSPECTION, async (client) => ({
      id: await systemOf(client),
      seq: (await client.query<{ seq: string }>('SELECT seq FROM log_head')).rows[0]!.seq,
    }))
    const { rows } = await primary.query<{ missing: number; behind: number }>(
      `SELECT (log_head.seq - $1)::float8 AS missing,
              coalesce(extract(epoch FROM clock_timestamp()) - (
                SELECT events.at / 1000.0 FROM events WHERE events.seq > $1 ORDER BY events.seq LIMIT 1
              ), 0)::float8 AS behind
       FROM log_head`,
      [seen.seq],
    )
    const { missing, behind } = rows[0]!
    const isCopy = id === null || seen.id === null ? null : id === seen.id && missing >= 0
    const found = { missingEvents: Math.max(0, missing), behindSeconds: Math.max(0, behind) }
    return { host, unusable: null, isCopy, ...found }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { host, unusable: error.message, isCopy: null, missingEvents: 0, behindSeconds: 0 }
  }
}

/** A number that a server has from its start and shares with its copies; null if it is not told. */
async function systemOf(client: pg.Client): Promise<string | null> {
  const select = 'SELECT system_identifier AS id FROM pg_control_system()'
  return client.query<{ id: string }>(select).then(
    ({ rows }) => rows[0]!.id,
    () => null,
  )
}
