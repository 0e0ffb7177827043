import { type EventKind, type Incident, orderIncidentFields } from '../domain/incident.ts'
import type { LostIncident } from '../domain/message-content.ts'
import type { Actor } from '../domain/moderation.ts'
import { timeText } from '../lib/time.ts'
import {
  type EventLog,
  type IncidentChange,
  type IncidentRecord,
  isSameLink,
  type LogEvent,
  type Store,
} from '../store/store.ts'
import { decidedChange, moderatedIncidentOf, newHistoryEntry, repeatWhileStale } from './decision.ts'

/** The events that a node has, and the log has not any more. */
export interface Loss {
  /** The last event that both have; null if it came before all that the node remembers. */
  readonly commonSeq: number | null
  readonly seenSeq: number
  /** As many as the node remembers, in order. */
  readonly events: readonly LogEvent[]
}

interface RememberedEvents {
  /** The earliest position after which every event is here, and every link. */
  readonly since: number
  readonly linkedSince: number
  after(seq: number, limit: number): readonly LogEvent[] | null
  /** Null if it is not known. */
  linkOf(seq: number): string | null
}

export async function findLoss(
  log: Pick<EventLog, 'linkOf'>,
  recent: RememberedEvents,
  seenSeq: number,
): Promise<Loss> {
  const isLost = async (seq: number) => {
    const link = await log.linkOf(seq)
    return link === null || !isSameLink(link, recent.linkOf(seq) ?? '')
  }
  // A log that has an event has all before it.
  let common = recent.linkedSince
  let lost = seenSeq + 1
  while (lost - common > 1) {
    const middle = Math.floor((common + lost) / 2)
    if (await isLost(middle)) lost = middle
    else common = middle
  }
  const isKnown = common > recent.linkedSince || common === 0 || !(await isLost(common))
  const events = recent.after(Math.max(common, recent.since), seenSeq) ?? []
  return { commonSeq: isKnown ? common : null, seenSeq, events }
}

/** Above it, the database was put back on purpose. */
const MAX_INCIDENTS = 1000
const BY: Actor = { key_id: 'system', account_id: null, name: 'Incident Feed' }
const NOTE = 'The database has lost its latest writes; this was public before.'

/**
 * Tells those who were told of lost events what holds now: that the incident is retracted, because
 * it was lost, or how it stands. Other nodes may do the same. Returns for how many incidents.
 */
export async function retractLost({ events }: Loss, store: Store, now: number): Promise<number> {
  const told = events.filter(({ kind }) => kind !== 'incident.imported')
  const byIncident = [...Map.groupBy(told, ({ incidentId }) => incidentId).values()]
  if (byIncident.length > MAX_INCIDENTS) return 0
  let repaired = 0
  for (const lost of byIncident)
    await repeatWhileStale(async () => {
      const change = await changeAfterLoss(lost, store, now)
      if (change === null) return
      await store.incidents.save([change], now)
      repaired++
    })
  return repaired
}

/** Null if nobody has to be told. `lost` are the events of an incident, in order. */
async function changeAfterLoss(lost: readonly LogEvent[], store: Store, now: number): Promise<IncidentChange | null> {
  const last = lost.at(-1)!
  const seen: Incident = JSON.parse(last.document)
  const [record] = await store.incidents.findRecords([seen.id])
  const stored = record?.incident
  // Another node was faster, or the desk has gone on.
  if (stored !== undefined && stored.version > seen.version) return null
  const isPublic = stored?.status === 'confirmed'
  const isGone = (event: LogEvent) => event.kind === 'incident.retracted'
  // A receiver that was told that it is public may not have been told yet that it is not.
  if (!isPublic && lost.every(isGone)) return null
  const updated = { updated_at: timeText(now), version: seen.version + 1 }
  // The desk had withdrawn it, and it stays so; but not if it had only been merged.
  if (isPublic && (!isGone(last) || seen.merged_into !== undefined))
    return changeTo({ ...stored, ...updated }, 'update', 'incident.updated', record, now)
  // A report that had been confirmed is retracted as it was published.
  const { merged_into: _, ...published } = seen
  const content = stored === undefined || stored.published_at === null ? published : stored
  const status = stored?.status === 'merged' ? 'merged' : 'retracted'
  const retracted: LostIncident = { ...orderIncidentFields(content), ...updated, status, reason: 'lost' }
  return changeTo(retracted, 'retract', 'incident.retracted', record, now)
}

function changeTo(
  incident: Incident,
  step: 'update' | 'retract',
  event: EventKind,
  record: IncidentRecord | undefined,
  now: number,
): IncidentChange {
  const decision = { by: BY, note: NOTE, expected: null, now }
  if (record !== undefined) {
    const current = moderatedIncidentOf(record)
    return decidedChange(step, current, { incident, moderation: current.moderation }, decision, { event })
  }
  const historyEntry = newHistoryEntry(step, incident.version, decision)
  return { incident, event, replaces: { version: 0 }, historyEntry }
}
