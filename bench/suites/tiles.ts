/**
 * Measures map tiles and statistics in process, with 1,000,000 incidents. A call does what a
 * request does besides HTTP, without caches: it finds the incidents, aggregates or reads them and
 * writes the bytes of the response (`TileMaker.make`, `statisticsAnswer`). Tiles are around LGAs,
 * where users look; each zoom from 0 to 16 is equally frequent, with no filter, a time window, or
 * one to three filters. A tile of the whole country (4/8/7) is also asked for with each window and
 * filter of the map's first page, never the same question twice. After a warm-up pass, each call of
 * three passes is timed separately; "quiet" is the p99 of each query's best pass.
 */

import { renderStatistics } from '../../src/api/statistics.ts'
import { TileRenderer } from '../../src/api/tiles.ts'
import type { Archive } from '../../src/archive/archive.ts'
import { MERCATOR_BITS, mercatorX, mercatorY } from '../../src/archive/columns/columns.ts'
import { SEVERITIES, TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import { EVERYTHING, type Filter } from '../../src/filter/filter.ts'
import { parseGrouping } from '../../src/filter/grouping.ts'
import { parseListing } from '../../src/filter/listing.ts'
import { MAX_ZOOM, type Tile } from '../../src/filter/tile.ts'
import { places } from '../../src/geo/places.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { archiveOf, FROM, MILLION, UNTIL } from '../harness/data.ts'
import type { Row } from '../harness/row.ts'
import { median, percentile, timed } from '../harness/statistics.ts'

const PASSES = 3
const TILES_A_ZOOM = 30
/** The smallest tile that contains Nigeria. */
const COUNTRY: Tile = { z: 4, x: 8, y: 7 }
const WINDOW_SHIFT_MS = 1000
const REPEATS = 30
const THIRTY_DAYS_MS = 30 * 86_400_000

const random = seededRandom(11)
const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!

const FILTERS: readonly (() => Record<string, string>)[] = [
  () => ({ state: pick(places.states).code }),
  () => ({ type: pick(TYPE_NAMES) }),
  () => ({ near: `${pick(places.lgas).lat},${pick(places.lgas).lng}`, radius_km: '150' }),
  () => ({ min_severity: pick(SEVERITIES) }),
  () => ({ min_confidence: random().toFixed(2) }),
  () => ({ since: `${Math.ceil(random() * 3650)}d` }),
  () => ({ occurred_from: '2020-01-01' }),
]

function someFilter(): Filter {
  if (random() < 0.4) return EVERYTHING
  const asked = Array.from({ length: 1 + Math.floor(random() * 3) }, () => Object.entries(pick(FILTERS)())).flat()
  return parseListing(new URLSearchParams(Object.fromEntries(asked)), places).filter
}

function someTile(z: number): Tile {
  const { lat, lng } = pick(places.lgas)
  return { z, x: mercatorX(lng) >> (MERCATOR_BITS - z), y: mercatorY(lat) >> (MERCATOR_BITS - z) }
}

export async function run(): Promise<Row[]> {
  const archive = await archiveOf(MILLION)
  const maker = new TileRenderer(places)
  const tile = (where: Tile, filter: Filter) => () => runToEnd(maker.renderTile(archive.view, where, filter, UNTIL))
  const zooms = Array.from({ length: MAX_ZOOM + 1 }, (_, z) => z)
  const questions = zooms.flatMap((z) => Array.from({ length: TILES_A_ZOOM }, () => tile(someTile(z), someFilter())))
  const whole = tile({ z: 0, x: 0, y: 0 }, EVERYTHING)
  const country = (filter: Filter) => tile(COUNTRY, filter)
  return [
    row('tiles: zooms 0 to 16, filters at random or none', questions, 30),
    row('tiles: zoom 0, everything', repeated(whole), 15),
    row('tiles: the whole country, all years', differing(country, {}), 30),
    row('tiles: the whole country, all years, one type', differing(country, { type: 'kidnapping' }), 30),
    row('tiles: the whole country, all years, a confidence', differing(country, { min_confidence: '0.5' }), 30),
    row('tiles: the whole country, 30 days', differing(country, {}, THIRTY_DAYS_MS), 30),
    row('tiles: the whole country, 30 days, one state', differing(country, { state: 'kaduna' }, THIRTY_DAYS_MS), 30),
    row('stats: state × month over ten years', repeated(stats(archive, 'group_by=state,month')), 60),
    row('stats: LGA × type', repeated(stats(archive, 'group_by=lga,type')), null),
    row(
      'stats: month, of one state and type',
      places.states.map(({ code }) => stats(archive, `group_by=month&state=${code}&type=${pick(TYPE_NAMES)}`)),
      null,
    ),
    row(
      'stats: type, of one state within 30 days',
      places.states.map(({ code }) => stats(archive, `group_by=type&since=30d&state=${code}`)),
      null,
    ),
  ]
}

function stats(archive: Archive, query: string): () => unknown {
  const grouping = parseGrouping(new URLSearchParams(query), places)
  return () => runToEnd(renderStatistics(archive.view, grouping, places, UNTIL))
}

/** The same question over windows that each begin a second later, so that no cache could help. */
function differing(
  ask: (filter: Filter) => () => unknown,
  parameters: Readonly<Record<string, string>>,
  window = UNTIL - FROM,
): (() => unknown)[] {
  return Array.from({ length: REPEATS }, (_, index) => {
    const from = new Date(UNTIL - window + index * WINDOW_SHIFT_MS).toISOString()
    return ask(parseListing(new URLSearchParams({ ...parameters, from }), places).filter)
  })
}

function repeated(work: () => unknown): (() => unknown)[] {
  return Array.from({ length: REPEATS }, () => work)
}

function row(name: string, works: readonly (() => unknown)[], most: number | null): Row {
  for (const work of works) work()
  const before = process.threadCpuUsage()
  const passes = Array.from({ length: PASSES }, () => works.map(timed))
  const { user, system } = process.threadCpuUsage(before)
  const times = passes.flat()
  const best = works.map((_, index) => Math.min(...passes.map((pass) => pass[index]!)))
  const p99 = percentile(times, 0.99)
  const details = [
    `p50 ${median(times).toFixed(2)}`,
    `quiet ${percentile(best, 0.99).toFixed(1)}`,
    `most ${Math.max(...times).toFixed(1)}`,
    `processor time ${((user + system) / 1000 / times.length).toFixed(2)} a call`,
  ]
  return {
    name,
    value: `p99 ${p99.toFixed(1)} ms (${details.join(', ')})`,
    limit: most === null ? '–' : `p99 < ${most} ms`,
    ok: most === null || p99 < most,
  }
}
