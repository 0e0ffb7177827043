/**
 * Measures the pages of Nigeria, its 37 states and its 774 LGAs in process, with 100,000 and with
 * 1,000,000 incidents. "Written" is what a request costs besides HTTP when the page is not kept:
 * finding figures, list, charts and marks, and writing the bytes. "Kept" is the same request when
 * it is. After a warm-up pass, each page of three passes is measured separately, in processor time
 * of the process, threads that collect garbage included. The last rows are Lighthouse's for a state
 * with many incidents, an LGA and the country; it is no dependency of this project:
 *
 * npm install --no-save lighthouse && npm run bench -- areas
 */
import { copyFileSync } from 'node:fs'
import { SlicedQueries } from '../../src/archive/sliced-queries.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { openGeography } from '../../src/geo/geography.ts'
import { places } from '../../src/geo/places.ts'
import { loadLanguage } from '../../src/i18n/translate.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { allAreas, areaCode, areasShowing } from '../../src/pages/areas/area.ts'
import { AreaCache } from '../../src/pages/areas/area-cache.ts'
import { AreaWriter, type WrittenAreaPage } from '../../src/pages/areas/area-pages.ts'
import { StaticMap } from '../../src/pages/static-map.ts'
import { browserMissing } from '../../test/support/browser.ts'
import { startChild } from '../harness/child.ts'
import { archiveOf, dataFile, MILLION, removeDatabase, UNTIL } from '../harness/data.ts'
import { lighthouseRows } from '../harness/lighthouse.ts'
import type { Row } from '../harness/row.ts'
import { median, percentile, whole } from '../harness/statistics.ts'

const COUNTS = [100_000, MILLION]
const PASSES = 3
const [MOST_WRITTEN, MOST_KEPT] = [20, 1]
const LEAST_SCORE = 95
const SEEN = ['/nigeria', '/nigeria/borno', '/nigeria/kaduna/chikun']
const AREAS = allAreas(places)

export async function run(): Promise<Row[]> {
  const rows: Row[] = []
  for (const count of COUNTS) rows.push(...(await writingRows(count)))
  return [...rows, ...(await scoreRows())]
}

async function writingRows(count: number): Promise<Row[]> {
  const archive = await archiveOf(count)
  const geography = openGeography(null)
  const writer = new AreaWriter(
    { config: readConfig({}, []), geography, publicUrl: () => 'https://feed.example.org' },
    new StaticMap(geography.statesGeoJson),
  )
  const language = { ...(await loadLanguage('en')), inAddress: false }
  const cache = new AreaCache<WrittenAreaPage>(new SlicedQueries(), areasShowing(places, writer.neighbours), ['en'])
  const asker = { subject: 'bench', signal: () => new AbortController().signal }
  let bytes = 0
  const write = AREAS.map((area) => () => runToEnd(writer.write(archive, archive.view, area, language, UNTIL)))
  for (const one of write) bytes = Math.max(bytes, one().size)
  const kept = AREAS.map(
    (area) => () =>
      cache.getDocument(archive, areaCode(area), 'en', UNTIL, asker, (view) =>
        writer.write(archive, view, area, language, UNTIL),
      ),
  )
  for (const one of kept) await one()
  const name = `${whole(count)} incidents`
  return [
    row(`areas: a page written, ${name}`, write, MOST_WRITTEN),
    row(`areas: a page kept, ${name}`, kept, MOST_KEPT),
    {
      name: `areas: all pages kept in one language, ${name}`,
      value: `${(cache.size / 1e6).toFixed(0)} MB (the largest ${(bytes / 1e3).toFixed(0)} KB, compressed forms included)`,
      limit: '≤ 96 MB',
      ok: cache.size <= 96e6,
    },
  ]
}

function row(name: string, calls: readonly (() => unknown)[], most: number): Row {
  const times = Array.from({ length: PASSES }, () => calls.map(cpuMilliseconds)).flat()
  const p99 = percentile(times, 0.99)
  return {
    name,
    value: `p99 ${p99.toFixed(3)} ms of processor time (median ${median(times).toFixed(3)}, most ${Math.max(...times).toFixed(3)}; ${calls.length} pages)`,
    limit: `≤ ${most} ms`,
    ok: p99 <= most,
  }
}

function cpuMilliseconds(call: () => unknown): number {
  const before = process.cpuUsage()
  call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function scoreRows(): Promise<Row[]> {
  const missing = browserMissing()
  if (missing !== null) return [{ name: 'areas: Lighthouse', value: `not measured: ${missing}`, limit: '–', ok: true }]
  const { path } = await dataFile(COUNTS[0]!)
  const copy = `${path}.areas-${process.pid}`
  try {
    copyFileSync(path, copy)
    await using child = await startChild<{ url: string }>('servers/service.ts', [copy])
    const rows: Row[] = []
    for (const page of SEEN) rows.push(...(await lighthouseRows(child.hello.url + page, `areas: ${page}`, LEAST_SCORE)))
    return rows
  } finally {
    removeDatabase(copy)
  }
}
