import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'
import type { Incident } from '../../src/domain/incident.ts'
import { LAST_NEEDED_BY_ALL, type Migration } from '../../src/store/migrations.ts'
import { inspectStore, openStore } from '../../src/store/open.ts'
import { migrate as migratePostgres, MIGRATIONS as POSTGRES } from '../../src/store/postgres/migrate.ts'
import { Servers } from '../../src/store/postgres/servers.ts'
import { openSealedStore } from '../../src/store/secrets/open-sealed.ts'
import { Database } from '../../src/store/sqlite/database.ts'
import { migrate as migrateSqlite, MIGRATIONS as SQLITE } from '../../src/store/sqlite/migrate.ts'
import { NewerSchema, StoreUnavailable, StoreUnusable } from '../../src/store/store.ts'
import { execute, testDatabase } from '../support/databases/postgres.ts'
import { anIncident, incidentId } from '../support/incident.ts'
import { emptySqlite } from './databases.ts'
import { anAccount, aSession, claimAs, created, NOW, watchId } from './fixtures.ts'

/** Runs migrations and SQL on either database, without a store. */
interface Target extends AsyncDisposable {
  readonly url: string
  execute(sql: string): Promise<void>
  migrate(migrations: readonly Migration[]): Promise<void>
}

async function sqliteTarget(): Promise<Target> {
  const database = await emptySqlite()
  await (await database.open())[Symbol.asyncDispose]()
  const target = new DatabaseSync(database.path)
  return {
    url: database.url,
    execute: async (sql) => target.exec(sql),
    migrate: async (migrations) => migrateSqlite(new Database(target), migrations),
    async [Symbol.asyncDispose]() {
      target.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

async function postgresTarget(): Promise<Target> {
  const { url, ...database } = await testDatabase()
  return {
    ...database,
    url,
    execute: async (sql) => void (await execute(url, sql)),
    migrate: (migrations) => migratePostgres(new Servers(url), 3_000, migrations),
  }
}

const NEWEST = SQLITE.at(-1)!.version
/** A migration of a newer build, which only adds, and one that takes that away again later. */
const EXPANSION: Migration = {
  version: NEWEST + 5,
  name: 'expansion',
  sql: 'ALTER TABLE events ADD COLUMN of_a_newer_build integer',
  needs: null,
}
const CONTRACTION: Migration = {
  version: NEWEST + 9,
  name: 'contraction',
  sql: 'ALTER TABLE fan_out DROP COLUMN purged_seq',
  needs: EXPANSION.version,
}
const NEXT: Migration = { version: NEWEST + 1, name: 'next', sql: 'CREATE TABLE extra (id integer)', needs: null }
const BROKEN: Migration = {
  version: NEWEST + 2,
  name: 'broken',
  sql: 'CREATE TABLE half (id integer); CREATE TABLE extra (id integer)',
  needs: null,
}

describe('migrations', () => {
  it('have the same numbers in both dialects, without a gap', () => {
    assert.deepEqual(
      SQLITE.map((migration) => migration.name),
      POSTGRES.map((migration) => migration.name),
    )
    assert.deepEqual(
      SQLITE.map((migration) => migration.version),
      SQLITE.map((_, index) => index + 1),
    )
  })

  for (const [name, newTarget] of [
    ['SQLite', sqliteTarget],
    ['PostgreSQL', postgresTarget],
  ] as const) {
    it(`refuse a database newer than the build, naming both versions, on ${name}`, async () => {
      await using target = await newTarget()
      await target.execute('INSERT INTO schema_version (version) VALUES (77)')
      await assert.rejects(openStore(target.url), (error) => {
        assert(error instanceof StoreUnusable)
        assert.match(error.message, new RegExp(`version 77.* ${NEWEST}\\b`))
        return true
      })
    })

    it(`are applied once each, all or none, on ${name}`, async () => {
      await using target = await newTarget()
      await assert.rejects(target.migrate([...SQLITE, NEXT, BROKEN]), (error) => {
        assert(error instanceof StoreUnusable)
        assert.match(error.message, /broken/)
        return true
      })
      await assert.rejects(target.execute('SELECT * FROM half'))
      await assert.rejects(target.execute('SELECT * FROM extra'))
      await target.migrate([...SQLITE, NEXT])
      await target.migrate([...SQLITE, NEXT])
      await target.execute('SELECT * FROM extra')
    })

    it(`of a newer build that only add stop no older build, and are applied once, on ${name}`, async () => {
      await using target = await newTarget()
      await target.migrate([...SQLITE, EXPANSION])
      await target.migrate([...SQLITE, EXPANSION])
      {
        await using older = await openStore(target.url)
        await older.incidents.save([created(1)], NOW)
        const { schema } = await older.owners.recordHeartbeat('older')
        assert.deepEqual(schema, { version: EXPANSION.version, needs: LAST_NEEDED_BY_ALL })
      }
      const { schemaVersion, neededVersion } = await inspectStore(target.url)
      assert.deepEqual([schemaVersion, neededVersion], [EXPANSION.version, LAST_NEEDED_BY_ALL])
      await target.execute('SELECT of_a_newer_build FROM events')
    })

    it(`hide from builds before the rule, which refuse what they do not know in schema_version, on ${name}`, async () => {
      await using target = await newTarget()
      await target.migrate([...SQLITE, EXPANSION])
      // Fails if there is one.
      await target.execute(`INSERT INTO schema_version (version) VALUES (${LAST_NEEDED_BY_ALL + 1})`)
    })

    it(`that take something away are refused by builds that use it, which say what they need, on ${name}`, async () => {
      await using target = await newTarget()
      await target.migrate([...SQLITE, EXPANSION, CONTRACTION])
      await assert.rejects(openStore(target.url), (error) => {
        assert(error instanceof StoreUnusable)
        assert.match(error.message, new RegExp(`version ${NEWEST + 9}.* ${NEWEST + 5} or later.* ${NEWEST}:`))
        return true
      })
      // The build that came with the expansion goes on.
      await target.migrate([...SQLITE, EXPANSION])
    })

    it(`that a running build did not expect end what it cannot do any more, with the reason, on ${name}`, async () => {
      await using target = await newTarget()
      await using store = await openStore(target.url)
      const read = () => store.fanOut.purgedSeq()
      assert.equal(await read(), null)
      await target.execute('ALTER TABLE fan_out DROP COLUMN purged_seq')
      // Without a newer schema it is an error of this build.
      await assert.rejects(read(), (error) => !(error instanceof StoreUnavailable))
      await target.migrate([...SQLITE, EXPANSION])
      await assert.rejects(read(), (error) => {
        assert(error instanceof NewerSchema)
        assert.match(error.message, new RegExp(`version ${EXPANSION.version}.* ${NEWEST}$`))
        return true
      })
      assert.equal(store.isAway(), false)
      assert.equal((await store.events.head()).seq, 0)
    })
  }

  it('are applied by one of several SQLite processes that open an empty file at once', async () => {
    await using database = await emptySqlite()
    const stores = await Promise.all(Array.from({ length: 4 }, () => database.open()))
    for (const store of stores) assert.equal((await store.events.head()).seq, 0)
    await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
  })

  it('are applied by one of several PostgreSQL nodes that open an empty database at once', async () => {
    await using database = await testDatabase('empty')
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(database.url)))
    for (const store of stores) assert.equal((await store.events.head()).seq, 0)
    await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
  })

  it('do not change a database of another application', async () => {
    await using database = await testDatabase('empty')
    await execute(database.url, 'CREATE TABLE keys (door text)')
    await assert.rejects(
      openStore(database.url),
      (error) => error instanceof StoreUnusable && /"keys"/.test(error.message),
    )
    const tables = await execute(database.url, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
    assert.deepEqual(tables, [{ tablename: 'keys' }])
  })
})

/** The last schema with one secret and its predecessor, in plain text. */
const BEFORE = 6
const COLUMNS = `id, account_id, name, url, host, events, status, secret, previous_secret, previous_secret_expires_at,
  created_at, updated_at, created_seq, revision, canonical_filter, filter`
const watchRow = (number: number, previous: string) =>
  `('${watchId(number)}', 'acc_1', 'Roads ${number}', 'https://a.example/', 'a.example', '["incident.created"]',
    'active', 'whsec_${number}', ${previous}, ${NOW}, ${NOW}, 0, ${number}, '{}', '{}')`

const keyRow = (number: number, accountId: string, name: string, scopes: string, rate: number | null) =>
  `('key_${number}', '${accountId}', 'live', '${name}', 'hash ${number}', 'abcd', '${scopes}', '[]', ${rate}, ${NOW})`

/** The confidence was set by an editor whose name needs escapes in JSON. */
const REASON = { reason: 'operator_override', value: 'Ada "the \\ desk" Ọbi', weight: 0.4 }
const NAMED = JSON.stringify(anIncident(1, { confidence_reasons: [...anIncident(1).confidence_reasons, REASON] }))
const REPORTED = JSON.stringify(anIncident(2, { status: 'reported', published_at: null }))

const contentSql = (answer: string) => `
  INSERT INTO accounts (id, created_at) VALUES ('acc_1', ${NOW});
  INSERT INTO accounts (id, created_at, name) VALUES ('acc_2', ${NOW}, 'Operator'), ('acc_3', ${NOW}, 'Newsroom');
  INSERT INTO keys (id, account_id, kind, name, hash, hint, scopes, origins, rate_per_minute, created_at) VALUES
    ${keyRow(1, 'acc_1', 'Laptop', '["read"]', 600)}, ${keyRow(2, 'acc_1', 'Server', '["read"]', 900)},
    ${keyRow(3, 'acc_2', 'OPERATOR_KEY', '["read","operate"]', null)},
    ${keyRow(4, 'acc_3', 'Desk', '["read","watch","operate"]', null)};
  INSERT INTO watches (${COLUMNS}) VALUES ${watchRow(1, 'NULL, NULL')}, ${watchRow(2, `'whsec_old', ${NOW + 9}`)};
  INSERT INTO watch_progress (watch_id, sequence) VALUES ('${watchId(1)}', 0), ('${watchId(2)}', 0);
  INSERT INTO idempotency (id, fingerprint, claimed_at, answer) VALUES ('a', 'same', ${NOW}, ${answer});
  INSERT INTO incidents (id, version, status, published_at, document) VALUES
    ('${incidentId(1)}', 1, 'confirmed', ${NOW}, '${NAMED}'), ('${incidentId(2)}', 1, 'reported', NULL, '${REPORTED}');
  INSERT INTO events (seq, kind, at, incident_id, document) VALUES
    (1, 'incident.created', ${NOW}, '${incidentId(1)}', '${NAMED}'), (2, 'incident.imported', ${NOW}, '${incidentId(1)}', NULL);
  UPDATE log_head SET seq = 2;`

async function oldSqlite() {
  const database = await emptySqlite()
  mkdirSync(dirname(database.path), { recursive: true })
  using file = new DatabaseSync(database.path)
  migrateSqlite(
    new Database(file),
    SQLITE.filter(({ version }) => version <= BEFORE),
  )
  file.exec(contentSql(`x'0102'`))
  return database
}

async function oldPostgres() {
  const database = await testDatabase('empty')
  const migrations = POSTGRES.filter(({ version }) => version <= BEFORE)
  await migratePostgres(new Servers(database.url), 10_000, migrations)
  await execute(database.url, contentSql(`'\\x0102'`))
  return database
}

describe('a database of the first release', () => {
  for (const [name, openOld] of [
    ['SQLite', oldSqlite],
    ['PostgreSQL', oldPostgres],
  ] as const) {
    it(`keeps its secrets, encrypted, and its answers, on ${name}`, async () => {
      await using database = await openOld()
      await using store = await openSealedStore(database.url, { secretKeys: [Buffer.alloc(32, 1)] })
      const secretsOf = async (number: number) => (await store.watches.find('acc_1', watchId(number)))?.secrets
      assert.deepEqual(await secretsOf(1), [{ secret: 'whsec_1', expiresAt: null }])
      assert.deepEqual(await secretsOf(2), [
        { secret: 'whsec_2', expiresAt: null },
        { secret: 'whsec_old', expiresAt: NOW + 9 },
      ])
      for (const { text } of await store.watches.storedSecrets('', 10)) assert.doesNotMatch(text, /whsec/)
      assert.deepEqual(await claimAs(store.idempotency, 'a', NOW), {
        state: 'finished',
        fingerprint: 'same',
        rights: null,
        answer: new Uint8Array([1, 2]),
      })
      assert.equal((await store.idempotency.usage(1)).bytes, 2)
    })

    it(`publishes no name of an editor any more, and enters its reports into the queue, on ${name}`, async () => {
      await using database = await openOld()
      await using store = await openSealedStore(database.url, { secretKeys: [Buffer.alloc(32, 1)] })
      const expected = JSON.parse(NAMED) as Incident
      expected.confidence_reasons.at(-1)!.value = 'the desk'
      assert.deepEqual(await store.incidents.find(incidentId(1)), expected)
      const events = await store.events.after(0, 10)
      for (const { document } of events) assert.equal(document, JSON.stringify(expected))
      assert.equal(await store.desk.addMissing(10), 1)
      assert.equal(await store.desk.addMissing(10), 0)
      const [change] = await store.desk.changedAfter(0, 10)
      assert.deepEqual([change?.id, change?.status], [incidentId(2), 'reported'])
    })

    it(`keeps what its keys may do and how often, on ${name}`, async () => {
      await using database = await openOld()
      await using store = await openSealedStore(database.url, { secretKeys: [Buffer.alloc(32, 1)] })
      const accounts = await Promise.all(['acc_1', 'acc_2', 'acc_3'].map((id) => store.accounts.find(id)))
      assert.deepEqual(
        accounts.map((account) => [account?.role, account?.status]),
        [
          ['client', 'active'],
          ['admin', 'active'],
          ['admin', 'active'],
        ],
      )
      assert.deepEqual(accounts[0]?.limits, { requests_per_minute: 900 })
      const keys = await Promise.all([1, 2, 3, 4].map((number) => store.keys.find(`key_${number}`)))
      assert.deepEqual(
        keys.map((key) => [key?.scopes, key?.ratePerMinute]),
        [
          [['read'], null],
          [['read'], null],
          [['read', 'operate'], null],
          [['read', 'watch', 'operate'], null],
        ],
      )
    })
  }
})

describe('addresses of a database in which several accounts have proved one', () => {
  const BEFORE = SQLITE.findIndex(({ name }) => name.endsWith('owned-addresses'))
  const account = (number: number, email: string, role: string, verifiedAt: number | null) =>
    `INSERT INTO accounts (id, email, email_key, email_verified_at, role, created_at)
     VALUES ('acc_${number}', '${email}', '${email.toLowerCase()}', ${verifiedAt}, '${role}', 1)`
  const ROWS = [
    account(1, 'Ada@Example.org', 'client', 5),
    account(2, 'ada@example.org', 'client', 3),
    account(3, 'ada@example.org', 'client', null),
    account(4, 'boss@example.org', 'client', 1),
    account(5, 'boss@example.org', 'editor', 9),
    account(6, 'invited@example.org', 'reporter', null),
    account(7, 'raised@example.org', 'editor', null),
    account(8, '"boss"@example.org', 'client', 1),
    account(9, 'single@example.org', 'client', null),
    `INSERT INTO audit (at, actor, action, subject, old, new) VALUES (1, 'x', 'account.create', 'acc_6', 'null', 'null')`,
    `INSERT INTO sign_in_links (token_hash, account_id, mailed, created_at, expires_at) VALUES
       ('mailed', 'acc_9', 1, 1, ${NOW + 9}), ('handed over', 'acc_6', 0, 1, ${NOW + 9})`,
  ]

  async function postgresBefore(): Promise<Target> {
    const { url, ...database } = await testDatabase('empty')
    await migratePostgres(new Servers(url), 3_000, POSTGRES.slice(0, BEFORE))
    return { ...database, url, execute: async (sql) => void (await execute(url, sql)), migrate: async () => {} }
  }

  async function sqliteBefore(): Promise<Target> {
    const { path, url, ...database } = await emptySqlite()
    mkdirSync(dirname(path), { recursive: true })
    const target = new DatabaseSync(path)
    migrateSqlite(new Database(target), SQLITE.slice(0, BEFORE))
    return {
      ...database,
      url,
      execute: async (sql) => target.exec(sql),
      migrate: async () => target.close(),
    }
  }

  for (const [name, before] of [
    ['SQLite', sqliteBefore],
    ['PostgreSQL', postgresBefore],
  ] as const)
    it(`have one owner each, and the others are claims, on ${name}`, async () => {
      await using target = await before()
      for (const row of ROWS) await target.execute(row)
      await target.migrate([])
      await using store = await openStore(target.url)
      const states: string[] = []
      for (let number = 1; number <= 9; number++) {
        const { email, ownsEmail, emailVerifiedAt } = (await store.accounts.find(`acc_${number}`))!
        states.push(`${email} ${ownsEmail ? 'owned' : 'claimed'} ${emailVerifiedAt ?? 'never'}`)
      }
      assert.deepEqual(states, [
        'ada@example.org claimed never',
        'ada@example.org owned 3',
        'ada@example.org claimed never',
        'boss@example.org claimed never',
        'boss@example.org owned 9',
        'invited@example.org owned never',
        'raised@example.org claimed never',
        '"boss"@example.org claimed never',
        'single@example.org claimed never',
      ])
      // A link that was mailed for a claim opens an account apart.
      assert.deepEqual(await store.signInLinks.find('mailed'), { accountId: null, email: 'single@example.org' })
      assert.deepEqual(await store.signInLinks.find('handed over'), { accountId: 'acc_6', email: null })
      const opened = anAccount(10, { email: 'single@example.org' })
      assert.equal(await store.signInLinks.redeem('mailed', opened, aSession(1), 50), true)
      assert.equal((await store.accounts.find('acc_9'))!.email, null)
    })
})
