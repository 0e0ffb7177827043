import { reliabilityFrom } from '../../../src/domain/confidence/reliability.ts'
import type { Incident } from '../../../src/domain/incident.ts'
import { openGeography } from '../../../src/geo/geography.ts'
import { FORMATS, type FormatName } from '../../../src/intake/importing/formats/formats.ts'
import { type ImportOptions, type ImportResult, importFile } from '../../../src/intake/importing/import.ts'
import type { Counts } from '../../../src/intake/importing/outcome.ts'
import type { Store } from '../../../src/store/store.ts'
import { type Content, NOW, openOf } from './formats/reading.ts'

export const geography = openGeography(null)

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
    map: new Map(),
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
