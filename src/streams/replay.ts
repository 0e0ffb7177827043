import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppliedEvent } from '../archive/archive.ts'
import type { Incident } from '../domain/incident.ts'
import type { RecentEvents } from '../event-log/recent-events.ts'
import { type IndexedFields, indexedFieldsOf, type StreamFilter } from '../filter/filter.ts'
import { matches } from '../filter/matches.ts'
import { Semaphore } from '../lib/concurrency.ts'
import type { EventLog, LogEvent } from '../store/store.ts'

type Log = Pick<EventLog, 'after' | 'documentBefore'>

/** Events checked per batch; events in memory are shared, log reads are per client. */
const BATCH = { recent: 500, log: 50 } as const
/** Protects the database after a node's start, when all its clients reconnect at once. */
const MAX_CONCURRENT_READS = 4

interface ReplayBatch {
  /** Matching events, in order. */
  readonly events: readonly LogEvent[]
  /** All events up to this one have been checked. */
  readonly position: number
}

/** Reads events that a reconnecting client missed: recent ones from memory, others from the log. */
export class Replay {
  readonly #recent: RecentEvents<AppliedEvent>
  readonly #log: Log
  readonly #logReads = new Semaphore(MAX_CONCURRENT_READS)

  constructor(recent: RecentEvents<AppliedEvent>, log: Log) {
    this.#recent = recent
    this.#log = log
  }

  /** Reads the next events after `position`, none beyond `until`. */
  async readBatch(position: number, until: number, filter: StreamFilter): Promise<ReplayBatch> {
    const recent = this.#recent.after(position, Math.min(BATCH.recent, until - position))
    if (recent === null) return this.#logReads.run(() => this.#readFromLog(position, until, filter))
    // Many clients may be catching up at once: yield to the rest of the service.
    await nextTurn()
    const events = recent.filter(
      (event) => isStreamed(event) && (matchesFields(filter, event.after) || matchesFields(filter, event.before)),
    )
    return { events, position: recent.at(-1)?.seq ?? position }
  }

  async #readFromLog(position: number, until: number, filter: StreamFilter): Promise<ReplayBatch> {
    const found = await this.#log.after(position, Math.min(BATCH.log, until - position))
    const events: LogEvent[] = []
    for (const event of found) if (isStreamed(event) && (await this.#matchesEvent(filter, event))) events.push(event)
    return { events, position: found.at(-1)?.seq ?? position }
  }

  async #matchesEvent(filter: StreamFilter, { kind, document, incidentId, seq }: LogEvent): Promise<boolean> {
    if (matchesFields(filter, fieldsIn(document))) return true
    if (kind === 'incident.created') return false
    const before = await this.#log.documentBefore(incidentId, seq)
    return before !== null && matchesFields(filter, fieldsIn(before))
  }
}

/** Imported history is not news. */
export function isStreamed({ kind }: LogEvent): boolean {
  return kind !== 'incident.imported'
}

function fieldsIn(document: string): IndexedFields {
  return indexedFieldsOf(JSON.parse(document) as Incident)
}

/** A live filter has no time condition, so any time will do for `matches`. */
function matchesFields(filter: StreamFilter, fields: IndexedFields | null): boolean {
  return fields !== null && matches(filter, fields, 0)
}
