import type { Reliability } from '../../domain/confidence/reliability.ts'
import type { IncidentChange, IncidentRecord } from '../../store/store.ts'
import type { Batch } from './batches.ts'
import type { Reconciliation } from './outcome.ts'
import { Counter, type Tally } from './outcome.ts'
import type { PreparedRow } from './prepare-row.ts'
import { reconcileIncident } from './reconcile-incident.ts'
import { reconcileReport } from './reconcile-report.ts'

export interface DecidedBatch {
  readonly changes: readonly IncidentChange[]
  readonly tally: Tally
}

/** Row by row, each against what the ones before it leave: an id may stand in a batch more than once. */
export function reconcileBatch(
  batch: Batch,
  files: readonly IncidentRecord[],
  now: number,
  reliability: Reliability,
): DecidedBatch {
  const filed = new Map(files.map((file) => [file.incident.id, file]))
  const changes: IncidentChange[] = []
  const counter = new Counter()
  for (const { row, prepared } of batch.rows) {
    if (prepared.kind === 'rejected') {
      counter.count('rejected', row, prepared.reason)
      continue
    }
    const before = filed.get(prepared.id)
    const decision = decide(prepared, before, now, reliability)
    counter.count(decision.outcome, row, 'reason' in decision ? decision.reason : '')
    if (!('change' in decision)) continue
    const { incident, moderation } = decision.change
    changes.push(decision.change)
    filed.set(prepared.id, { incident, moderation: moderation ?? before?.moderation ?? null })
  }
  return { changes, tally: counter.tally }
}

function decide(
  prepared: Exclude<PreparedRow, { kind: 'rejected' }>,
  filed: IncidentRecord | undefined,
  now: number,
  reliability: Reliability,
): Reconciliation {
  return prepared.kind === 'report'
    ? reconcileReport(prepared, filed, now, reliability)
    : reconcileIncident(prepared, filed, now)
}
