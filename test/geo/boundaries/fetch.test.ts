import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { checkBoundaries } from '../../../src/geo/boundaries/check.ts'
import { BoundariesFetchError, fetchBoundaries } from '../../../src/geo/boundaries/fetch.ts'
import { boxFeatures, collection } from './fixture.ts'

const FILE = collection(boxFeatures(({ name }) => ({ shapeName: name, shapeGroup: 'NGA', shapeType: 'ADM2' })))

let server: Server
let origin: string
let answers: Map<string, { status: number; body: string; location?: string }>

before(async () => {
  server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '') ?? { status: 404, body: 'not here' }
    response.writeHead(answer.status, answer.location ? { location: answer.location } : {}).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

after(() => new Promise((resolve) => server.close(resolve)))

beforeEach(() => {
  answers = new Map([
    ['/api/current/gbOpen/NGA/ADM2/', { status: 200, body: JSON.stringify(entry()) }],
    ['/raw/simplified.geojson', { status: 302, body: '', location: '/media/simplified.geojson' }],
    ['/media/simplified.geojson', { status: 200, body: FILE }],
  ])
})

/** The response of geoBoundaries' API for one country and level. */
function entry(): Record<string, string> {
  return {
    boundaryID: 'NGA-ADM2-74536767',
    boundaryName: 'Nigeria',
    boundaryISO: 'NGA',
    boundaryYearRepresented: '2019',
    boundaryType: 'ADM2',
    boundarySource: 'OSGOF, OCHA ROWCA',
    boundaryLicense: 'Creative Commons Attribution 3.0 Intergovernmental Organisations (CC BY 3.0 IGO)',
    licenseDetail: 'nan',
    licenseSource: 'data.humdata.org/dataset/nga-administrative-boundaries',
    gjDownloadURL: `${origin}/raw/full.geojson`,
    simplifiedGeometryGeoJSON: `${origin}/raw/simplified.geojson`,
  }
}

const api = (): string => `${origin}/api/current/gbOpen/NGA/ADM2/`

test('without an argument the API is asked for the current edition, with its licence', async () => {
  const { bytes, source, licence, edition } = await fetchBoundaries(null, api())
  assert.equal(source, `${origin}/raw/simplified.geojson`)
  assert.match(licence!, /CC BY 3\.0 IGO/)
  assert.doesNotMatch(licence!, /nan/)
  assert.match(edition!, /OSGOF, OCHA ROWCA, NGA-ADM2-74536767, 2019/)
  const report = checkBoundaries(bytes)
  assert.deepEqual([report.ok, report.matched], [true, 774])
})

test('the API may also answer with a list', async () => {
  answers.set('/api/current/gbOpen/NGA/ADM2/', { status: 200, body: JSON.stringify([entry()]) })
  assert.equal((await fetchBoundaries(null, api())).bytes.length, Buffer.byteLength(FILE))
})

test('a URL and a file are fetched as they are, without a licence', async () => {
  const fetched = await fetchBoundaries(`${origin}/media/simplified.geojson`)
  assert.deepEqual([fetched.licence, fetched.edition, fetched.bytes.length], [null, null, Buffer.byteLength(FILE)])

  const folder = await mkdtemp(join(tmpdir(), 'incident-feed-boundaries-'))
  try {
    const path = join(folder, 'lgas.geojson')
    await writeFile(path, FILE)
    assert.equal((await fetchBoundaries(path)).source, path)
    assert.equal((await fetchBoundaries(pathToFileURL(path).href)).source, path)
  } finally {
    await rm(folder, { recursive: true })
  }
})

const BROKEN: Readonly<Record<string, (entry: Record<string, string>) => { status: number; body: string }>> = {
  'an API that is down': () => ({ status: 503, body: '' }),
  'an API that answers with HTML': () => ({ status: 200, body: '<html>' }),
  'another country': (entry) => ({ status: 200, body: JSON.stringify({ ...entry, boundaryISO: 'BEN' }) }),
  'another level': (entry) => ({ status: 200, body: JSON.stringify({ ...entry, boundaryType: 'ADM1' }) }),
  'no download': (entry) => ({
    status: 200,
    body: JSON.stringify({ ...entry, gjDownloadURL: '', simplifiedGeometryGeoJSON: 'nan' }),
  }),
  'a download that is gone': (entry) => ({
    status: 200,
    body: JSON.stringify({ ...entry, simplifiedGeometryGeoJSON: `${origin}/gone` }),
  }),
  'nothing at all': () => ({ status: 200, body: 'null' }),
}

for (const [name, answer] of Object.entries(BROKEN)) {
  test(`${name} is a BoundariesFetchError`, async () => {
    answers.set('/api/current/gbOpen/NGA/ADM2/', answer(entry()))
    await assert.rejects(fetchBoundaries(null, api()), BoundariesFetchError)
  })
}

test('a missing file and an unreachable server are named in the error', async () => {
  await assert.rejects(fetchBoundaries('/nowhere/lgas.geojson'), /\/nowhere\/lgas\.geojson cannot be read/)
  await assert.rejects(
    fetchBoundaries('http://127.0.0.1:1/lgas.geojson'),
    /127\.0\.0\.1:1\/lgas\.geojson cannot be fetched/,
  )
})
