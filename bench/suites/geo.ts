/**
 * Measures the accuracy and speed of the geography. Accuracy is measured against the boundary file
 * and the events in ../shared/data, if they exist, and 10,000 random points in Nigeria that are the
 * same in every run. Speed: `locate` over those points in rounds of 1,000, the median round.
 * Loading: in a separate process that has already loaded the server's code, the median of seven,
 * with the growth of its resident memory. In an empty process the start of the TypeScript loader
 * would count as well.
 */
import { execFileSync } from 'node:child_process'
import { boundaryLocate, estimatedLocate, type Locate } from '../../src/geo/geography.ts'
import { absent, readTruth, type Shares, shareRight, type TruePoint } from '../../test/geo/truth.ts'
import type { Row } from '../harness/row.ts'
import { median } from '../harness/statistics.ts'

const POINTS = 10_000
const ROUND = 1000
const ROUNDS = 200
const MOST_MICROSECONDS = 10
const MOST_LOAD_MS = 150
const MOST_MEGABYTES = 30

export async function run(): Promise<Row[]> {
  const estimated = estimatedLocate()
  if (absent) {
    const skipped: Row = { name: 'geo: accuracy', value: `skipped: ${absent}`, limit: '–', ok: true }
    return [skipped, speed('estimated', estimated, grid()), ...loading()]
  }
  const { boundaries, events, random } = readTruth(POINTS)
  const exact = boundaryLocate(boundaries, estimated)
  return [
    ...accuracy('events, estimated', shareRight(events, estimated), { state: 98, lga: 85 }),
    ...accuracy('random points, estimated', shareRight(random, estimated), { state: 95.5, lga: 80 }),
    ...accuracy('events, boundary file', shareRight(events, exact), { state: 99.5, lga: 99.5 }),
    ...accuracy('random points, boundary file', shareRight(random, exact), { state: 99.5, lga: 99.5 }),
    speed('estimated', estimated, random),
    speed('boundary file', exact, random),
    ...loading(),
  ]
}

function accuracy(name: string, found: Shares, least: Shares): Row[] {
  return (['state', 'lga'] as const).map((area) => ({
    name: `geo: ${area} of ${name}`,
    value: `${found[area].toFixed(2)} %`,
    limit: `≥ ${least[area]} %`,
    ok: found[area] >= least[area],
  }))
}

function speed(name: string, locate: Locate, points: readonly Omit<TruePoint, 'lga'>[]): Row {
  const rounds: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const from = (round * ROUND) % (points.length - ROUND + 1)
    const start = performance.now()
    for (let at = from; at < from + ROUND; at++) locate(points[at]!.lat, points[at]!.lng)
    rounds.push(((performance.now() - start) * 1000) / ROUND)
  }
  const value = median(rounds)
  return {
    name: `geo: locate, ${name}`,
    value: `${value.toFixed(2)} µs`,
    limit: `< ${MOST_MICROSECONDS} µs`,
    ok: value < MOST_MICROSECONDS,
  }
}

/** Points over Nigeria's bounding box, used if the reference data is missing. */
function grid(): { lat: number; lng: number }[] {
  return Array.from({ length: POINTS }, (_, at) => ({ lat: 4.3 + (at % 97) / 10.2, lng: 2.7 + (at % 103) / 8.7 }))
}

function loading(): Row[] {
  const [geography, other] = ['geography.ts', '../api/server.ts'].map(
    (file) => new URL(`../../src/geo/${file}`, import.meta.url).href,
  )
  const script = `
    await import(${JSON.stringify(other)})
    const used = () => { gc(); gc(); const { rss, heapUsed, external } = process.memoryUsage(); return { rss, kept: heapUsed + external } }
    const before = used(), start = performance.now()
    const { openGeography } = await import(${JSON.stringify(geography)})
    globalThis.geography = openGeography(null)
    const ms = performance.now() - start, after = used()
    console.log(JSON.stringify({ ms, rss: after.rss - before.rss, kept: after.kept - before.kept }))`
  const runs = Array.from({ length: 7 }, () => {
    const words = ['--expose-gc', '--input-type=module', '-e', script]
    return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' })) as Record<
      'ms' | 'rss' | 'kept',
      number
    >
  })
  const ms = median(runs.map((each) => each.ms))
  const resident = median(runs.map(({ rss }) => rss)) / 1e6
  const kept = median(runs.map((each) => each.kept)) / 1e6
  return [
    { name: 'geo: loading', value: `${ms.toFixed(0)} ms`, limit: `< ${MOST_LOAD_MS} ms`, ok: ms < MOST_LOAD_MS },
    {
      name: 'geo: memory',
      value: `${resident.toFixed(0)} MB resident, ${kept.toFixed(1)} MB of it live`,
      limit: `< ${MOST_MEGABYTES} MB`,
      ok: resident < MOST_MEGABYTES,
    },
  ]
}
