import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { OVERVIEW_HEIGHT, OVERVIEW_WIDTH } from '../../src/filter/overview-map.ts'
import { statesGeoJson } from '../../src/geo/boundaries.ts'
import { places } from '../../src/geo/places.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { html } from '../../src/pages/html.ts'
import { severityRing, shortCount } from '../../src/pages/marks.ts'
import { findOutlines, simplify } from '../../src/pages/outlines.ts'
import { fitBox, labelPosition, readStateShapes } from '../../src/pages/projection.ts'
import { IMAGE_PALETTE, StaticMap } from '../../src/pages/static-map.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { countIn, featuresOf } from '../support/readers.ts'

describe('outlines', () => {
  const { land, borders } = runToEnd(findOutlines(statesGeoJson()))

  /** The absolute points of each line of path data. */
  function linesOf(path: string): { x: number; y: number }[][] {
    return path.split(/(?=M)/).map((part) => {
      const [x = 0, y = 0, ...steps] = part.match(/-?\d+/g)!.map(Number)
      const points = [{ x, y }]
      for (let at = 0; at < steps.length; at += 2) {
        const last = points.at(-1)!
        points.push({ x: last.x + steps[at]!, y: last.y + steps[at + 1]! })
      }
      return points
    })
  }

  test('the states’ outlines are small', () => {
    const bytes = gzipSync(land + borders).length
    assert.ok(bytes > 1000 && bytes < 6000, `${bytes} bytes`)
  })

  test('the country is closed and lies within the map', () => {
    for (const ring of linesOf(land)) {
      assert.deepEqual(ring[0], ring.at(-1))
      for (const { x, y } of ring) assert.ok(x >= 0 && y >= 0 && x <= OVERVIEW_WIDTH && y <= OVERVIEW_HEIGHT)
    }
    const widest = Math.max(...linesOf(land).map((ring) => Math.max(...ring.map(({ x }) => x))))
    assert.ok(widest > OVERVIEW_WIDTH * 0.95)
  })

  test('each border between states is drawn once, and ends where others begin', () => {
    const lines = linesOf(borders)
    const ends = new Map<string, number>()
    for (const line of lines)
      for (const { x, y } of [line[0]!, line.at(-1)!]) ends.set(`${x},${y}`, (ends.get(`${x},${y}`) ?? 0) + 1)
    const coast = new Set(linesOf(land).flatMap((ring) => ring.map(({ x, y }) => `${x},${y}`)))
    const loose = [...ends].filter(([key, count]) => count < 2 && !coast.has(key))
    assert.deepEqual(loose, [])
    assert.equal(new Set(lines.map((line) => JSON.stringify(line))).size, lines.length)
    assert.ok(lines.length > 60, `${lines.length} borders`)
  })

  test('the outlines are found in steps, none of which takes long', () => {
    const steps = [...findOutlines(statesGeoJson())].length
    assert.ok(steps > 150, `${steps} steps`)
  })

  test('simplifying keeps the ends and every point beyond the tolerance', () => {
    const line = [
      { x: 0, y: 0 },
      { x: 5, y: 1 },
      { x: 10, y: 3 },
      { x: 20, y: 0 },
    ]
    assert.deepEqual(simplify(line, 1), [line[0], line[2], line[3]])
  })
})

describe('static map', () => {
  const map = new StaticMap(statesGeoJson())
  const content = { marks: [], outlined: [], palette: IMAGE_PALETTE }

  test('a box is in the middle of the picture, and all of it is shown', () => {
    const box = { west: 3, south: 4, east: 14, north: 13 }
    const projection = fitBox(box, 600, 630)
    for (const [lng, lat] of [
      [3, 4],
      [14, 13],
    ] as const) {
      const [x, y] = projection.at(lng, lat)
      assert.ok(x >= 0 && x <= 600 && y >= 0 && y <= 630, `${x} ${y}`)
    }
    assert.ok(projection.shown.west <= 3 && projection.shown.north >= 13)
  })

  test('a box without extent still has a map, at a zoom that shows what is around', () => {
    const { markZoom, at } = fitBox({ west: 7, south: 9, east: 7, north: 9 }, 600, 630)
    assert.equal(markZoom, 9)
    assert.deepEqual(at(7, 9), [300, 315])
  })

  test('a box up to the poles shows the whole world', () => {
    const projection = fitBox({ west: -180, south: -90, east: 180, north: 90 }, 720, 520)
    const { west, east, south, north } = projection.shown
    assert.ok(west <= -180 && east >= 180 && south <= -85 && north >= 85, JSON.stringify(projection.shown))
    assert.equal(projection.markZoom, 0)
    const { text } = map.draw(projection, content)
    assert.equal(text.match(/<path d="M/g)?.length, 37)
    assert.doesNotMatch(text, /NaN|Infinity/)
  })

  test('all states are drawn; a part of the country draws only those that it shows', () => {
    const all = map.draw(fitBox(map.boxOfStates([]), 600, 630), content).text
    const lagos = map.draw(fitBox(map.boxOfStates(['NG-LA']), 600, 630), { ...content, outlined: ['NG-LA'] }).text
    assert.equal(all.match(/<path/g)?.length, 37)
    assert.ok(lagos.match(/<path/g)!.length < 8)
    assert.match(lagos, /stroke="#0b6b58"/)
    assert.doesNotMatch(all + lagos, /NaN|undefined/)
  })

  test('the name of a state is inside it', () => {
    for (const shape of readStateShapes(statesGeoJson())) {
      const position = labelPosition(shape)
      if (position === null) continue
      const { west, east, south, north } = shape.box
      assert.ok(position[0] > west && position[0] < east && position[1] > south && position[1] < north, shape.name)
    }
  })
})

describe('svg map', () => {
  const NOW = Date.UTC(2026, 0, 31)
  const DAY_MS = 86_400_000

  let app: TestApp
  before(async () => {
    app = await startTestApp({}, { clock: () => NOW })
    await app.publish([...syntheticIncidents({ places, seed: 7, count: 300, from: NOW - 20 * DAY_MS, until: NOW })])
  })
  after(() => app[Symbol.asyncDispose]())

  async function groupsAt(path: string): Promise<Record<'4' | '5', string>> {
    const text = await (await app.get(path, null)).text()
    const svg = /<svg xmlns="[^"]+" class="svg-map".*?<\/svg>/s.exec(text)![0]
    const [four = '', five = ''] = svg.split('<g class="zoom-5">')
    return { '4': four.split('<g class="zoom-4">')[1]!, '5': five }
  }
  const titlesIn = (group: string) => [...group.matchAll(/<title>(.*?)<\/title>/g)].map(([, title]) => title!)
  const countOf = (title: string) => Number(/^([\d,]+) incidents:/.exec(title)?.[1]?.replaceAll(',', '') ?? 1)
  const totalOf = (group: string) => titlesIn(group).reduce((sum, title) => sum + countOf(title), 0)

  test('the page’s SVG map has every incident once, in the clusters of the tiles', async () => {
    const groups = await groupsAt('/?span=all')
    assert.deepEqual([totalOf(groups['4']), totalOf(groups['5'])], [300, 300])
    const tiles = await Promise.all(
      ['16/14', '16/15', '17/14', '17/15'].map(async (xy) => {
        const response = await app.get(`/v1/tiles/5/${xy}.mvt`)
        return featuresOf(response.status === 204 ? null : new Uint8Array(await response.arrayBuffer()))
      }),
    )
    assert.equal(
      tiles.reduce((sum, features) => sum + countIn(features), 0),
      300,
    )
    const counts = tiles.flatMap((features) => features.map(({ properties }) => Number(properties.count ?? 1)))
    const ascending = (one: number, other: number) => one - other
    assert.deepEqual(titlesIn(groups['5']).map(countOf).sort(ascending), counts.sort(ascending))
  })

  test('marks follow the filters of the address and link to lists that keep them', async () => {
    const { data } = (await (await app.get('/v1/stats?state=NG-BO&group_by=state')).json()) as {
      data: { count: number }[]
    }
    const groups = await groupsAt('/?span=all&state=NG-BO&at=6/9/9')
    assert.equal(totalOf(groups['5']), data[0]!.count)
    const links = [...groups['5'].matchAll(/href="(.*?)"/g)].map(([, href]) => href!)
    assert.ok(links.length > 0)
    for (const link of links) assert.match(link, /^\/incidents\/|^\/\?span=all&amp;state=NG-BO&amp;box=[\d.,-]+$/)
  })

  test('a cluster shows its count, and a single incident is a dot', async () => {
    for (const group of Object.values(await groupsAt('/?span=all'))) {
      const marks = [...group.matchAll(/<a [^>]*><title>(.*?)<\/title>(.*?)<\/a>/g)]
      assert.ok(marks.length > 10)
      for (const [, title, shape] of marks) {
        const count = countOf(title!)
        if (count === 1) assert.match(shape!, /^<g class="dot">/)
        else assert.equal(/<text>(.*?)<\/text>/.exec(shape!)?.[1], shortCount(count), title!)
      }
    }
  })

  test('384 incidents at one point are one mark that says 384', async () => {
    await using crowded = await startTestApp({}, { clock: () => NOW })
    await crowded.publish(
      Array.from({ length: 384 }, (_, number) => anIncident(number, { lat: 11.83, lng: 13.15, severity: 'high' })),
    )
    const svg = await (await crowded.get('/map.svg?span=all', null)).text()
    assert.deepEqual(
      [...svg.matchAll(/<text>(.*?)<\/text>/g)].map(([, text]) => text),
      ['384', '384'],
    )
    assert.equal(svg.match(/<title>384 incidents: 384 high<\/title>/g)?.length, 2)
  })
})

describe('marks', () => {
  const ringOf = (bySeverity: readonly number[]) =>
    severityRing(bySeverity, 10, (severity) => html`class="${severity}"`).map(({ text }) => text)

  test('a ring of one severity is a circle', () => {
    assert.deepEqual(ringOf([0, 384, 0, 0]), ['<circle class="medium" r="10"/>'])
  })

  test('each severity has its share of the ring, the worst first', () => {
    const [critical, low] = ringOf([3, 0, 0, 1])
    // A quarter clockwise from the top, then three quarters; a hundredth less at both ends.
    assert.equal(critical, '<path class="critical" d="M0.6 -10A10 10 0 0 1 10 -0.6"/>')
    assert.equal(low, '<path class="low" d="M10 0.6A10 10 0 1 1 -0.6 -10"/>')
  })

  test('a tiny share still shows', () => {
    const [critical] = ringOf([0, 0, 99_999, 1])
    assert.match(critical!, /class="critical" d="M0\.6 -10A10 10 0 0 1 1\.3 -9\.9"/)
  })

  /** `test/web/map-canvas.test.ts` compares it with the texts of the tiles. */
  test('a count has at most four characters', () => {
    assert.deepEqual(
      [1, 384, 999, 1000, 1249, 9949, 9950, 12_345, 999_499, 999_500, 1_340_000, 12_000_000].map(shortCount),
      ['1', '384', '999', '1k', '1.2k', '9.9k', '10k', '12k', '999k', '1M', '1.3M', '12M'],
    )
  })
})
