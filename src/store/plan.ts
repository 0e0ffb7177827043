import type { EventKind, Status } from '../domain/incident.ts'
import { type Change, type LogEvent, type LogHead, StaleVersion } from './store.ts'

export interface IncidentRow {
  readonly id: string
  /** The version that must be stored for the write to go through; 0 where there must be none. */
  readonly expected: number
  readonly version: number
  readonly status: Status
  readonly publishedAt: number | null
  readonly document: string
}

export interface EventRow {
  readonly kind: EventKind
  readonly incidentId: string
  /** Null for an import: a second copy of every document would double the archive on disk. */
  readonly document: string | null
}

/** What a save writes: each incident once, as its last change leaves it, and every event in order. */
export interface Plan {
  readonly rows: readonly IncidentRow[]
  readonly events: readonly EventRow[]
  readonly now: number
}

export function planOf(changes: readonly Change[], now: number): Plan {
  const rows = new Map<string, IncidentRow>()
  const events: EventRow[] = []
  for (const { incident, event } of changes) {
    const { id, version, status } = incident
    const earlier = rows.get(id)
    if (earlier !== undefined && version !== earlier.version + 1) throw new StaleVersion(id)
    const document = JSON.stringify(incident)
    const publishedAt = incident.published_at === null ? null : milliseconds(id, incident.published_at)
    rows.set(id, { id, expected: earlier?.expected ?? version - 1, version, status, publishedAt, document })
    if (event !== null) {
      events.push({ kind: event, incidentId: id, document: event === 'incident.imported' ? null : document })
    }
  }
  return { rows: [...rows.values()], events, now }
}

function milliseconds(id: string, time: string): number {
  const result = Date.parse(time)
  if (Number.isNaN(result)) throw new TypeError(`${id} has a published_at that is no time`)
  return result
}

/** The plan's events as the log has them, once `head` is where they have moved it. */
export function eventsOf(plan: Plan, head: LogHead): LogEvent[] {
  const documents = new Map(plan.rows.map((row) => [row.id, row.document]))
  const first = head.seq - plan.events.length + 1
  return plan.events.map(({ kind, incidentId, document }, index) => ({
    seq: first + index,
    kind,
    at: head.at,
    incidentId,
    document: document ?? documents.get(incidentId)!,
  }))
}
