import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { ucdp } from '../../src/desk/importing/formats/ucdp.ts'
import { prepareRow } from '../../src/desk/importing/prepare-row.ts'
import type { Casualties } from '../../src/domain/incident.ts'
import type { Comparable } from '../../src/domain/near-duplicates.ts'
import { openGeography } from '../../src/geo/geography.ts'

const path = fileURLToPath(new URL('../../../shared/data/ucdp_ged_nigeria_1990_2019.csv', import.meta.url))

/** False, or the reason why there are no events to measure with. */
export const absent: false | string = existsSync(path) ? false : `${path} is not there`

/** A UCDP event as the importer would store it, with the columns that make pairs. */
export interface Event {
  readonly id: number
  readonly incident: Comparable
  readonly day: string
  /** The name of the place or LGA; null if only the state is known. */
  readonly where: string | null
  readonly headlines: readonly string[]
  readonly tolls: { readonly low: Casualties; readonly high: Casualties }
}

/** Events known to the day and at least to the LGA. */
export async function readEvents(): Promise<Event[]> {
  const rows = new Map(
    (parse(readFileSync(path), { columns: true }) as Record<string, string>[]).map((row) => [Number(row.id), row]),
  )
  const geography = openGeography(null)
  const events: Event[] = []
  for await (const row of ucdp.read((start) => createReadStream(path, { start }), { now: Date.now() })) {
    const prepared = prepareRow(row, geography)
    if (prepared.kind !== 'report') continue
    const id = Number(prepared.sourceId.split(':')[1])
    const columns = rows.get(id)!
    if (Number(columns.date_prec) !== 1 || Number(columns.where_prec) > 3) continue
    const { report, placement } = prepared
    const { type, occurred_at, time_precision, casualties } = report
    events.push({
      id,
      incident: { ...placement, type, occurred_at, time_precision, casualties, summary: report.summary, sources: [] },
      day: columns.date_start!.slice(0, 10),
      where: columns.where_coordinates || null,
      headlines: headlinesIn(columns.source_headline!),
      tolls: { low: toll(columns.low!), high: toll(columns.high!) },
    })
  }
  return events
}

function headlinesIn(cell: string): string[] {
  const headlines = cell.split(';').map((headline) =>
    headline
      .replace(/^\s*Title\s+/, '')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  return [...new Set(headlines)].filter((headline) => headline.length >= 15)
}

function toll(cell: string): Casualties {
  return { killed: cell === '' ? null : Number(cell), injured: null, abducted: null }
}
