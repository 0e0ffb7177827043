import type { Reliability } from '../../domain/confidence/reliability.ts'
import type { IncidentChange, IncidentRecord } from '../../store/store.ts'
import type { Batch } from './batches.ts'
import type { Reconciliation } from './outcome.ts'
import { type ImportTally, OutcomeCounter } from './outcome.ts'
import type { PreparedRow } from './prepare-row.ts'
import { reconcileIncident } from './reconcile-incident.ts'
import { reconcileReport } from './reconcile-report.ts'

export interface ReconciledBatch {
  readonly changes: readonly IncidentChange[]
  readonly tally: ImportTally
}

/** Reconciles each row with the result of the rows before: an id may recur in a batch. */
export function reconcileBatch(
  batch: Batch,
  stored: readonly IncidentRecord[],
  now: number,
  reliability: Reliability,
): ReconciledBatch {
  const records = new Map(stored.map((record) => [record.incident.id, record]))
  const changes: IncidentChange[] = []
  const counter = new OutcomeCounter()
  for (const { row, prepared } of batch.rows) {
    if (prepared.kind === 'rejected') {
      counter.count('rejected', row, prepared.reason)
      continue
    }
    const before = records.get(prepared.id)
    const result = reconcileRow(prepared, before, now, reliability)
    counter.count(result.outcome, row, 'reason' in result ? result.reason : '')
    if (!('change' in result)) continue
    const { incident, moderation } = result.change
    changes.push(result.change)
    records.set(prepared.id, { incident, moderation: moderation ?? before?.moderation ?? null, claim: null })
  }
  return { changes, tally: counter.tally }
}

function reconcileRow(
  prepared: Exclude<PreparedRow, { kind: 'rejected' }>,
  record: IncidentRecord | undefined,
  now: number,
  reliability: Reliability,
): Reconciliation {
  return prepared.kind === 'report'
    ? reconcileReport(prepared, record, now, reliability)
    : reconcileIncident(prepared, record, now)
}
