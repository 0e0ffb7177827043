import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, suite, test } from 'node:test'
import { syntheticIncidents } from '../../src/demo/synthetic-incident.ts'
import { incidentIdOf } from '../../src/desk/importing/prepare-row.ts'
import { places } from '../../src/geo/places.ts'
import type { Store } from '../../src/store/store.ts'
import { type Cells, csvOf, plainRow, ucdpRow } from '../desk/importing/formats/fixtures.ts'
import { archiveOf } from '../desk/importing/harness.ts'
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../store/databases.ts'
import { documentsOf, seeded } from '../store/fixtures.ts'
import { startTestApp, until } from '../support/app.ts'
import { endCommands, runCommand, runProcess, startCommand } from '../support/commands.ts'
import { openTestStore } from '../support/databases/stores.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'
import { oneStoreOf } from '../support/tier.ts'

after(endCommands)

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'incident-feed-import-'))
})
after(() => rm(folder, { recursive: true, force: true }))

let files = 0
async function fileOf(content: string, extension = 'csv'): Promise<string> {
  const path = join(folder, `file-${++files}.${extension}`)
  await writeFile(path, content)
  return path
}
const newDatabase = () => `sqlite:${join(folder, `database-${++files}.db`)}`

async function importing(words: readonly string[], DATABASE_URL: string) {
  const { code, output: printed } = await runCommand(['import', '--create', ...words], { DATABASE_URL })
  return { code, printed }
}

function countsIn(printed: string): Record<string, number> {
  const lines = [...printed.matchAll(/^(read|new|unchanged|updated|poorer|kept|rejected) +([\d,]+)$/gm)]
  return Object.fromEntries(lines.map(([, name, count]) => [name, Number(count!.replaceAll(',', ''))]))
}

const nothing = { read: 0, new: 0, unchanged: 0, updated: 0, poorer: 0, kept: 0, rejected: 0 }

suite('an impossible import is refused with one sentence', () => {
  const REFUSED: readonly { words: () => Promise<string[]>; says: RegExp }[] = [
    { words: async () => [], says: /import takes a format and a file/ },
    { words: async () => ['ndjsn', 'x'], says: /^incident-feed: "ndjsn" is not a format; did you mean ndjson\?\n$/ },
    {
      words: async () => ['xlsx', 'x'],
      says: /"xlsx" is not a format; the formats are: ucdp, acled, csv, geojson, ndjson/,
    },
    { words: async () => ['csv'], says: /import csv takes a file, or - for standard input/ },
    { words: async () => ['csv', 'one', 'two'], says: /one file at a time, not 2/ },
    { words: async () => ['csv', 'x', '--force'], says: /Unknown option '--force'/ },
    {
      words: async () => ['ucdp', 'x', '--map', 'a=b'],
      says: /a mapping is for csv and geojson: ucdp has fixed column names/,
    },
    { words: async () => ['csv', 'x', '--map', 'a'], says: /--map takes column=field, not "a"/ },
    { words: async () => ['csv', 'x', '--map', 'a=type', '--map', 'a=-'], says: /--map names "a" twice/ },
    { words: async () => ['csv', 'x', '--value', 'type=a'], says: /--value takes field:theirs=ours, not "type=a"/ },
    { words: async () => ['csv', 'x', '--constant', 'type'], says: /--constant takes field=value, not "type"/ },
    {
      words: async () => ['csv', 'x', '--mapping', await fileOf('{\n "columns": {},\n "valeus": {}\n}', 'json')],
      says: /\.json, line 3: "valeus" is not known; a mapping has columns, values, constants/,
    },
    {
      words: async () => ['csv', 'x', '--mapping', await fileOf('{\n "columns": {,}\n}', 'json')],
      says: /\.json, line 2: the mapping is not JSON/,
    },
    {
      words: async () => [
        'csv',
        await fileOf('type,occurred_at\n', 'csv'),
        '--constant',
        'state=Kaduna',
        '--constant',
        'severity=hihg',
      ],
      says: /--constant severity=hihg: the value "hihg" is not known; did you mean high/,
    },
    {
      words: async () => ['csv', await fileOf('type,occurred_at,state\n', 'csv'), '--value', 'type:Kidnap=kidnaping'],
      says: /--value type:kidnap=kidnaping: the value "kidnaping" is not known; did you mean kidnapping/,
    },
    {
      words: async () => ['csv', await fileOf('type,occurred_at,state\n', 'csv'), '--constant', 'state=Kaduna'],
      says: /--constant state: the file has a column for state; ignore it with --map "state=-"/,
    },
    {
      words: async () => ['csv', (await fileOf('x', 'txt')).replace('.txt', '.tx')],
      says: /there is no file .*\.tx; did you mean file-\d+\.txt/,
    },
    { words: async () => ['csv', join(folder, 'no', 'file.csv')], says: /there is no folder .*no\n$/ },
    { words: async () => ['csv', folder], says: /is a folder: name a file in it/ },
    { words: async () => ['csv', await fileOf('')], says: /file-\d+\.csv: the file is empty/ },
    { words: async () => ['ucdp', await fileOf('a,b\n1,2\n')], says: /this is not a UCDP GED file: it lacks/ },
    {
      words: async () => ['csv', await fileOf('type,when\n')],
      says: /the column "when" is not known: map it with --map/,
    },
    {
      words: async () => ['csv', await fileOf(csvOf([plainRow()])), '--map', 'type=tipe'],
      says: /--map type=tipe: the field does not exist; did you mean type/,
    },
    {
      words: async () => {
        const path = await fileOf(csvOf([plainRow()]))
        return ['csv', path, '--rejected', path]
      },
      says: /--rejected names the file to be imported/,
    },
    {
      words: async () => ['csv', await fileOf(csvOf([plainRow()])), '--rejected', folder],
      says: /cannot write rejected rows to/,
    },
    {
      words: async () => ['csv', await fileOf(csvOf([plainRow()])), '--lga-boundaries', await fileOf('{}')],
      says: /LGA_BOUNDARIES: .*file-\d+\.csv: the file is not a GeoJSON FeatureCollection/,
    },
  ]
  for (const [index, { words, says }] of REFUSED.entries()) {
    test(`${index + 1}: ${says.source}`, async () => {
      const { code, printed } = await importing(await words(), newDatabase())
      assert.equal(code, says.source.includes('LGA_BOUNDARIES') ? 78 : 1, printed)
      assert.match(printed, says)
      assert.match(printed, /^incident-feed: /)
      assert.doesNotMatch(printed, /\n {4}at /)
    })
  }
})

test('--help lists the formats and the options', async () => {
  const { code, printed } = await importing(['--help'], newDatabase())
  assert.equal(code, 0)
  for (const word of ['ucdp', '--dry-run', '--map', '--rejected', '--from-start'])
    assert.ok(printed.includes(word), word)
})

test('imports a file and writes its rejected rows beside it, where they can be corrected; a second import changes nothing', async () => {
  const url = newDatabase()
  const path = await fileOf(csvOf([ucdpRow(), ucdpRow({ id: 2, country: 'Niger' }), ucdpRow({ id: 3 })]))
  const first = await importing(['ucdp', path], url)
  assert.equal(first.code, 0, first.printed)
  assert.deepEqual(countsIn(first.printed), { ...nothing, read: 3, new: 2, rejected: 1 })
  assert.match(first.printed, /row 3: the country is "Niger", not Nigeria/)
  assert.ok(first.printed.includes(`The rejected rows are in ${path}.rejected.ndjson`))
  const rejected = JSON.parse(await readFile(`${path}.rejected.ndjson`, 'utf8')) as Record<string, unknown>
  assert.deepEqual([rejected.row, rejected.reason], [3, 'the country is "Niger", not Nigeria'])
  const [header] = (await readFile(path, 'utf8')).split('\r\n')
  const corrected = await fileOf(`${header}\r\n${String(rejected.text).replace('Niger,', 'Nigeria,')}\r\n`)
  assert.deepEqual(countsIn((await importing(['ucdp', corrected], url)).printed), { ...nothing, read: 1, new: 1 })
  const again = await importing(['ucdp', path], url)
  assert.deepEqual(countsIn(again.printed), { ...nothing, read: 3, unchanged: 2, rejected: 1 })
})

test('maps columns, and writes the rejected rows to the named file', async () => {
  const url = newDatabase()
  const path = await fileOf('Kind,Event Date,Region,Notes\nkidnapping,2024-05-01,Kaduna,x\nnothing,2024-05-01,Kano,y\n')
  const map = ['Kind=type', 'Event Date=occurred_at', 'Region=state', '*=-'].flatMap((pair) => ['--map', pair])
  const rejected = join(folder, 'elsewhere.ndjson')
  const { code, printed } = await importing(['csv', path, ...map, '--rejected', rejected], url)
  assert.equal(code, 0, printed)
  assert.deepEqual(countsIn(printed), { ...nothing, read: 2, new: 1, rejected: 1 })
  assert.ok(existsSync(rejected) && !existsSync(`${path}.rejected.ndjson`))
})

test('a dry run reports what would change in the existing database, and writes nothing', async () => {
  const url = newDatabase()
  const path = await fileOf(csvOf([1, 2, 2, 3].map((id) => plainRow({ source_id: `acme:${id}`, place: '' }))))
  const none = await importing(['csv', path, '--dry-run'], url)
  assert.equal(none.code, 0, none.printed)
  assert.deepEqual(countsIn(none.printed), { ...nothing, read: 4, new: 3, unchanged: 1 })
  assert.match(none.printed, /This was a dry run: nothing was written/)
  assert.equal(existsSync(url.replace('sqlite:', '')), false)

  await importing(['csv', path], url)
  const next = await fileOf(
    csvOf(
      [3, 4].map((id) => plainRow({ source_id: `acme:${id}`, place: '', killed: 1 })).concat(plainRow({ type: '' })),
    ),
  )
  const dry = await importing(['csv', next, '--dry-run'], url)
  assert.deepEqual(countsIn(dry.printed), { ...nothing, read: 3, new: 1, updated: 1, rejected: 1 })
  assert.equal(existsSync(`${next}.rejected.ndjson`), false)
  await using store = await openTestStore(url)
  assert.equal((await store.events.head()).seq, 3)
  assert.equal((await store.incidents.find(incidentIdOf('acme:3')))?.version, 1)
})

test('standard input is read to its end', async () => {
  const lines = [1, 2].map((number) => JSON.stringify(anIncident(number))).join('\n')
  const { ended, output } = startCommand(['import', '--create', 'ndjson', '-'], { DATABASE_URL: newDatabase() }, lines)
  assert.deepEqual([await ended, countsIn(output())], [0, { ...nothing, read: 2, new: 2 }])
})

test("the operator's boundaries decide the LGA, as they do in the service", async () => {
  const real = join(import.meta.dirname, '../../../shared/data/nigeria_lga_boundaries.geojson')
  const { squaresAround } = await import('../support/boundaries.ts')
  const boundaries = existsSync(real) ? real : await fileOf(JSON.stringify(squaresAround(places.lgas)), 'geojson')
  const zaria = places.lgas.find(({ code }) => code === 'NG-KD-ZARIA')!
  const path = await fileOf(csvOf([plainRow({ state: '', place: '', lat: zaria.lat, lng: zaria.lng })]))
  const url = newDatabase()
  const { code, printed } = await importing(['csv', path, '--lga-boundaries', boundaries], url)
  assert.equal(code, 0, printed)
  await using store = await openTestStore(url)
  const incident = await store.incidents.find(incidentIdOf('acme:17'))
  assert.deepEqual([incident?.lga, incident?.location.lga_basis], ['Zaria', 'boundary'])
})

test('a running service sees incidents imported by another process', async () => {
  const DATABASE_URL = newDatabase()
  await using app = await startTestApp({ DATABASE_URL })
  const path = await fileOf([1, 2, 3].map((number) => `${JSON.stringify(anIncident(number))}\n`).join(''), 'ndjson')
  const { code, output } = await runProcess(['import', '--create', 'ndjson', path], { DATABASE_URL })
  assert.equal(code, 0, output)
  await until(() => app.archive.size === 3, 'the imported incidents')
  const { data } = (await (await app.get('/v1/incidents')).json()) as { data: object[] }
  assert.deepEqual(
    data,
    [3, 2, 1].map((number) => anIncident(number)),
  )
})

const ROWS = 5000
const BAD_ROWS = ROWS / 1000

let longText: string | null = null

/** Many documents, with one malformed row per thousand. */
function longFile(): Promise<string> {
  const history = { places, seed: 7, count: ROWS, from: Date.UTC(2016, 0), until: Date.UTC(2026, 0) }
  longText ??= [...syntheticIncidents(history)]
    .map((incident) => JSON.stringify(incident))
    .flatMap((line, index) => (index % 1000 === 3 ? ['not JSON', line] : [line]))
    .join('\n')
  return fileOf(longText, 'ndjson')
}

/** Starts an import and stops it after this many events. */
async function interrupted(words: string[], url: string, store: Store, events: number, signal: 'SIGKILL' | 'SIGINT') {
  // At least one event of this run: an import stopped before it began proves nothing.
  const target = Math.max(events, (await store.events.head()).seq + 1)
  const { child, ended, output } = startCommand(['import', '--create', ...words], { DATABASE_URL: url })
  await until(async () => child.exitCode !== null || (await store.events.head()).seq >= target, 'so many events')
  child.kill(signal)
  return { code: await ended, printed: output() }
}

suite('an import that is killed', () => {
  /** The results of an import without interruption. */
  let whole: { readonly url: string; readonly counts: object; readonly rejected: string }
  before(async () => {
    const path = await longFile()
    const url = newDatabase()
    const { printed } = await importing(['ndjson', path], url)
    whole = { url, counts: countsIn(printed), rejected: await readFile(`${path}.rejected.ndjson`, 'utf8') }
  })

  const DATABASES: readonly { name: string; makeDatabase: () => Promise<EmptyDatabase>; kills: number }[] = [
    { name: 'SQLite', makeDatabase: emptySqlite, kills: 2 },
    { name: 'PostgreSQL', makeDatabase: emptyPostgres, kills: 1 },
  ]
  for (const { name, makeDatabase, kills } of oneStoreOf(DATABASES)) {
    test(`${kills === 1 ? 'once' : 'repeatedly'} has the same result as an uninterrupted one, on ${name}`, async (context) => {
      await using database = await makeDatabase()
      const path = await longFile()
      const words = ['ndjson', path]
      const seed = Date.now() % 2 ** 31
      context.diagnostic(`seed ${seed}`)
      const random = seeded(seed)
      let killed = 0
      {
        await using store = await database.open()
        for (let number = 0; number < kills; number++) {
          // Enough is left after the last kill that it does not come too late.
          const part = (number + 0.6 * random()) / (kills + 1)
          const { printed } = await interrupted(words, database.url, store, Math.floor(part * ROWS) + 1, 'SIGKILL')
          if (countsIn(printed).read === undefined) killed++
          assert.equal(/Continuing after row/.test(printed), number > 0, printed)
        }
      }
      assert.equal(killed, kills, 'each was killed before its end')
      const last = await importing(words, database.url)
      assert.equal(last.code, 0, last.printed)
      assert.match(last.printed, /Continuing after row [\d,]+, where the import was interrupted/)
      assert.deepEqual(countsIn(last.printed), { ...nothing, read: ROWS + BAD_ROWS, new: ROWS, rejected: BAD_ROWS })

      assert.deepEqual(countsIn(last.printed), whole.counts)
      assert.equal(await readFile(`${path}.rejected.ndjson`, 'utf8'), whole.rejected)
      await using one = await database.open()
      await using other = await openTestStore(whole.url)
      assert.equal((await one.events.head()).seq, ROWS)
      assert.deepEqual(
        await documentsOf(await one.incidents.snapshot()),
        await documentsOf(await other.incidents.snapshot()),
      )
    })
  }
})

suite('an import that is interrupted by Ctrl-C', () => {
  test('finishes its batch, says how to continue, and can be started again instead', async () => {
    await using database = await emptySqlite()
    const path = await longFile()
    await using store = await database.open()
    const { code, printed } = await interrupted(['ndjson', path], database.url, store, 1, 'SIGINT')
    assert.equal(code, 130, printed)
    assert.match(printed, /Interrupted after row [\d,]+\. Run the same command again to continue from there/)
    const { new: fresh = 0, read = 0 } = countsIn(printed)
    assert.equal((await store.events.head()).seq, fresh)
    assert.equal(read % 1000, 0)
    const restarted = await importing(['ndjson', path, '--from-start'], database.url)
    assert.deepEqual(countsIn(restarted.printed), {
      ...nothing,
      read: ROWS + BAD_ROWS,
      unchanged: fresh,
      new: ROWS - fresh,
      rejected: BAD_ROWS,
    })
    assert.doesNotMatch(restarted.printed, /Continuing/)
    assert.equal((await archiveOf(store)).length, ROWS)
  })
})

describe('imports', () => {
  suite('incident-feed imports', () => {
    test('lists imports, shows their reports, and undoes one on record', async () => {
      await using folder = await temporaryFolder()
      const DATABASE_URL = `sqlite:${join(folder.path, 'database.db')}`
      const run = (...words: string[]) => runCommand(words, { DATABASE_URL })
      const importing = async (rows: readonly Cells[], ...flags: string[]) => {
        const file = join(folder.path, 'events.csv')
        await writeFile(file, csvOf(rows.map(plainRow)))
        const { output } = await run('import', 'csv', file, ...flags)
        return /This was (imp_\w+)/.exec(output)![1]!
      }
      assert.match((await run('imports', 'list', '--create')).output, /Nothing was imported yet/)
      const rich = { source_id: 'acme:1', lga: 'Chikun', killed: 1 }
      const first = await importing([rich], '--constant', 'dataset=acme')
      const second = await importing([{ ...rich, lga: '', killed: 2 }, { source_id: 'acme:2' }])

      const { output: list } = await run('imports', 'list')
      assert.deepEqual(
        list
          .trim()
          .split('\n')
          .map((line) => line.split('  ')[0]),
        [second, first],
      )
      assert.match((await run('imports', 'show', first)).output, /dataset {4}acme\nsettings {3}.*"dataset":"acme"/)
      const { output: shown } = await run('imports', 'show', second, '--incidents')
      assert.match(shown, /state {6}finished/)
      assert.match(shown, /file {7}events\.csv, [\d,]+ bytes\nsha256 {5}[0-9a-f]{64}/)
      assert.match(shown, /location: 1/)
      const id = incidentIdOf('acme:1')
      assert.match(shown, new RegExp(`${id}  updated, version 2, kept its .*location`))

      assert.match((await run('imports', 'undo', 'imp_nothing')).output, /there is no import imp_nothing/)
      assert.match(
        (await run('imports', 'undo', second, '--dry-run')).output,
        /would be 1 put back, 1 taken back, 0 left/,
      )
      const undone = await run('imports', 'undo', second)
      assert.deepEqual(
        [undone.code, undone.output.trim()],
        [0, 'Undone: 1 put back, 1 taken back, 0 left as they are.'],
      )
      assert.match((await run('imports', 'undo', second)).output, /is undone already/)
      assert.match((await run('imports', 'show', second)).output, /undone {5}.*1 put back, 1 taken back/)

      await using store = await openTestStore(DATABASE_URL)
      assert.equal((await store.incidents.find(id))!.casualties.killed, 1)
      const audit = await store.audit.list({ accountId: null, incidentId: null, from: null, to: null }, null, 50)
      assert.deepEqual(
        audit.filter(({ action }) => action.startsWith('import.')).map(({ action, subject }) => [action, subject]),
        [
          ['import.undo', second],
          ['import.run', second],
          ['import.run', first],
        ],
      )
    })
  })
})
