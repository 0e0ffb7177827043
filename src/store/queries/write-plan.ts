import type { EventKind, Incident, Status } from '../../domain/incident.ts'
import {
  type HistoryEntry,
  isImportStep,
  type ModerationRecord,
  type Origin,
  originOf,
  searchText,
} from '../../domain/moderation.ts'
import type { ProposalDecision } from '../../domain/sources.ts'
import { SEVERITIES } from '../../domain/taxonomy.ts'
import {
  type ImportBatch,
  type IncidentChange,
  type LogEvent,
  type LogHead,
  type PairDecision,
  StaleVersion,
} from '../store.ts'
import { sealOf } from './chain.ts'

export interface IncidentWrite {
  readonly id: string
  /** The stored version required; 0: the incident must not exist. */
  readonly expected: number
  /** The stored status required; null: any. */
  readonly expectedStatus: Status | null
  readonly version: number
  readonly status: Status
  readonly publishedAt: number | null
  /** Set only for undecided reports, for the duplicate search. */
  readonly occurredAt: number | null
  readonly document: string
  /** JSON text; null keeps the stored one. */
  readonly moderation: string | null
  /** Null for an import of a confirmed incident that is new: the desk does not know it. */
  readonly deskEntry: DeskEntryWrite | null
}

export interface HistoryWrite {
  readonly incidentId: string
  readonly entry: HistoryEntry
}

export interface EventWrite {
  readonly kind: EventKind
  readonly incidentId: string
  /** Null for an import: a second copy of each document would double the archive on disk. */
  readonly document: string | null
  readonly seal: string
}

export interface DecidedProposal extends ProposalDecision {
  readonly incidentId: string
}

export interface DecidedPair extends PairDecision {
  readonly incidentId: string
}

/** Everything one save writes: each incident once, in its last state; events in order. */
export interface WritePlan {
  readonly incidents: readonly IncidentWrite[]
  readonly events: readonly EventWrite[]
  readonly historyEntries: readonly HistoryWrite[]
  /** Incidents whose cancelled messages are due again. */
  readonly revived: readonly string[]
  readonly decided: readonly DecidedProposal[]
  readonly decidedPairs: readonly DecidedPair[]
  readonly batch: ImportBatch | null
  readonly now: number
}

export function planWrite(
  changes: readonly IncidentChange[],
  now: number,
  batch: ImportBatch | null = null,
): WritePlan {
  const incidents = new Map<string, IncidentWrite>()
  const events: EventWrite[] = []
  const historyEntries: HistoryWrite[] = []
  const revived: string[] = []
  const decided: DecidedProposal[] = []
  const decidedPairs: DecidedPair[] = []
  for (const change of changes) {
    const { incident, event, historyEntry } = change
    const row = incidentWriteOf(change, incidents.get(incident.id))
    incidents.set(incident.id, row)
    if (event !== null) {
      const document = event === 'incident.imported' ? null : row.document
      events.push({ kind: event, incidentId: incident.id, document, seal: sealOf(document) })
    }
    if (historyEntry) historyEntries.push({ incidentId: incident.id, entry: historyEntry })
    if (change.revivesDeliveries) revived.push(incident.id)
    if (change.decides) decided.push({ ...change.decides, incidentId: incident.id })
    if (change.pair) decidedPairs.push({ ...change.pair, incidentId: incident.id })
  }
  return { incidents: [...incidents.values()], events, historyEntries, revived, decided, decidedPairs, batch, now }
}

function incidentWriteOf(change: IncidentChange, earlier: IncidentWrite | undefined): IncidentWrite {
  const { incident, replaces, moderation } = change
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
    publishedAt: incident.published_at === null ? null : millisecondsOf(incident, 'published_at'),
    occurredAt: status === 'reported' ? millisecondsOf(incident, 'occurred_at') : null,
    document: JSON.stringify(incident),
    moderation: moderation ? JSON.stringify(moderation) : (earlier?.moderation ?? null),
    deskEntry: deskEntryFor(change, expected, earlier?.deskEntry ?? null),
  }
}

function deskEntryFor(
  { incident, moderation, historyEntry }: IncidentChange,
  expected: number,
  earlier: DeskEntryWrite | null,
): DeskEntryWrite | null {
  const isTouched = historyEntry !== undefined && !isImportStep(historyEntry.step)
  const mayAdd = incident.status !== 'confirmed' || isTouched || earlier?.mayAdd === true
  if (!mayAdd && expected === 0) return null
  const entry = deskEntryOf(incident, moderation, mayAdd)
  return { ...entry, origin: entry.origin ?? earlier?.origin ?? null }
}

function millisecondsOf(incident: Incident, field: 'published_at' | 'occurred_at'): number {
  const result = Date.parse(incident[field]!)
  if (Number.isNaN(result)) throw new TypeError(`${incident.id} has a ${field} that is not a valid time`)
  return result
}

/** The head of the log after a write, and the links of its events, if they have any. */
export interface AppendedEvents extends LogHead {
  readonly links: readonly string[]
}

/** Returns the events with their `seq`, given the log's head after the write. */
export function eventsWritten(plan: WritePlan, head: AppendedEvents): LogEvent[] {
  const documents = new Map(plan.incidents.map((row) => [row.id, row.document]))
  const first = head.seq - plan.events.length + 1
  return plan.events.map(({ kind, incidentId, document }, index) => ({
    seq: first + index,
    kind,
    at: head.at,
    incidentId,
    document: document ?? documents.get(incidentId)!,
    link: head.links[index] ?? '',
  }))
}

/** A row of the desk's queue, but for its revision and its claim. */
export interface DeskEntryWrite {
  readonly id: string
  readonly status: Status
  readonly version: number
  /** Null keeps the stored one; `api` if there is none. */
  readonly origin: Origin | null
  readonly state: string
  readonly lga: string | null
  readonly type: string
  readonly severity: number
  readonly confidence: number
  readonly reportedAt: number
  readonly occurredAt: number
  readonly lat: number
  readonly lng: number
  readonly search: string
  /** False: only an entry that exists is changed. */
  readonly mayAdd: boolean
}

export function deskEntryOf(
  incident: Incident,
  moderation: ModerationRecord | undefined | null,
  mayAdd: boolean,
): DeskEntryWrite {
  return {
    id: incident.id,
    status: incident.status,
    version: incident.version,
    origin: moderation ? originOf(moderation) : null,
    state: incident.location.state_code,
    lga: incident.location.lga_code,
    type: incident.type,
    severity: SEVERITIES.indexOf(incident.severity),
    confidence: incident.confidence,
    reportedAt: Date.parse(incident.reported_at),
    occurredAt: Date.parse(incident.occurred_at),
    lat: incident.lat,
    lng: incident.lng,
    search: searchText(incident),
    mayAdd,
  }
}
