import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { places } from '../../src/geo/places.ts'
import { aLine } from '../desk/importing/formats/fixtures.ts'
import { startTestApp, until } from '../support/app.ts'
import { squaresAround } from '../support/boundaries.ts'
import { runCommand } from '../support/commands.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { openTestStore } from '../support/databases/stores.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'
import { oneStoreOf } from '../support/tier.ts'

const NAME = 'Gidan Zartu'

async function meaningOf(app: Awaited<ReturnType<typeof startTestApp>>): Promise<string> {
  const found = await app.get(`/v1/places/search?q=${encodeURIComponent(`${NAME} village`)}`)
  return ((await found.json()) as { meaning: string }).meaning
}

for (const kind of oneStoreOf(['SQLite', 'PostgreSQL'])) {
  test(`an import is known to every running node, with ${kind}`, async () => {
    await using folder = await temporaryFolder()
    await using scope = new AsyncDisposableStack()
    const url = kind === 'SQLite' ? `sqlite:${join(folder.path, 'feed.db')}` : scope.use(await testDatabase()).url
    await using one = await startTestApp({ DATABASE_URL: url })
    await using other = await startTestApp({ DATABASE_URL: url })
    assert.equal(await meaningOf(one), 'none')
    const file = join(folder.path, 'NG.txt')
    await writeFile(file, `${aLine({ name: NAME, lat: '10.9', lng: '6.8' })}\n${aLine({ id: '2', code: 'S.SCH' })}\n`)
    const run = () => runCommand(['places', 'import', file, '--database-url', url])
    assert.match(
      (await run()).output,
      /^2 lines of GeoNames: 1 added, 0 changed, 0 unchanged; left out: 1 of a kind that is not kept\.\nThe gazetteer has 1 places/,
    )
    for (const app of [one, other]) await until(async () => (await meaningOf(app)) === 'one')
    assert.match((await run()).output, /0 added, 0 changed, 1 unchanged/)
    await using restarted = await startTestApp({ DATABASE_URL: url })
    assert.equal(await meaningOf(restarted), 'one')
  })
}

test('wrong arguments and files are one sentence', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'NG.txt')
  await writeFile(file, 'name,lat,lng\n')
  const database = ['--database-url', `sqlite:${join(folder.path, 'feed.db')}`]
  for (const [words, message] of [
    [['places'], /the only action of places is import/],
    [['places', 'import'], /name one file/],
    [['places', 'import', join(folder.path, 'NG.tx'), ...database], /there is no file .* did you mean NG\.txt/],
    [['places', 'import', '--create', file, ...database], /nothing was imported.*\nline 1: has 1 columns/],
  ] as const) {
    const { code, output } = await runCommand([...words])
    assert.equal(code, 1)
    assert.match(output, message)
    assert.doesNotMatch(output, /at .*\.ts:/)
  }
})

describe('boundaries', () => {
  const REAL = join(import.meta.dirname, '../../../shared/data/nigeria_lga_boundaries.geojson')
  const whole = JSON.stringify(squaresAround(places.lgas))

  /** Responds like geoBoundaries: a description, and the file that it names. */
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    const description = {
      boundaryISO: 'NGA',
      boundaryType: 'ADM2',
      boundaryLicense: 'CC BY 3.0 IGO',
      boundarySource: 'A test',
      simplifiedGeometryGeoJSON: `http://127.0.0.1:${port}/file`,
    }
    if (request.url === '/api') response.end(JSON.stringify(description))
    else if (request.url === '/file') response.end(whole)
    else response.writeHead(404).end()
  })
  let url: string
  let folder: string

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'boundaries-'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })

  test('the current edition is fetched, shown with its licence, checked and stored beside the database', async () => {
    const DATABASE_URL = `sqlite:${join(folder, 'one', 'feed.db')}`
    const { code, output } = await runCommand(['boundaries', 'install', '--create', '--api', `${url}/api`], {
      DATABASE_URL,
    })
    assert.equal(code, 0, output)
    assert.match(output, /Licence: CC BY 3\.0 IGO/)
    assert.match(output, /774 areas, 774 matched/)
    assert.match(output, /0 incidents would get another LGA/)
    assert.equal(await readFile(join(folder, 'one', 'lga-boundaries.geojson'), 'utf8'), whole)
    const source = JSON.parse(
      await readFile(join(folder, 'one', 'lga-boundaries.geojson.source.json'), 'utf8'),
    ) as Record<string, string>
    assert.equal(source.source, `${url}/file`)
    assert.match(source.sha256!, /^[0-9a-f]{64}$/)
  })

  test('counts the incidents whose LGA changes, and corrects them with --apply', async () => {
    const DATABASE_URL = `sqlite:${join(folder, 'two', 'feed.db')}`
    const lga = places.lgas.find(({ code }) => code === 'NG-KD-ZARIA')!
    const location = { ...anIncident().location, precision: 'exact', lga_basis: 'estimated' } as const
    const wrong = anIncident(1, { lat: lga.lat, lng: lga.lng, location })
    const reported = anIncident(2, { lat: lga.lat, lng: lga.lng, location: { ...location, lga_basis: 'reported' } })
    {
      await using store = await openTestStore(DATABASE_URL)
      await store.incidents.save(
        [wrong, reported].map((incident) => ({ incident, event: 'incident.created' })),
        Date.now(),
      )
    }
    const counting = await runCommand(['boundaries', 'install', '--create', `${url}/file`], { DATABASE_URL })
    assert.equal(counting.code, 0, counting.output)
    assert.match(counting.output, /1 incidents would get another LGA; correct them with --apply/)
    const applying = await runCommand(['boundaries', 'install', '--create', `${url}/file`, '--apply'], { DATABASE_URL })
    assert.equal(applying.code, 0, applying.output)
    assert.match(applying.output, /1 of 1 incidents whose LGA changes were corrected/)
    await using store = await openTestStore(DATABASE_URL)
    const corrected = await store.incidents.find(wrong.id)
    assert.deepEqual(
      [corrected?.lga, corrected?.location.lga_code, corrected?.location.lga_basis, corrected?.version],
      ['Zaria', lga.code, 'boundary', 2],
    )
    assert.deepEqual(
      (await store.events.after(0, 10)).map(({ kind }) => kind),
      ['incident.created', 'incident.created', 'incident.updated'],
    )
    assert.deepEqual(await store.incidents.find(reported.id), reported)
  })

  const REFUSED: [string, () => string[], RegExp][] = [
    ['a missing file', () => [join(folder, 'nothing.geojson')], /nothing\.geojson cannot be read/],
    ['a URL that responds 404', () => [`${url}/nothing`], /cannot be fetched: it answered 404/],
    ['a URL that is not the API', () => ['--api', `${url}/file`], /does not describe Nigeria's ADM2/],
    ['three LGAs instead of 774', () => [join(folder, 'three.geojson')], /the file has 3 areas, not 774/],
    [
      'a file that is not a FeatureCollection',
      () => [join(folder, 'else.geojson')],
      /the file is not a GeoJSON FeatureCollection/,
    ],
    ['an unknown flag', () => ['--force'], /Unknown option '--force'/],
  ]

  for (const [what, words, message] of REFUSED) {
    test(`${what} is refused, and nothing is installed`, async () => {
      await writeFile(join(folder, 'three.geojson'), JSON.stringify(squaresAround(places.lgas.slice(0, 3))))
      await writeFile(join(folder, 'else.geojson'), '{"type":"Feature"}')
      const { code, output } = await runCommand(['boundaries', 'install', '--create', ...words()], {
        DATABASE_URL: `sqlite:${join(folder, 'none', 'feed.db')}`,
      })
      assert.equal(code, 1, output)
      assert.match(output, message)
      assert.doesNotMatch(output, /\n {4}at /)
      assert.equal(existsSync(join(folder, 'none', 'lga-boundaries.geojson')), false)
    })
  }

  test('accepts the real boundaries completely', {
    skip: existsSync(REAL) ? false : `${REAL} is missing`,
  }, async () => {
    const { code, output } = await runCommand(['boundaries', 'install', '--create', REAL], {
      DATABASE_URL: `sqlite:${join(folder, 'real', 'feed.db')}`,
    })
    assert.equal(code, 0, output)
    assert.match(output, /774 areas, 774 matched/)
  })
})
