import { setImmediate as nextRound } from 'node:timers/promises'
import type { AppliedEvent } from '../archive/recent-changes.ts'
import type { Incident } from '../domain/incident.ts'
import type { RecentEvents } from '../event-log/recent-events.ts'
import { Semaphore } from '../lib/async/semaphore.ts'
import type { LiveFilter } from '../query/filter/filter.ts'
import { matches } from '../query/filter/matches.ts'
import { type IndexedFields, indexedFieldsOf } from '../query/indexed-fields.ts'
import type { EventLog, LogEvent } from '../store/store.ts'

type Log = Pick<EventLog, 'after' | 'documentBefore'>

/** Events looked at in one step: in memory they cost nothing to hold, from the log each reader holds its own. */
const STEP = { recent: 500, log: 50 } as const
/** When a node starts, all its readers come at once: the database must not notice. */
const READS_AT_ONCE = 4

export interface ReplayBatch {
  /** Those that concern the reader, in order. */
  readonly events: readonly LogEvent[]
  /** Everything up to here has been looked at. */
  readonly position: number
}

/** What a reader who comes back has missed, step by step: from memory where it is recent, else from the log. */
export class Replay {
  readonly #recent: RecentEvents<AppliedEvent>
  readonly #log: Log
  readonly #turns = new Semaphore(READS_AT_ONCE)

  constructor(recent: RecentEvents<AppliedEvent>, log: Log) {
    this.#recent = recent
    this.#log = log
  }

  /** The next events after `position`, none beyond `until`. */
  async readBatch(position: number, until: number, filter: LiveFilter): Promise<ReplayBatch> {
    const recent = this.#recent.after(position, Math.min(STEP.recent, until - position))
    if (recent === null) return this.#turns.run(() => this.#fromLog(position, until, filter))
    // Many readers may be catching up at once: none of them may hold up the rest of the service.
    await nextRound()
    const events = recent.filter(
      (event) => isStreamed(event) && (holds(filter, event.after) || holds(filter, event.before)),
    )
    return { events, position: recent.at(-1)?.seq ?? position }
  }

  async #fromLog(position: number, until: number, filter: LiveFilter): Promise<ReplayBatch> {
    const found = await this.#log.after(position, Math.min(STEP.log, until - position))
    const events: LogEvent[] = []
    for (const event of found) if (isStreamed(event) && (await this.#concerns(filter, event))) events.push(event)
    return { events, position: found.at(-1)?.seq ?? position }
  }

  async #concerns(filter: LiveFilter, { kind, document, incidentId, seq }: LogEvent): Promise<boolean> {
    if (holds(filter, factsIn(document))) return true
    if (kind === 'incident.created') return false
    const before = await this.#log.documentBefore(incidentId, seq)
    return before !== null && holds(filter, factsIn(before))
  }
}

/** History that is brought in is no news. */
export function isStreamed({ kind }: LogEvent): boolean {
  return kind !== 'incident.imported'
}

function factsIn(document: string): IndexedFields {
  return indexedFieldsOf(JSON.parse(document) as Incident)
}

/** A standing filter asks nothing of time, so any moment will do. */
function holds(filter: LiveFilter, facts: IndexedFields | null): boolean {
  return facts !== null && matches(filter, facts, 0)
}
