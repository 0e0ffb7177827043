import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'

const folder = new URL('../../../shared/data/', import.meta.url)
const events = fileURLToPath(new URL('ucdp_ged_nigeria_1990_2019.csv', folder))
const gazetteer = fileURLToPath(new URL('nigeria_places_geonames.txt', folder))

/** False, or the reason why there is nothing to measure with. */
export const absent: false | string = [events, gazetteer].every((path) => existsSync(path))
  ? false
  : `${events} or ${gazetteer} is not there`

export type UcdpRow = Readonly<Record<string, string>>

/** A shorter cell is an identifier, not a headline. */
const LEAST_HEADLINE = 16

/** `count` rows with a headline, the same for the same `random`. */
export function sampleRows(count: number, random: () => number): UcdpRow[] {
  const rows = (parse(readFileSync(events), { columns: true }) as UcdpRow[]).filter(
    ({ id, source_headline }) => Number(id) > 0 && source_headline!.length >= LEAST_HEADLINE,
  )
  for (let at = rows.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[rows[at], rows[other]] = [rows[other]!, rows[at]!]
  }
  return rows.slice(0, count)
}

export function readGazetteerText(): string {
  return readFileSync(gazetteer, 'utf8')
}

export function textOf({ source_headline, where_description }: UcdpRow): string {
  return `${source_headline}. ${where_description}`
}
