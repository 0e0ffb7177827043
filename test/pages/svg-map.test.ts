import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { places } from '../../src/geo/places.ts'
import { shortCount } from '../../src/pages/marks.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { countIn, featuresOf } from '../support/readers.ts'

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
