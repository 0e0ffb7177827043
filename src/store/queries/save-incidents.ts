import type { HistoryEntry } from '../../domain/moderation.ts'
import { STATE_BEFORE } from '../../domain/sources.ts'
import { type ImportBatch, StaleVersion } from '../store.ts'
import { type ChainHead, linksAfter, lockedChainHead } from './chain.ts'
import { ALSO_NOTIFY, among, differing, eachRow, insertedRows, NO_TEST } from './dialect.ts'
import { nextDeskRevision, noteDue } from './heads.ts'
import { begin, type Query, rows, run, sql, unchanged, type Value } from './query.ts'
import type {
  AppendedEvents,
  DecidedPair,
  DecidedProposal,
  DeskEntryWrite,
  EventWrite,
  HistoryWrite,
  IncidentWrite,
  WritePlan,
} from './write-plan.ts'

/**
 * Writes everything of one save: events, incidents, their history and entries at the desk, and the
 * decisions that they record. Returns the log's head after the plan's events. The log's head is
 * locked first: with one writer at a time no two can wait for each other.
 */
export function* savePlan(plan: WritePlan): Query<AppendedEvents> {
  yield* begin()
  const { batch, now } = plan
  const before = yield* lockedChainHead(now)
  if (batch !== null) yield* saveStoredBefore(batch)
  yield* writeIncidents(plan.incidents)
  if (plan.historyEntries.length > 0) yield* addHistoryEntries(plan.historyEntries)
  const deskEntries = plan.incidents.flatMap(({ deskEntry }) => deskEntry ?? [])
  if (deskEntries.length > 0) yield* writeDeskEntries(deskEntries)
  if (plan.revived.length > 0) yield* reviveDeliveries(plan.revived, now)
  if (plan.decided.length > 0) yield* decideProposals(plan.decided, now)
  if (plan.decidedPairs.length > 0) yield* decidePairs(plan.decidedPairs, now)
  if (batch !== null) yield* saveBatch(batch, now)
  return yield* appendEvents(before, plan.events, now)
}

/** A head further in the future than this was written by a wrong clock. */
const MAX_AHEAD_MS = 86_400_000
/** A clock that says less has lost its battery: it is no reason to go back. */
const EARLIEST_TIME = Date.UTC(2026, 0, 1)

const EVENTS = insertedRows({
  seq: 'bigint',
  kind: 'text',
  at: 'bigint',
  incident_id: 'text',
  document: 'text',
  link: 'text',
  seal: 'text',
})

/**
 * The head stays locked until the transaction ends: the next writer gets its numbers once these
 * events are visible. Times never decrease, even if the clock is set back; except to leave a time
 * more than a day in the future, which would otherwise be the time of every event until then.
 */
function* appendEvents(before: ChainHead, events: readonly EventWrite[], now: number): Query<AppendedEvents> {
  if (events.length === 0) return { ...before, links: [] }
  const isWrong = before.at - now > MAX_AHEAD_MS && now >= EARLIEST_TIME
  const head = { seq: before.seq + events.length, at: isWrong ? now : Math.max(before.at, now) }
  const numbered = events.map((event, index) => ({ ...event, seq: before.seq + index + 1, at: head.at }))
  const links = linksAfter(before, numbered)
  const appended = numbered.map(({ seq, kind, at, incidentId, document, seal }, index) => [
    seq,
    kind,
    at,
    incidentId,
    document,
    links?.[index] ?? null,
    seal,
  ])
  yield* run(sql`INSERT INTO events (seq, kind, at, incident_id, document, link, seal) ${EVENTS(appended)}`)
  const link = links?.at(-1) ?? before.link
  const linkedSeq = links === null ? before.linkedSeq : head.seq
  yield* run(
    sql`UPDATE log_head SET seq = ${head.seq}, at = ${head.at}, link = ${link}, linked_seq = ${linkedSeq}
        ${ALSO_NOTIFY.events}`,
  )
  return { ...head, link: links === null ? '' : link, links: links ?? [] }
}

const INCIDENT = {
  id: 'text',
  version: 'integer',
  status: 'text',
  published_at: 'bigint',
  occurred_at: 'bigint',
  document: 'text',
  dossier: 'text',
} as const
const NEW = insertedRows(INCIDENT)
/** SQLite counts the changes of each row. */
const WRITTEN = differing('', 'RETURNING incidents.id')
const NEXT = eachRow('next', { ...INCIDENT, expected: 'integer', expected_status: 'text' })

function* writeIncidents(incidents: readonly IncidentWrite[]): Query<void> {
  const added: Value[][] = []
  const changed: Value[][] = []
  for (const row of incidents)
    if (row.expected === 0) added.push(incidentValues(row))
    else changed.push(replacingValues(row))
  const existing =
    added.length === 0
      ? NONE
      : yield* unchanged(
          sql`INSERT INTO incidents (id, version, status, published_at, occurred_at, document, dossier)
              ${NEW(added)}
              ON CONFLICT (id) DO NOTHING ${WRITTEN}`,
        )
  const stale =
    changed.length === 0
      ? NONE
      : yield* unchanged(
          sql`UPDATE incidents
              SET version = ${NEXT.version}, status = ${NEXT.status}, published_at = ${NEXT.published_at},
                  occurred_at = ${NEXT.occurred_at}, document = ${NEXT.document},
                  dossier = coalesce(${NEXT.dossier}, incidents.dossier)
              ${NEXT.from(changed)}
              WHERE incidents.id = ${NEXT.id} AND incidents.version = ${NEXT.expected}
                AND (${NEXT.expected_status} IS NULL OR incidents.status = ${NEXT.expected_status})
              ${WRITTEN}`,
        )
  if (existing.length + stale.length === 0) return
  const refused = new Set([...existing, ...stale])
  throw new StaleVersion(incidents.find(({ id }) => refused.has(id))!.id)
}

const NONE: readonly string[] = []

function incidentValues({ id, version, status, publishedAt, occurredAt, document, moderation }: IncidentWrite) {
  return [id, version, status, publishedAt, occurredAt, document, moderation]
}

function replacingValues(row: IncidentWrite) {
  const { id, version, status, publishedAt, occurredAt, document, moderation, expected, expectedStatus } = row
  return [id, version, status, publishedAt, occurredAt, document, moderation, expected, expectedStatus]
}

const STEPS = insertedRows({
  incident_id: 'text',
  step: 'text',
  version: 'integer',
  at: 'bigint',
  key_id: 'text',
  actor: 'text',
  note: 'text',
  fields: 'text',
  step_id: 'text',
  account_id: 'text',
  changes: 'text',
  other: 'text',
})

/** Within the caller's transaction. */
export function* addHistoryEntries(entries: readonly HistoryWrite[]): Query<void> {
  const values = entries.map(({ incidentId, entry }) => [incidentId, ...historyEntryValues(entry)])
  yield* run(
    sql`INSERT INTO steps (incident_id, step, version, at, key_id, actor, note, fields, step_id, account_id, changes, other)
        ${STEPS(values)}`,
  )
}

/** In the order of the table's columns, after the incident's id. */
function historyEntryValues({ id, step, version, at, by, note, fields, changes, other }: HistoryEntry) {
  const values = [step, version, at, by.key_id, by.name, note, JSON.stringify(fields)] as const
  return [...values, id, by.account_id, JSON.stringify(changes), other] as const
}

const ENTRIES = insertedRows(
  {
    id: 'text',
    revision: 'bigint',
    status: 'text',
    version: 'integer',
    origin: 'text',
    state: 'text',
    lga: 'text',
    type: 'text',
    severity: 'integer',
    confidence: 'double precision',
    reported_at: 'bigint',
    occurred_at: 'bigint',
    lat: 'double precision',
    lng: 'double precision',
    search: 'text',
  },
  { origin: `coalesce(next.origin, (SELECT origin FROM desk_entries WHERE id = next.id), 'api')` },
)

/** Writes the desk's queue, within the caller's transaction. A change of status ends the claim. */
export function* writeDeskEntries(all: readonly DeskEntryWrite[]): Query<void> {
  const entries = yield* addedOrKnown(all)
  if (entries.length === 0) return
  let revision = (yield* nextDeskRevision(entries.length)) - entries.length
  const values = entries.map((entry) => [
    entry.id,
    ++revision,
    entry.status,
    entry.version,
    entry.origin,
    entry.state,
    entry.lga,
    entry.type,
    entry.severity,
    entry.confidence,
    entry.reportedAt,
    entry.occurredAt,
    entry.lat,
    entry.lng,
    entry.search,
  ])
  yield* run(
    sql`INSERT INTO desk_entries (id, revision, status, version, origin, state, lga, type, severity, confidence,
                                  reported_at, occurred_at, lat, lng, search)
        ${ENTRIES(values)}
        ON CONFLICT (id) DO UPDATE
        SET revision = excluded.revision, status = excluded.status, version = excluded.version,
            origin = excluded.origin, state = excluded.state, lga = excluded.lga, type = excluded.type,
            severity = excluded.severity, confidence = excluded.confidence, reported_at = excluded.reported_at,
            occurred_at = excluded.occurred_at, lat = excluded.lat, lng = excluded.lng, search = excluded.search,
            claimed_by = CASE WHEN desk_entries.status = excluded.status THEN desk_entries.claimed_by END,
            claim_name = CASE WHEN desk_entries.status = excluded.status THEN desk_entries.claim_name END,
            claimed_until = CASE WHEN desk_entries.status = excluded.status THEN desk_entries.claimed_until END`,
  )
}

/** Leaves out those that are changed only if the desk knows them. */
function* addedOrKnown(entries: readonly DeskEntryWrite[]): Query<readonly DeskEntryWrite[]> {
  const unsure = entries.filter(({ mayAdd }) => !mayAdd).map(({ id }) => id)
  if (unsure.length === 0) return entries
  const known = yield* unsure.length === 1
    ? rows<{ id: string }>(sql`SELECT id FROM desk_entries WHERE id = ${unsure[0]!}`)
    : rows<{ id: string }>(sql`SELECT id FROM desk_entries WHERE id ${among(unsure)}`)
  const ids = new Set(known.map(({ id }) => id))
  return entries.filter(({ mayAdd, id }) => mayAdd || ids.has(id))
}

/** Makes messages of a publication due again that were cancelled while it was withdrawn. */
function* reviveDeliveries(incidentIds: readonly string[], now: number): Query<void> {
  const revived = yield* run(
    sql`UPDATE deliveries SET status = 'pending', tries = 0, finished_at = NULL, due_at = ${now}, lease_owner = NULL
        WHERE status = 'cancelled' AND kind = 'incident.created' AND ${NO_TEST} AND event_seq IN (
          SELECT seq FROM events
          WHERE incident_id ${among(incidentIds)} AND document IS NOT NULL AND kind = 'incident.created')`,
  )
  if (revived > 0) yield* noteDue()
}

function* decideProposals(decided: readonly DecidedProposal[], now: number): Query<void> {
  for (const { id, state, incidentId } of decided) {
    const changed = yield* run(
      sql`UPDATE proposed_sources SET state = ${state}, decided_at = ${state === 'open' ? null : now}
          WHERE id = ${id} AND state = ${STATE_BEFORE[state]}`,
    )
    if (changed === 0) throw new StaleVersion(incidentId)
  }
}

function* decidePairs(decided: readonly DecidedPair[], now: number): Query<void> {
  for (const { oneId, otherId, dismissal, replaces, incidentId } of decided) {
    if (replaces !== null) {
      const removed = yield* run(
        sql`DELETE FROM dismissed_pairs
            WHERE one_id = ${oneId} AND other_id = ${otherId} AND dismissed_at = ${replaces}`,
      )
      if (removed === 0) throw new StaleVersion(incidentId)
    }
    if (dismissal === null) continue
    const { oneVersion, otherVersion, evidence } = dismissal
    const added = yield* run(
      sql`INSERT INTO dismissed_pairs (one_id, other_id, one_version, other_version, evidence, dismissed_at)
          VALUES (${oneId}, ${otherId}, ${oneVersion}, ${otherVersion}, ${evidence}, ${now})
          ON CONFLICT DO NOTHING`,
    )
    if (added === 0) throw new StaleVersion(incidentId)
  }
}

const CHANGE = eachRow('next', {
  import_id: 'text',
  incident_id: 'text',
  outcome: 'text',
  version: 'integer',
  poorer_fields: 'text',
})

/**
 * Notes what an import's batch makes of each incident, with its text before the write. A run that
 * changes an incident twice keeps the first text.
 */
function* saveStoredBefore({ run: importRun, changes }: ImportBatch): Query<void> {
  if (importRun === null) return
  const values = changes.map(({ incidentId, outcome, version, poorerFields }) => [
    importRun.id,
    incidentId,
    outcome,
    version,
    JSON.stringify(poorerFields),
  ])
  yield* run(
    sql`INSERT INTO import_changes (import_id, incident_id, outcome, version, poorer_fields, before_document, before_dossier)
        SELECT ${CHANGE.import_id}, ${CHANGE.incident_id}, ${CHANGE.outcome}, ${CHANGE.version}, ${CHANGE.poorer_fields},
               stored.document, stored.dossier
        FROM ${CHANGE.table(values)}
        LEFT JOIN incidents AS stored ON stored.id = ${CHANGE.incident_id} AND ${CHANGE.outcome} = 'updated'
        WHERE true
        ON CONFLICT (import_id, incident_id) DO UPDATE
        SET version = excluded.version, poorer_fields = excluded.poorer_fields,
            outcome = CASE WHEN import_changes.outcome = 'poorer' THEN excluded.outcome ELSE import_changes.outcome END,
            before_document = CASE WHEN import_changes.outcome = 'poorer' THEN excluded.before_document
                              ELSE import_changes.before_document END,
            before_dossier = CASE WHEN import_changes.outcome = 'poorer' THEN excluded.before_dossier
                             ELSE import_changes.before_dossier END`,
  )
}

const RESTORED = eachRow('next', { incident_id: 'text', before: 'integer', version: 'integer' })
const PAIRS = insertedRows({
  incident_id: 'text',
  other_id: 'text',
  import_id: 'text',
  score: 'double precision',
  proposed_at: 'bigint',
})

function* saveBatch({ checkpoint, run: importRun, undone, pairs = [] }: ImportBatch, now: number): Query<void> {
  if (checkpoint !== null)
    yield* run(
      sql`INSERT INTO imports (id, checkpoint, updated_at) VALUES (${checkpoint.id}, ${checkpoint.checkpoint}, ${now})
          ON CONFLICT (id) DO UPDATE SET checkpoint = excluded.checkpoint, updated_at = excluded.updated_at`,
    )
  if (importRun === null) return
  if (undone.length > 0) {
    yield* run(
      sql`UPDATE import_changes SET undone_at = ${now}, before_document = NULL, before_dossier = NULL
          WHERE import_id = ${importRun.id} AND incident_id ${among(undone.map(({ incidentId }) => incidentId))}`,
    )
    // The incidents are what an earlier run had made of them: that one can be undone next.
    yield* run(
      sql`UPDATE import_changes SET version = ${RESTORED.version}
          ${RESTORED.from(undone.map(({ incidentId, versionBefore, version }) => [incidentId, versionBefore, version]))}
          WHERE import_changes.incident_id = ${RESTORED.incident_id} AND import_changes.version = ${RESTORED.before}
            AND undone_at IS NULL AND outcome <> 'poorer'`,
    )
  }
  yield* run(
    sql`INSERT INTO duplicate_pairs (incident_id, other_id, import_id, score, proposed_at)
        ${PAIRS(pairs.map(({ incidentId, otherId, score }) => [incidentId, otherId, importRun.id, score, now]))}
        ON CONFLICT DO NOTHING`,
  )
  yield* run(
    sql`UPDATE import_runs SET state = ${importRun.state}, report = ${JSON.stringify(importRun.report)},
                               updated_at = ${now}
        WHERE id = ${importRun.id}`,
  )
}
