import { randomBytes } from 'node:crypto'
import { basename } from 'node:path'
import { ACLED_DATASET } from '../../desk/importing/formats/acled.ts'
import type { Mapping } from '../../desk/importing/formats/format.ts'
import { UCDP_DATASET } from '../../desk/importing/formats/ucdp.ts'
import type { Checkpoint, FormatName, RunningImport } from '../../desk/importing/import.ts'
import { EMPTY_TALLY } from '../../desk/importing/tally.ts'
import { newIdentifier } from '../../domain/identifier.ts'
import type { ImportReport, ImportSettings } from '../../domain/import-report.ts'
import type { Store } from '../../store/store.ts'
import { commandActor, onRecord } from '../on-record.ts'
import type { Input } from './input.ts'
import type { ImportOptions } from './options.ts'

const DATASETS: Readonly<Partial<Record<FormatName, string>>> = {
  ucdp: UCDP_DATASET.dataset,
  acled: ACLED_DATASET.dataset,
}

/** A new run, or the one that a checkpoint continues. */
export async function startRun(
  options: ImportOptions,
  input: Input,
  checkpointId: string | null,
  after: Checkpoint | null,
  store: Store,
  now: number,
): Promise<RunningImport> {
  const earlier = after === null ? null : await store.imports.find(after.runId)
  if (earlier !== null) return { id: earlier.id, report: earlier.report, begin: async () => {} }
  const id = after?.runId ?? newIdentifier('import', now, randomBytes)
  const { format, mapping, file } = options
  const digest = await input.digest()
  const report: ImportReport = {
    by: commandActor(),
    file: basename(file),
    bytes: digest?.bytes ?? null,
    sha256: digest?.sha256 ?? null,
    format,
    dataset: DATASETS[format] ?? mapping.constants.get('dataset') ?? null,
    settings: settingsOf(mapping, options.replace),
    tally: EMPTY_TALLY,
    checkpoint: checkpointId,
    duplicatePairs: null,
    undo: null,
  }
  const act = { action: 'import.run', subject: id, after: { file: report.file, sha256: report.sha256, format } }
  return {
    id,
    report,
    begin: () => onRecord(store, act).imports.begin({ id, startedAt: now, updatedAt: now, state: 'running', report }),
  }
}

function settingsOf({ columns, values, constants }: Mapping, replace: boolean): ImportSettings {
  return {
    columns: Object.fromEntries(columns),
    values: Object.fromEntries([...values].map(([field, pairs]) => [field, Object.fromEntries(pairs)])),
    constants: Object.fromEntries(constants),
    replace,
  }
}
