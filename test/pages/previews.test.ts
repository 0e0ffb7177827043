import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Environment } from '../../src/api/services.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { parseListing } from '../../src/filter/listing.ts'
import { statesGeoJson } from '../../src/geo/boundaries.ts'
import { places } from '../../src/geo/places.ts'
import { english, loadLanguage } from '../../src/i18n/translate.ts'
import type { Mark } from '../../src/pages/marks.ts'
import { wrapText } from '../../src/pages/preview/frame.ts'
import { ImageRenderer } from '../../src/pages/preview/image-renderer.ts'
import { incidentSvg, Previews, viewSvg } from '../../src/pages/preview/previews.ts'
import { fitBox } from '../../src/pages/projection.ts'
import { StaticMap } from '../../src/pages/static-map.ts'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'
import { anIncident, incidentId } from '../support/incident.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({}, { clock: () => Date.UTC(2026, 0, 2) })
  await app.publish([
    ...Array.from({ length: 20 }, (_, number) => anIncident(number, { severity: number % 2 ? 'high' : 'low' })),
    anIncident(30, { summary: '<script>alert(1)</script> & "more" \u0000 😀'.repeat(20) }),
  ])
  await app.publish([{ ...anIncident(0), status: 'retracted', version: 2 }], 'incident.retracted')
})
after(() => app[Symbol.asyncDispose]())

/** Returns the size that the PNG's header states. */
async function imageSize(path: string): Promise<[number, number]> {
  const response = await app.get(path, null)
  assert.equal(response.status, 200, path)
  assert.equal(response.headers.get('content-type'), 'image/png')
  const bytes = Buffer.from(await response.arrayBuffer())
  assert.equal(bytes.subarray(1, 4).toString(), 'PNG')
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

test('an incident, a view and a state have a preview image of 1200 × 630', async () => {
  for (const path of [
    `/incidents/${incidentId(7)}/preview.png`,
    `/incidents/${incidentId(30)}/preview.png`,
    '/preview.png',
    '/preview.png?state=kaduna&span=1y&lang=yo',
    '/preview.png?at=9/10.5/7.4&severity=high',
  ])
    assert.deepEqual(await imageSize(path), [1200, 630], path)
})

test('an image is in the language of its address, not in that of the program that fetches it', async () => {
  const bytesOf = async (path: string, headers = {}) =>
    Buffer.from(await (await app.get(path, null, headers)).arrayBuffer()).toString('base64')
  for (const path of ['/preview.png', `/incidents/${incidentId(7)}/preview.png`]) {
    const plain = await bytesOf(path)
    assert.ok(plain !== (await bytesOf(`${path}?lang=ha`)), path)
    assert.ok(plain === (await bytesOf(path, { 'accept-language': 'ha' })), path)
  }
})

test('a link that cannot be read has the image of all of Nigeria; no input makes an error of the server', async () => {
  for (const query of ['state=Atlantis', 'at=9/999/7', 'at=x', 'box=1,2', 'from=never', 'severity=', '%'])
    assert.deepEqual(await imageSize(`/preview.png?${query}`), [1200, 630], query)
})

test('a retracted and an unknown incident have no image', async () => {
  assert.equal((await problemOf(await app.get(`/incidents/${incidentId(0)}/preview.png`, null))).code, 'retracted')
  assert.equal((await problemOf(await app.get('/incidents/%3Cb%3E/preview.png', null))).code, 'not_found')
})

test('an image that the client has is not sent again', async () => {
  const path = `/incidents/${incidentId(7)}/preview.png`
  const etag = (await app.get(path, null)).headers.get('etag')!
  assert.equal((await app.get(path, null, { 'if-none-match': etag })).status, 304)
})

test('one address gets so many new images a minute; those already drawn stay free', async () => {
  const environment = {
    clock: () => 0,
    config: { DEMO: false },
  } as unknown as Environment
  const previews = new Previews(environment, new StaticMap(statesGeoJson()), 2)
  const draw = async (number: number, subject: string) =>
    previews.ofIncident(anIncident(number), await loadLanguage('en'), {
      subject,
      signal: () => new AbortController().signal,
    })
  await draw(1, 'address 1')
  await draw(2, 'address 1')
  await assert.rejects(draw(3, 'address 1'), { code: 'rate_limited' })
  await draw(2, 'address 1')
  await draw(3, 'address 2')
  assert.ok(previews.size > 10_000)
})

test('too many waiting images are refused, and a broken drawing fails alone', async () => {
  const renderer = new ImageRenderer()
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'
  const first = renderer.draw('no svg at all')
  const others = Array.from({ length: 16 }, () => renderer.draw(svg))
  assert.throws(() => renderer.draw(svg), { code: 'busy' })
  await assert.rejects(first, /cannot be drawn/)
  assert.equal((await Promise.all(others)).length, 16)
})

test('a thread that waits for the next image does not keep the process from ending', async () => {
  const ports = () => process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort').length
  const before = ports()
  await new ImageRenderer().draw('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>')
  assert.equal(ports(), before)
})

test('a text is broken at its spaces, and what does not fit ends with an ellipsis', () => {
  assert.deepEqual(wrapText('one two three', 10, 50, 3), ['one two', 'three'])
  assert.deepEqual(wrapText('one two three four', 10, 50, 2), ['one two', 'three…'])
  assert.deepEqual(wrapText('x'.repeat(20), 10, 57, 1), [`${'x'.repeat(9)}…`])
  assert.deepEqual(wrapText('  ', 10, 50, 2), [])
})

const NOW = Date.UTC(2026, 0, 2)
const map = new StaticMap(statesGeoJson())
const extent = { west: 7, south: 10, east: 7, north: 10 }
const MARKS: readonly Mark[] = [
  { kind: 'cluster', x: 300, y: 300, count: 384, bySeverity: [300, 0, 84, 0], extent },
  { kind: 'incident', x: 100, y: 100, id: 'inc_1', severity: 'critical', type: 'kidnapping', state: 'NG-KD' },
]
const FIGURES = {
  total: {
    count: 1385,
    killed: 1012,
    killedKnown: 3,
    injured: 7,
    injuredKnown: 2,
    abducted: 0,
    abductedKnown: 0,
  },
  bySeverity: { low: 300, medium: 0, high: 1084, critical: 1 },
}

function viewIn(translate = english, query = 'state=NG-KD&since=7d'): string {
  const { filter } = parseListing(new URLSearchParams(query), places)
  const projection = fitBox(map.boxOfStates(['NG-KD']), 600, 630)
  const view = { filter, figures: FIGURES as never, marks: MARKS, projection, now: NOW, isDemo: true }
  return viewSvg(view, map, places, translate)
}

const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>(.*?)<\/text>/g)].map(([, text]) => text!)

test('the image of a view says where, when and how many, with the casualties and the severities that occur', () => {
  const texts = textsOf(viewIn())
  for (const text of [
    'Kaduna',
    '26 Dec 2025 – 2 Jan 2026',
    '1,385 incidents',
    '1,012 killed, 7 injured',
    'Low 300',
    'High 1,084',
    'Critical 1',
    'Incident Feed · Synthetic data',
  ])
    assert.ok(texts.includes(text), `${text} is not among ${texts.join(' | ')}`)
  assert.ok(!texts.some((text) => text.startsWith('Medium')))
})

test('its map has many incidents at a point as a disc with their number, and one as a dot', () => {
  const svg = viewIn()
  assert.match(
    svg,
    /<g transform="translate\(300\.0 300\.0\)"><circle[^>]*\/><path[^>]*\/><path[^>]*\/><text[^>]*>384</,
  )
  assert.match(svg, /<g transform="translate\(100\.0 100\.0\)"><circle[^>]*\/><circle[^>]*\/><circle[^>]*\/><\/g>/)
  assert.match(svg, /stroke="#0b6b58" stroke-width="3"/)
})

test('an image speaks the language of its address', async () => {
  const { translate } = await loadLanguage('yo')
  const texts = textsOf(viewIn(translate))
  assert.ok(texts.includes(translate('common.incidents', { count: '1,385' })))
  assert.ok(!texts.some((text) => /incident|killed/.test(text)))
  const one = textsOf(incidentSvg(anIncident(1), map, false, translate))
  assert.ok(one.some((text) => text.startsWith(translate('common.type_kidnapping'))))
})

const known = (precision: Incident['location']['precision'], radius_km: number | null): Incident => ({
  ...anIncident(1),
  location: { ...anIncident(1).location, precision, radius_km },
})

test('an incident known to its town is a dot, to its LGA a dashed circle, to its state a hatched area', () => {
  const pictureOf = (incident: Incident) => incidentSvg(incident, map, false, english).split('<path d="M600 0V630"')[0]!
  const town = pictureOf(known('settlement', 3))
  assert.match(town, /<g transform="translate\(300 31\d\)"><circle/)
  assert.doesNotMatch(town, /dasharray|hatch/)
  const area = pictureOf(known('lga', 40))
  assert.match(area, /<g transform="translate\(300 31\d\)"><circle[^>]*stroke-dasharray[^>]*\/><\/g>/)
  const state = pictureOf(known('state', null))
  assert.match(state, /fill="url\(#hatch\)"/)
  assert.doesNotMatch(state, /<circle/)
})
