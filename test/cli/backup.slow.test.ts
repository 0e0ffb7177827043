import assert from 'node:assert/strict'
import { copyFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { backUp } from '../../src/store/backup/backup.ts'
import { openStore } from '../../src/store/open.ts'
import { RESTORE_GAP } from '../../src/store/shared/restore-gap.ts'
import { aPasskey, aSession, created, NOW, withAccounts } from '../store/fixtures.ts'
import { withWatches } from '../store/watch-fixtures.ts'
import { startTestApp, until } from '../support/app.ts'
import { runCommand } from '../support/commands.ts'
import { smallDisk } from '../support/databases/small-disk.ts'
import { type Tables, tablesOf } from '../support/databases/tables.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'
import { startEndpoint } from '../support/receivers.ts'

/** A folder with a store of 200 incidents, and a backup of it. */
async function scene() {
  const folder = await temporaryFolder()
  const live = join(folder.path, 'feed.db')
  const copy = join(folder.path, 'backup.db')
  const url = `sqlite:${live}`
  {
    await using store = await openStore(url)
    await store.incidents.save(
      Array.from({ length: 200 }, (_, number) => created(number)),
      NOW,
    )
    await withWatches(store, 2)
  }
  await backUp(url, copy, false)
  return { folder: folder.path, live, copy, url, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] }
}

/** A backup is noted once it is whole, so that it does not have its own note. */
function copiedTables(path: string): Tables {
  const { last_backup: _, ...tables } = tablesOf(path)
  return tables
}

type Scene = Awaited<ReturnType<typeof scene>>

async function refused(words: string[], databaseUrl: string, message: RegExp): Promise<void> {
  const { code, output } = await runCommand(words, { DATABASE_URL: databaseUrl })
  assert.equal(code, 1, output)
  assert.match(output, message)
  assert.match(output, /^incident-feed: [^\n]*\n/)
  assert.doesNotMatch(output, /\n {4}at /)
}

describe('incident-feed backup', { timeout: 120_000 }, () => {
  it('prints the content of the copy, and leaves no other file', async () => {
    await using here = await scene()
    const another = join(here.folder, 'another.db')
    const { code, output } = await runCommand(['backup', another], { DATABASE_URL: here.url })
    assert.equal(code, 0, output)
    const bytes = new Intl.NumberFormat('en').format((await stat(another)).size)
    assert.equal(output, `Backed up to ${another}: 200 incidents, 200 events, 2 watches, ${bytes} bytes.\n`)
    assert.deepEqual(
      (await readdir(here.folder)).filter((name) => name.startsWith('another')),
      ['another.db'],
    )
  })

  it('copies every row of a running service, and pending deliveries are sent again under the same id', async () => {
    await using folder = await temporaryFolder()
    await using endpoint = await startEndpoint()
    endpoint.answer = (response) => response.writeHead(500).end()
    const live = join(folder.path, 'feed.db')
    const copy = join(folder.path, 'backup.db')
    const elsewhere = join(folder.path, 'elsewhere', 'feed.db')
    const settings = (file: string) => ({ DATABASE_URL: `sqlite:${file}`, WEBHOOK_ALLOW_PRIVATE: 'true' })
    let key: string
    {
      await using app = await startTestApp(settings(live))
      key = (await app.issue({ scopes: ['read', 'watch'] })).text
      const watch = { name: 'All', filter: {}, url: endpoint.url }
      assert.equal((await app.post('/v1/watches', watch, key)).status, 201)
      await app.publish([anIncident(1), anIncident(2)])
      await until(() => tablesOf(live).attempts!.length === 2, 'two failed attempts')
      assert.equal((await runCommand(['backup', copy], settings(live))).code, 0)
      const [{ owners: _a, fan_out: _b, ...there }, { owners: _c, fan_out: _d, ...now }] = [
        copiedTables(copy),
        copiedTables(live),
      ]
      assert.deepEqual(there, now)
    }
    const before = endpoint.messages.length
    endpoint.answer = (response) => response.writeHead(204).end()
    assert.equal((await runCommand(['restore', copy], settings(elsewhere))).code, 0)
    await using app = await startTestApp(settings(elsewhere))
    const { data } = (await (await app.get('/v1/incidents', key)).json()) as { data: object[] }
    assert.deepEqual(data, [anIncident(2), anIncident(1)])
    await until(() => endpoint.messages.length >= before + 2, 'what was pending')
    const ids = (messages: typeof endpoint.messages) => messages.map(({ headers }) => headers['webhook-id']).toSorted()
    assert.deepEqual(ids(endpoint.messages.slice(before)), ids(endpoint.messages.slice(0, 2)))
    await app.publish([anIncident(3)])
    await until(() => endpoint.messages.length === before + 3, 'what is new')
    assert.deepEqual(
      [endpoint.messages.at(-1)!.json.seq, endpoint.messages.at(-1)!.json.sequence],
      [2 + RESTORE_GAP + 1, 2 + RESTORE_GAP + 1],
    )
  })

  it('has passkeys, but no sessions, links or challenges, not even as deleted bytes', async () => {
    await using folder = await temporaryFolder()
    const copy = join(folder.path, 'backup.db')
    const url = `sqlite:${join(folder.path, 'feed.db')}`
    await using store = await openStore(url)
    await withAccounts(store)
    await store.sessions.open(aSession(1), 50)
    const link = { tokenHash: 'hash-of-a-link', accountId: 'acc_1', mailed: false, createdAt: NOW, expiresAt: NOW }
    await store.signInLinks.add(link)
    await store.challenges.add({ hash: 'hash-of-a-challenge', accountId: null, expiresAt: NOW + 10 }, NOW)
    await store.passkeys.add(aPasskey(1), 10)
    await backUp(url, copy, false)
    const { sessions, sign_in_links, challenges, passkeys } = tablesOf(copy)
    assert.deepEqual([sessions, sign_in_links, challenges], [[], [], []])
    assert.equal(passkeys!.length, 1)
    const content = await readFile(copy, 'latin1')
    assert.doesNotMatch(content, /session-hash-1|hash-of-a-link|hash-of-a-challenge/)
    assert.equal((await store.sessions.list('acc_1', NOW, 0)).length, 1)
  })

  const CASES: [string, (here: Scene) => [words: string[], url: string], RegExp][] = [
    ['no file named', ({ url }) => [['backup'], url], /name one file/],
    ['two files named', ({ url }) => [['backup', 'a', 'b'], url], /name one file/],
    ['an existing file', ({ copy, url }) => [['backup', copy], url], /backup\.db already exists: --force replaces it/],
    ['a folder', ({ folder, url }) => [['backup', folder, '--force'], url], /is a folder: name a file/],
    ['a missing folder', ({ folder, url }) => [['backup', `${folder}/no/b.db`], url], /There is no folder .*no /],
    ['the database itself', ({ live, url }) => [['backup', live, '--force'], url], /is the database itself/],
    [
      'no database',
      ({ folder }) => [['backup', `${folder}/b.db`], `sqlite:${folder}/none.db`],
      /no database at .*none\.db/,
    ],
    ['a database in memory', ({ folder }) => [['backup', `${folder}/b.db`], 'sqlite::memory:'], /in memory/],
    [
      'a database of another application',
      ({ folder }) => [['backup', `${folder}/b.db`], `sqlite:${folder}/other.db`],
      /not one of this service/,
    ],
  ]
  for (const [what, wordsAndUrl, message] of CASES) {
    it(`refuses ${what}`, async () => {
      await using here = await scene()
      new DatabaseSync(join(here.folder, 'other.db')).exec('CREATE TABLE notes (text)')
      const before = tablesOf(here.live)
      await refused(...wordsAndUrl(here), message)
      assert.deepEqual(tablesOf(here.live), before)
      assert.deepEqual(
        (await readdir(here.folder)).filter((name) => name.includes('.part')),
        [],
      )
    })
  }

  it('replaces an existing file with --force', async () => {
    await using here = await scene()
    await writeFile(here.copy, 'a note')
    assert.equal((await runCommand(['backup', here.copy, '--force'], { DATABASE_URL: here.url })).code, 0)
    assert.deepEqual(copiedTables(here.copy), copiedTables(here.live))
  })

  it('reports a full disk, and leaves no partial file', async (context) => {
    await using here = await scene()
    const disk = await smallDisk(1)
    if (typeof disk === 'string') return context.skip(disk)
    await using _ = disk
    await disk.fill()
    await refused(['backup', join(disk.path, 'b.db')], here.url, /There is no room for the copy at .*b\.db/)
    await refused(
      ['restore', here.copy],
      `sqlite:${join(disk.path, 'feed.db')}`,
      /There is no room for the copy at .*feed\.db/,
    )
    assert.deepEqual(await readdir(disk.path), ['filler'])
  })
})

describe('incident-feed restore', { timeout: 120_000 }, () => {
  it('refuses a store in use, and one with content; with --force it keeps the replaced file', async () => {
    await using here = await scene()
    const content = tablesOf(here.live)
    {
      await using store = await openStore(here.url)
      await refused(['restore', here.copy, '--force'], here.url, /A service is using .*feed\.db: stop it first/)
      await store.incidents.save([created(500)], NOW)
    }
    await refused(['restore', here.copy], here.url, /has content, up to event 201: --force/)
    const { code, output } = await runCommand(['restore', here.copy, '--force'], { DATABASE_URL: here.url })
    assert.equal(code, 0, output)
    const replacedFile = /kept as (.+)\.\n/.exec(output)![1]!
    assert.equal(tablesOf(replacedFile).events!.length, 201)
    const { log_head, watch_progress, ...rest } = tablesOf(here.live)
    const { log_head: _a, watch_progress: _b, ...before } = content
    assert.deepEqual(rest, before)
    assert.equal(log_head![0]!.seq, 201 + RESTORE_GAP, 'after the last event of the replaced store')
    assert.equal(watch_progress![0]!.sequence, 1 + RESTORE_GAP)
  })

  it('does not repeat event numbers when the same backup is restored twice', async () => {
    await using here = await scene()
    for (const restored of [1, 2]) {
      assert.equal((await runCommand(['restore', here.copy, '--force'], { DATABASE_URL: here.url })).code, 0)
      assert.equal(tablesOf(here.live).log_head![0]!.seq, 200 + restored * RESTORE_GAP)
    }
  })

  it('replaces an unused store, and with --force a damaged one, even beside a foreign log file', async () => {
    await using here = await scene()
    const fresh = join(here.folder, 'fresh.db')
    await (await openStore(`sqlite:${fresh}`))[Symbol.asyncDispose]()
    assert.equal((await runCommand(['restore', here.copy], { DATABASE_URL: `sqlite:${fresh}` })).code, 0)
    await truncate(fresh, 5000)
    await copyFile(here.live, `${fresh}-wal`)
    await refused(['restore', here.copy], `sqlite:${fresh}`, /cannot be read .*--force/)
    assert.equal((await runCommand(['restore', here.copy, '--force'], { DATABASE_URL: `sqlite:${fresh}` })).code, 0)
    await using store = await openStore(`sqlite:${fresh}`)
    assert.equal((await store.events.after(0, 1000)).length, 200)
  })

  const CASES: [string, (here: Scene) => Promise<string>, RegExp][] = [
    ['a missing file', async ({ folder }) => join(folder, 'none.db'), /There is no file .*none\.db/],
    ['a folder', async ({ folder }) => folder, /is not a file/],
    ['the database itself', async ({ live }) => live, /is the database itself/],
    ['a text file', ({ copy }) => changed(copy, () => Buffer.from('a text '.repeat(1000))), /is not a SQLite database/],
    ['an empty file', ({ copy }) => changed(copy, () => Buffer.alloc(0)), /is empty/],
    [
      'a truncated backup',
      ({ copy }) => changed(copy, (bytes) => bytes.subarray(0, bytes.length / 2)),
      /is cut off: \d+ of its/,
    ],
    ['damaged pages', ({ copy }) => changed(copy, (bytes) => bytes.fill(0xa5, 8192)), /damaged/],
    [
      'a database of another application',
      ({ copy }) => sql(copy, 'DROP TABLE schema_version'),
      /not one of this service/,
    ],
    [
      'a newer schema',
      ({ copy }) => sql(copy, 'INSERT INTO schema_version VALUES (77)'),
      /schema version 77, this build/,
    ],
    [
      'a copy of a file in use',
      ({ copy }) => copyFile(copy, `${copy}-wal`).then(() => copy),
      /was in use when it was copied/,
    ],
  ]
  for (const [what, make, message] of CASES) {
    it(`refuses ${what}, and changes nothing`, async () => {
      await using here = await scene()
      const before = await readFile(here.live)
      await refused(['restore', await make(here), '--force'], here.url, message)
      assert.deepEqual(await readFile(here.live), before)
    })
  }
})

describe('incident-feed skip-ahead', { timeout: 120_000 }, () => {
  it('refuses a store in use and a missing one, and makes a gap otherwise', async () => {
    await using here = await scene()
    {
      await using _store = await openStore(here.url)
      await refused(['skip-ahead'], here.url, /A service is using/)
    }
    await refused(['skip-ahead'], `${here.url}.none`, /There is no database/)
    const { code, output } = await runCommand(['skip-ahead'], { DATABASE_URL: here.url })
    assert.equal(code, 0, output)
    assert.match(output, new RegExp(`The next event will be ${200 + RESTORE_GAP + 1}\\.`))
  })
})

async function changed(file: string, change: (bytes: Buffer) => Buffer): Promise<string> {
  await writeFile(file, change(await readFile(file)))
  return file
}

async function sql(file: string, statement: string): Promise<string> {
  using database = new DatabaseSync(file)
  database.exec(statement)
  return file
}
