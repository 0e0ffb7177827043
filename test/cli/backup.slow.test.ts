import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { backUp, recordBackup } from '../../src/store/backup.ts'
import { emptyPostgres, emptySqlite } from '../store/databases.ts'
import { aPasskey, aSession, created, NOW, withAccounts, withWatches } from '../store/fixtures.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { runCommand } from '../support/commands.ts'
import { whyNoPgDump } from '../support/databases/contents.ts'
import { execute, testDatabase } from '../support/databases/postgres.ts'
import { openTestStore, type Tables, tablesOf } from '../support/databases/stores.ts'
import { smallDisk, temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'
import { startEndpoint } from '../support/receivers.ts'

/** A folder with a store of 200 incidents, and a backup of it. */
async function scene() {
  const folder = await temporaryFolder()
  const live = join(folder.path, 'feed.db')
  const copy = join(folder.path, 'backup.db')
  const url = `sqlite:${live}`
  {
    await using store = await openTestStore(url)
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

describe('incident-feed backup', () => {
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
    const { seq, sequence } = endpoint.messages.at(-1)!.json
    assert.equal(seq, 3)
    assert.ok(sequence > 10_000_000)
  })

  it('has passkeys, but no sessions, links or challenges, not even as deleted bytes', async () => {
    await using folder = await temporaryFolder()
    const copy = join(folder.path, 'backup.db')
    const url = `sqlite:${join(folder.path, 'feed.db')}`
    await using store = await openTestStore(url)
    await withAccounts(store)
    await store.sessions.open(aSession(1), 50)
    const link = { tokenHash: 'hash-of-a-link', accountId: 'acc_1', email: null, createdAt: NOW, expiresAt: NOW }
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

describe('incident-feed restore', () => {
  it('refuses a store in use, and one with content; with --force it keeps the replaced file', async () => {
    await using here = await scene()
    const content = tablesOf(here.live)
    {
      await using store = await openTestStore(here.url)
      await refused(['restore', here.copy, '--force'], here.url, /A service is using .*feed\.db: stop it first/)
      await store.incidents.save([created(500)], NOW)
    }
    await refused(['restore', here.copy], here.url, /has content, up to event 201: --force/)
    const { code, output } = await runCommand(['restore', here.copy, '--force'], { DATABASE_URL: here.url })
    assert.equal(code, 0, output)
    const replacedFile = /kept as (.+)\.\n/.exec(output)![1]!
    assert.equal(tablesOf(replacedFile).events!.length, 201)
    const { log_head, log_forks, watch_progress, watch_head, desk_head, gazetteer_head, ...rest } = tablesOf(here.live)
    const before = Object.keys(rest).map((name) => [name, content[name]])
    assert.deepEqual(rest, Object.fromEntries(before))
    assert.equal(log_head![0]!.seq, 200)
    assert.deepEqual([log_forks![0]!.after_seq, log_forks![0]!.seen_seq], [200, 201], 'the replaced store had one more')
    assert.ok(Number(watch_progress![0]!.sequence) > 10_000_000)
    for (const [head] of [watch_head!, desk_head!, gazetteer_head!]) assert.ok(Number(head!.revision) >= 1_000_000)
  })

  it('gives other positions and message numbers when the same backup is restored twice', async () => {
    await using here = await scene()
    const links = new Set<string>()
    for (const _ of [1, 2]) {
      assert.equal((await runCommand(['restore', here.copy, '--force'], { DATABASE_URL: here.url })).code, 0)
      await using store = await openTestStore(here.url)
      await store.incidents.save([created(500)], NOW)
      links.add((await store.events.head()).link)
    }
    assert.equal(links.size, 2)
  })

  it('replaces an unused store, and with --force a damaged one, even beside a foreign log file', async () => {
    await using here = await scene()
    const fresh = join(here.folder, 'fresh.db')
    await (await openTestStore(`sqlite:${fresh}`))[Symbol.asyncDispose]()
    assert.equal((await runCommand(['restore', here.copy], { DATABASE_URL: `sqlite:${fresh}` })).code, 0)
    await truncate(fresh, 5000)
    await copyFile(here.live, `${fresh}-wal`)
    await refused(['restore', here.copy], `sqlite:${fresh}`, /cannot be read .*--force/)
    assert.equal((await runCommand(['restore', here.copy, '--force'], { DATABASE_URL: `sqlite:${fresh}` })).code, 0)
    await using store = await openTestStore(`sqlite:${fresh}`)
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

describe('incident-feed skip-ahead', () => {
  it('refuses a store in use and a missing one, and makes a fork otherwise', async () => {
    await using here = await scene()
    {
      await using _store = await openTestStore(here.url)
      await refused(['skip-ahead'], here.url, /A service is using/)
    }
    await refused(['skip-ahead'], `${here.url}.none`, /There is no database/)
    const { code, output } = await runCommand(['skip-ahead'], { DATABASE_URL: here.url })
    assert.equal(code, 0, output)
    assert.match(output, /The log goes on after event 200\./)
    assert.deepEqual(
      tablesOf(here.live).log_forks!.map(({ after_seq, seen_seq }) => [after_seq, seen_seq]),
      [[200, null]],
    )
  })
})

describe('incident-feed verify', () => {
  const verify = (url: string, ...words: string[]) => runCommand(['verify', ...words], { DATABASE_URL: url })

  it('says that the log is whole, and gives a position to be kept, which the next check needs', async () => {
    await using here = await scene()
    const { code, output } = await verify(here.url)
    assert.equal(code, 0, output)
    assert.match(output, /^200 events, 200 of them linked\.\nThe log is whole\./)
    const [position] = /200\.[\w-]{11}$/m.exec(output)!
    assert.equal((await verify(here.url, '--position', position)).code, 0)
    const other = position.replace(/.{5}$/, 'zzzzz')
    const lost = await verify(here.url, '--position', other)
    assert.deepEqual([lost.code, /position \S+: is not in the log any more/.test(lost.output)], [1, true])
    await refused(['verify', '--position', '200'], here.url, /with its hash/)
    await refused(['verify', '--position', 'x'], here.url, /must be a position that this service has given/)
  })

  it('names the events that were changed, removed from the middle or from the end', async () => {
    const changes: [statement: string, fault: RegExp][] = [
      [
        "UPDATE events SET document = '{}' WHERE seq = 7",
        /event 7: its document was changed, and no redaction says so/,
      ],
      ['UPDATE events SET at = 1 WHERE seq = 7', /event 7: does not follow the event before it/],
      ['DELETE FROM events WHERE seq = 7', /event 8: does not follow the event before it/],
      ['DELETE FROM events WHERE seq > 198', /events 199 to 200: are missing at the end/],
      ['UPDATE events SET link = NULL WHERE seq = 7', /event 8: has a link, but one before it has none/],
    ]
    for (const [statement, fault] of changes) {
      await using here = await scene()
      await sql(here.live, statement)
      const { code, output } = await verify(here.url)
      assert.equal(code, 1)
      assert.match(output, fault)
      assert.match(output, /The log was changed, or is damaged: /)
    }
  })

  it('says what it cannot check: events without links yet, and redacted documents', async () => {
    await using here = await scene()
    await sql(
      here.live,
      "UPDATE events SET link = NULL WHERE seq > 150; UPDATE log_head SET linked_seq = 150, link = ''",
    )
    const { code, output } = await verify(here.url)
    assert.equal(code, 0, output)
    assert.match(output, /200 events, 150 of them linked\.\n50 have no link yet/)
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

describe('backup record', () => {
  async function lastBackup(app: TestApp): Promise<number> {
    const text = await (await app.get('/metrics', null)).text()
    return Number(/^incident_feed_last_backup_timestamp_seconds (\S+)$/m.exec(text)![1])
  }

  async function waitForBackupAfter(time: number, app: TestApp): Promise<void> {
    await until(async () => (await lastBackup(app)) * 1000 >= time, 'the metric')
    assert.ok((await lastBackup(app)) * 1000 <= Date.now())
  }

  describe('the time of the last backup', () => {
    it('is in the metrics of a running service once `backup` has copied its SQLite file, not if it was refused', async () => {
      await using folder = await temporaryFolder()
      const DATABASE_URL = `sqlite:${join(folder.path, 'feed.db')}`
      await using app = await startTestApp({ DATABASE_URL, RATE_LIMIT_ADDRESS: '1000000' })
      assert.equal(await lastBackup(app), 0)
      const refused = await runCommand(['backup', folder.path], { DATABASE_URL })
      assert.equal(refused.code, 1, refused.output)
      assert.equal(await app.store.backups.lastTakenAt(), null)
      const before = Date.now()
      const { code, output } = await runCommand(['backup', join(folder.path, 'copy.db')], { DATABASE_URL })
      assert.deepEqual([code, /could not|not noted/.test(output)], [0, false], output)
      await waitForBackupAfter(before, app)
    })

    for (const [name, newDatabase] of [
      ['SQLite', emptySqlite],
      ['PostgreSQL', emptyPostgres],
    ] as const) {
      it(`is noted by \`backup --record\` on ${name}, and never goes back`, async () => {
        await using database = await newDatabase()
        await using store = await database.open()
        assert.equal(await store.backups.lastTakenAt(), null)
        const before = Date.now()
        const { code, output } = await runCommand(['backup', '--record'], { DATABASE_URL: database.url })
        assert.equal(code, 0, output)
        const noted = (await store.backups.lastTakenAt())!
        assert.ok(noted >= before && noted <= Date.now())
        assert.equal(await recordBackup(database.url, noted - 1), true)
        assert.equal(await store.backups.lastTakenAt(), noted)
        assert.equal(await recordBackup(database.url, noted + 1), true)
        assert.equal(await store.backups.lastTakenAt(), noted + 1)
      })

      it(`is not noted in an older schema of ${name}, which is neither migrated nor harmed`, async () => {
        await using database = await newDatabase()
        await (await openTestStore(database.url))[Symbol.asyncDispose]()
        if (name === 'SQLite') {
          using file = new DatabaseSync(database.url.slice('sqlite:'.length))
          file.exec('DROP TABLE last_backup')
        } else await execute(database.url, 'DROP TABLE last_backup')
        assert.equal(await recordBackup(database.url, Date.now()), false)
        const { code, output } = await runCommand(['backup', '--record'], { DATABASE_URL: database.url })
        assert.equal(code, 1)
        assert.match(output, /older version, which does not note backups/)
      })
    }

    it('asks for no file and no database that is not there', async () => {
      await using folder = await temporaryFolder()
      const DATABASE_URL = `sqlite:${join(folder.path, 'none.db')}`
      for (const [words, message] of [
        [['backup', '--record', 'copy.db'], /this command takes no file/],
        [['backup', '--record', '--force'], /--record takes no --force/],
        [['backup', '--record'], /There is no database at/],
      ] as const) {
        const { code, output } = await runCommand([...words], { DATABASE_URL })
        assert.notEqual(code, 0)
        assert.match(output, message)
      }
    })
  })
})

describe('backup postgres', () => {
  const run = promisify(execFile)
  const AWAY = 'postgres://me:se%20cret@db.example:5433/the%20feed'

  describe('on PostgreSQL', () => {
    it('a backup names the pg_dump command, without the password, and exits with 3', async () => {
      const { code, output } = await runCommand(['backup', "it's.dump"], { DATABASE_URL: AWAY })
      assert.equal(code, 3)
      assert.match(
        output,
        /^\(umask 077; pg_dump --format=custom --exclude-table-data=sessions --exclude-table-data=sign_in_links --exclude-table-data=challenges --exclude-table-data=tips --exclude-table-data=tip_submissions --host=db\.example --port=5433 --username=me '--dbname=the feed' '--file=it'\\''s\.dump'\)\nincident-feed backup --record$/m,
      )
      assert.doesNotMatch(output, /cret/)
    })

    it('a backup with several servers names them all and requires the primary', async () => {
      const several = AWAY.replace('db.example:5433', 'one.example:5433,two.example')
      const { code, output } = await runCommand(['backup', 'feed.dump'], { DATABASE_URL: several })
      assert.equal(code, 3)
      assert.match(
        output,
        /^\(umask 077; PGTARGETSESSIONATTRS=read-write pg_dump --format=custom --exclude-table-data=sessions --exclude-table-data=sign_in_links --exclude-table-data=challenges --exclude-table-data=tips --exclude-table-data=tip_submissions --host=one\.example,two\.example --port=5433,5432 /m,
      )
      assert.doesNotMatch(output, /cret/)
    })

    it('a restore names the pg_restore command and the command that follows it, and exits with 3', async () => {
      await using folder = await temporaryFolder()
      const file = join(folder.path, 'feed.dump')
      await writeFile(file, 'PGDMP and so on')
      for (const [force, clean] of [
        [[], ''],
        [['--force'], '--clean --if-exists '],
      ] as const) {
        const { code, output } = await runCommand(['restore', file, ...force], { DATABASE_URL: AWAY })
        assert.equal(code, 3)
        const safeOptions = '--single-transaction --exit-on-error --no-owner --no-privileges'
        const command = `pg_restore ${safeOptions} ${clean}--host=db.example --port=5433 --username=me '--dbname=the feed' ${file}`
        assert.ok(output.includes(`${command}\nincident-feed skip-ahead\n`), output)
        assert.doesNotMatch(output, /cret/)
      }
    })

    it('a file that pg_dump did not write, or that already exists, is refused', async () => {
      await using folder = await temporaryFolder()
      const file = join(folder.path, 'note.txt')
      await writeFile(file, 'note')
      for (const [words, message] of [
        [['restore', file], /note\.txt was not written by pg_dump --format=custom/],
        [['restore', `${file}.none`], /There is no file/],
        [['backup', file], /already exists/],
      ] as const) {
        const { code, output } = await runCommand(words, { DATABASE_URL: AWAY })
        assert.equal(code, 1)
        assert.match(output, message)
      }
    })

    it('skip-ahead refuses a store in use, and works on the primary of several servers', async () => {
      await using database = await testDatabase()
      const several = database.url.replace('@', '@127.0.0.1:1,')
      {
        await using store = await openTestStore(database.url)
        await store.incidents.save([created(1)], NOW)
        let listening = false
        store.events.onAppend(() => {
          listening = true
        })
        await until(() => listening, 'the listening connection')
        // An idle node keeps only the connection on which it listens.
        await execute(
          database.url,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'incident-feed'`,
        )
        for (const url of [database.url, several]) {
          const { code, output } = await runCommand(['skip-ahead'], { DATABASE_URL: url })
          assert.equal(code, 1)
          assert.match(output, /A service is using the database/)
        }
      }
      const { code, output } = await runCommand(['skip-ahead'], { DATABASE_URL: several })
      assert.equal(code, 0, output)
      assert.match(output, /The log goes on after event 1\./)
    })

    it('the named commands dump and restore every row, and a service continues from them', async (context) => {
      await using database = await testDatabase()
      const missing = await toolsMissing(database.url)
      if (missing !== null) return context.skip(missing)
      await using elsewhere = await testDatabase('empty')
      await using folder = await temporaryFolder()
      const file = join(folder.path, 'feed.dump')
      {
        await using store = await openTestStore(database.url)
        await withWatches(store, 2)
        for (const number of [1, 2, 3]) await store.incidents.save([created(number)], NOW)
        await runNamedCommand(['backup', file], database.url)
      }
      await runNamedCommand(['restore', file], elsewhere.url)
      const tables = await execute(database.url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
      assert.ok(tables.length > 10)
      for (const { tablename } of tables) {
        const rows = `SELECT * FROM ${tablename} AS row ORDER BY row::text`
        assert.deepEqual(await execute(elsewhere.url, rows), await execute(database.url, rows), String(tablename))
      }
      assert.equal((await runCommand(['skip-ahead'], { DATABASE_URL: elsewhere.url })).code, 0)
      await using store = await openTestStore(elsewhere.url)
      assert.equal((await store.incidents.save([created(4)], NOW))[0]?.seq, 4)
      assert.equal((await store.chain.forks()).length, 1)
    })
  })

  /** Runs the pg_ command that `incident-feed` names. */
  async function runNamedCommand(words: readonly string[], databaseUrl: string): Promise<void> {
    const { output } = await runCommand(words, { DATABASE_URL: databaseUrl })
    const command = output.split('\n').find((line) => line.startsWith('pg_'))!
    const password = decodeURIComponent(new URL(databaseUrl).password)
    await run('sh', ['-c', command], { env: { ...process.env, PGPASSWORD: password } })
  }

  async function toolsMissing(databaseUrl: string): Promise<string | null> {
    const reason = await whyNoPgDump(databaseUrl)
    return reason === null ? null : `${reason}: only what the commands say was tested`
  }
})
