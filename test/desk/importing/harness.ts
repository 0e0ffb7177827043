import { randomBytes } from 'node:crypto'
import { NO_MAPPING } from '../../../src/desk/importing/formats/format.ts'
import {
  FORMATS,
  type FormatName,
  type ImportOptions,
  type ImportResult,
  importFile,
} from '../../../src/desk/importing/import.ts'
import { EMPTY_TALLY } from '../../../src/desk/importing/reconcile.ts'
import { reliabilityFrom } from '../../../src/domain/confidence.ts'
import { newIdentifier } from '../../../src/domain/identifier.ts'
import type { Counts, ImportReport } from '../../../src/domain/import-report.ts'
import type { Incident } from '../../../src/domain/incident.ts'
import { openGeography } from '../../../src/geo/geography.ts'
import type { Store } from '../../../src/store/store.ts'
import { type Content, NOW, openOf } from './formats/fixtures.ts'

const geography = openGeography(null)

/** Imports a text as if it were a file. */
export function importText(
  store: ImportOptions['store'],
  format: FormatName,
  content: Content,
  changes: Partial<ImportOptions> = {},
): Promise<ImportResult> {
  return importFile({
    format: FORMATS[format],
    open: openOf(content),
    mapping: NO_MAPPING,
    replace: false,
    run: aRun(store, format),
    store,
    geography,
    reliability: reliabilityFrom(),
    clock: () => NOW,
    id: 'a file',
    after: null,
    rejectedRows: null,
    signal: new AbortController().signal,
    ...changes,
  })
}

/** A run that is stored before its first batch. */
export function aRun(store: Pick<Store, 'imports'>, format: FormatName): NonNullable<ImportOptions['run']> {
  const id = newIdentifier('import', NOW, randomBytes)
  const report = anImportReport({ format })
  return {
    id,
    report,
    begin: () => store.imports.begin({ id, startedAt: NOW, updatedAt: NOW, state: 'running', report }),
  }
}

export function anImportReport(changes: Partial<ImportReport> = {}): ImportReport {
  return {
    by: 'Ada, at the command line',
    file: 'events.csv',
    bytes: 1000,
    sha256: 'ab'.repeat(32),
    format: 'csv',
    dataset: null,
    settings: { columns: {}, values: {}, constants: {}, replace: false },
    tally: EMPTY_TALLY,
    checkpoint: null,
    duplicatePairs: null,
    undo: null,
    ...changes,
  }
}

/** The counts that are not 0. */
export function countsIn({ tally }: Pick<ImportResult, 'tally'>): Partial<Counts> {
  return Object.fromEntries(Object.entries(tally.counts).filter(([, count]) => count > 0))
}

export async function archiveOf(store: Store): Promise<Incident[]> {
  const incidents: Incident[] = []
  for await (const { bytes, ends } of (await store.incidents.snapshot()).chunks) {
    let start = 0
    for (const end of ends) {
      incidents.push(JSON.parse(Buffer.from(bytes.subarray(start, end)).toString()) as Incident)
      start = end
    }
  }
  return incidents
}
