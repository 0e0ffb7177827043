import type { ImportTally } from '../../../domain/import-report.ts'
import type { ImportChangeWrite, IncidentChange, IncidentRecord } from '../../../store/store.ts'
import type { Batch } from '../batches.ts'
import { OutcomeCounter, type Reconciliation } from '../outcome.ts'
import type { PreparedRow } from '../prepare-row.ts'
import type { ImportContext } from './import-context.ts'
import { reconcileIncident } from './reconcile-incident.ts'
import { reconcileReport } from './reconcile-report.ts'

export interface ReconciledBatch {
  readonly changes: readonly IncidentChange[]
  /** What the run made of each incident, one for each. */
  readonly importChanges: readonly ImportChangeWrite[]
  readonly tally: ImportTally
}

/** Reconciles each row with the result of the rows before: an id may recur in a batch. */
export function reconcileBatch(
  batch: Batch,
  stored: readonly IncidentRecord[],
  context: ImportContext,
): ReconciledBatch {
  const records = new Map(stored.map((record) => [record.incident.id, record]))
  const changes: IncidentChange[] = []
  const importChanges = new Map<string, ImportChangeWrite>()
  const counter = new OutcomeCounter()
  for (const { row, prepared } of batch.rows) {
    if (prepared.kind === 'rejected') {
      counter.count('rejected', row, prepared.reason)
      continue
    }
    const { id } = prepared
    const before = records.get(id)
    const result = reconcileRow(prepared, before, context)
    counter.count(result.outcome, row, 'reason' in result ? result.reason : '')
    const poorerFields = 'poorerFields' in result ? (result.poorerFields ?? []) : []
    counter.countPoorer(poorerFields, row, id)
    if (result.outcome === 'poorer') {
      const { version } = result
      importChanges.set(id, importChanges.get(id) ?? { incidentId: id, outcome: 'poorer', version, poorerFields })
    }
    if (!('change' in result)) continue
    const { incident, moderation } = result.change
    changes.push(result.change)
    const earlier = importChanges.get(id)?.outcome ?? 'poorer'
    const outcome = earlier !== 'poorer' ? earlier : result.outcome === 'new' ? 'created' : 'updated'
    importChanges.set(id, { incidentId: id, outcome, version: incident.version, poorerFields })
    records.set(id, { incident, moderation: moderation ?? before?.moderation ?? null, claim: null })
  }
  return { changes, importChanges: [...importChanges.values()], tally: counter.tally }
}

function reconcileRow(
  prepared: Exclude<PreparedRow, { kind: 'rejected' }>,
  record: IncidentRecord | undefined,
  context: ImportContext,
): Reconciliation {
  return prepared.kind === 'report'
    ? reconcileReport(prepared, record, context)
    : reconcileIncident(prepared, record, context)
}
