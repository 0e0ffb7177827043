import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Environment } from '../../../src/api/services.ts'
import { statesGeoJson } from '../../../src/geo/outlines.ts'
import { loadLanguage } from '../../../src/i18n/load.ts'
import { ImageRenderer } from '../../../src/pages/preview/image-renderer.ts'
import { Previews } from '../../../src/pages/preview/previews.ts'
import { wrapText } from '../../../src/pages/preview/wrap-text.ts'
import { StaticMap } from '../../../src/pages/static-map/static-map.ts'
import { problemOf, startTestApp, type TestApp } from '../../support/app.ts'
import { anIncident, incidentId } from '../../support/incident.ts'

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
  for (const query of ['state=Atlantis', 'at=9/999/7', 'at=x', 'box=1,2', 'from=never', 'lang=%00', 'severity=', '%'])
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

test('a text is broken at its spaces, and what does not fit ends with an ellipsis', () => {
  assert.deepEqual(wrapText('one two three', 10, 50, 3), ['one two', 'three'])
  assert.deepEqual(wrapText('one two three four', 10, 50, 2), ['one two', 'three…'])
  assert.deepEqual(wrapText('x'.repeat(20), 10, 57, 1), [`${'x'.repeat(9)}…`])
  assert.deepEqual(wrapText('  ', 10, 50, 2), [])
})
