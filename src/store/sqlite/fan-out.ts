import type { Delivery } from '../../domain/delivery.ts'
import type { Dispatch, FanOutChunk, NewDelivery } from '../interface/deliveries.ts'
import { markResent } from '../queries/deliveries.ts'
import { ENDPOINT_COLUMNS, type TargetRow, targetOf } from '../queries/delivery-rows.ts'
import { noteDue } from '../queries/heads.ts'
import type { Database } from './database.ts'

// Differs from PostgreSQL's: here each delivery is a statement, there all are one.

export function writeChunk(
  database: Database,
  owner: string,
  { from, to, deliveries }: FanOutChunk,
  now: number,
  leaseUntil: number | null,
): Dispatch[] | null {
  return database.transaction(() => {
    const moved = database.run(
      `UPDATE fan_out SET seq = ?, after_watch_id = ?
       WHERE owner = ? AND seq = ? AND after_watch_id IS ?`,
      [to.seq, to.afterWatchId, owner, from.seq, from.afterWatchId],
    )
    if (moved === 0) return null
    return insertDeliveries(database, deliveries, now, leaseUntil === null ? null : { owner, until: leaseUntil })
  })
}

/** As `writeChunk`, for deliveries that somebody asks for. */
export function addDeliveries(database: Database, deliveries: readonly NewDelivery[], now: number): number {
  return database.transaction(() => {
    const ids = insertDeliveries(database, deliveries, now, null).map(({ delivery }) => delivery.id)
    if (ids.length > 0) database.perform(markResent(ids))
    return ids.length
  })
}

interface WatchTarget extends TargetRow {
  name: string
  host: string
  createdSeq: number
  sequence: number
}

/** Runs within the caller's transaction. Without a lease the deliveries are due at once. */
function insertDeliveries(
  database: Database,
  deliveries: readonly NewDelivery[],
  now: number,
  lease: { owner: string; until: number } | null,
): Dispatch[] {
  const dispatches: Dispatch[] = []
  // In a burst a watch has many: its sequence is written once.
  const targets = targetsOf(database, new Set(deliveries.map(({ watchId }) => watchId)))
  for (const { id, watchId, eventSeq, kind, critical, severity = null, dueAt } of deliveries.toSorted(
    (a, b) => a.eventSeq - b.eventSeq,
  )) {
    const watch = targets.get(watchId)
    if (watch === undefined || watch.createdSeq >= eventSeq) continue
    const delivery: Delivery = {
      id,
      watchId,
      eventSeq,
      sequence: watch.sequence + 1,
      kind,
      watchName: watch.name,
      host: watch.host,
      critical,
      severity,
      test: false,
      status: 'pending',
      attempts: 0,
      maybeAttempted: false,
      tries: 0,
      dueAt: dueAt ?? lease?.until ?? now,
      leaseOwner: dueAt === undefined ? (lease?.owner ?? null) : null,
      createdAt: now,
      finishedAt: null,
    }
    if (!insertDelivery(database, delivery)) continue
    watch.sequence++
    dispatches.push({ delivery, ...targetOf(watch), postponed: false })
  }
  for (const [watchId, { sequence }] of targets)
    database.run('UPDATE watch_progress SET sequence = ? WHERE watch_id = ?', [sequence, watchId])
  if (dispatches.some(({ delivery }) => isDue(delivery, now))) database.perform(noteDue())
  return dispatches
}

function isDue({ leaseOwner, dueAt }: Delivery, now: number): boolean {
  return leaseOwner === null && dueAt! <= now
}

/** The active ones of these watches. */
function targetsOf(database: Database, watchIds: ReadonlySet<string>): ReadonlyMap<string, WatchTarget> {
  const rows = database.all<WatchTarget & { id: string }>(
    `SELECT watches.id, watches.name, watches.host, ${ENDPOINT_COLUMNS},
            watches.created_seq AS createdSeq, watches.account_id,
            watch_progress.sequence, watch_progress.failing_since
     FROM json_each(?) AS asked
     JOIN watches ON watches.id = asked.value
     JOIN watch_progress ON watch_progress.watch_id = watches.id
     WHERE watches.status = 'active'`,
    [JSON.stringify([...watchIds])],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns false if the watch already has a delivery of this event. */
function insertDelivery(database: Database, delivery: Delivery): boolean {
  const inserted = database.run(
    `INSERT INTO deliveries (id, watch_id, event_seq, sequence, kind, watch_name, host, critical, due_at, lease_owner,
                             created_at, severity, status, attempts, tries)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', 0, 0)
     ON CONFLICT (event_seq, watch_id) WHERE test = 0 DO NOTHING`,
    [
      delivery.id,
      delivery.watchId,
      delivery.eventSeq,
      delivery.sequence,
      delivery.kind,
      delivery.watchName,
      delivery.host,
      Number(delivery.critical),
      delivery.dueAt,
      delivery.leaseOwner,
      delivery.createdAt,
      delivery.severity,
    ],
  )
  return inserted === 1
}
