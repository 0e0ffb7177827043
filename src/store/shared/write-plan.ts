import type { EventKind, Incident, Status } from '../../domain/incident.ts'
import type { HistoryEntry } from '../../domain/moderation-record.ts'
import { type ImportCheckpoint, type IncidentChange, type LogEvent, type LogHead, StaleVersion } from '../store.ts'

export interface IncidentRow {
  readonly id: string
  /** The version that must be stored for the write to go through; 0 where there must be none. */
  readonly expected: number
  /** The status that must be stored; null for any. */
  readonly expectedStatus: Status | null
  readonly version: number
  readonly status: Status
  readonly publishedAt: number | null
  /** Of a report not decided yet: what near-duplicates are looked for by. Null for all others. */
  readonly occurredAt: number | null
  readonly document: string
  /** Null leaves what is there. */
  readonly dossier: string | null
}

export interface StepRow {
  readonly incidentId: string
  readonly step: HistoryEntry
}

export interface EventRow {
  readonly kind: EventKind
  readonly incidentId: string
  /** Null for an import: a second copy of every document would double the archive on disk. */
  readonly document: string | null
}

/**
 * What a save writes: each incident once, as its last change leaves it, every event and step in order, and how far an
 * import has come.
 */
export interface Plan {
  readonly rows: readonly IncidentRow[]
  readonly events: readonly EventRow[]
  readonly steps: readonly StepRow[]
  readonly mark: ImportCheckpoint | null
  readonly now: number
}

export function planOf(changes: readonly IncidentChange[], now: number, mark: ImportCheckpoint | null = null): Plan {
  const rows = new Map<string, IncidentRow>()
  const events: EventRow[] = []
  const steps: StepRow[] = []
  for (const change of changes) {
    const { incident, event, historyEntry } = change
    const row = rowOf(change, rows.get(incident.id))
    rows.set(incident.id, row)
    if (event !== null) {
      const document = event === 'incident.imported' ? null : row.document
      events.push({ kind: event, incidentId: incident.id, document })
    }
    if (historyEntry) steps.push({ incidentId: incident.id, step: historyEntry })
  }
  return { rows: [...rows.values()], events, steps, mark, now }
}

function rowOf({ incident, replaces, moderation }: IncidentChange, earlier: IncidentRow | undefined): IncidentRow {
  const { id, version, status } = incident
  const expected = replaces?.version ?? version - 1
  const expectedStatus = replaces?.status ?? null
  if (earlier && (earlier.version !== expected || (expectedStatus !== null && earlier.status !== expectedStatus)))
    throw new StaleVersion(id)
  return {
    id,
    expected: earlier ? earlier.expected : expected,
    expectedStatus: earlier ? earlier.expectedStatus : expectedStatus,
    version,
    status,
    publishedAt: incident.published_at === null ? null : milliseconds(incident, 'published_at'),
    occurredAt: status === 'reported' ? milliseconds(incident, 'occurred_at') : null,
    document: JSON.stringify(incident),
    dossier: moderation ? JSON.stringify(moderation) : (earlier?.dossier ?? null),
  }
}

function milliseconds(incident: Incident, field: 'published_at' | 'occurred_at'): number {
  const result = Date.parse(incident[field]!)
  if (Number.isNaN(result)) throw new TypeError(`${incident.id} has a ${field} that is no time`)
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
