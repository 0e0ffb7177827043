import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import pino from 'pino'
import type { StartOptions } from '../../src/app.ts'
import { UnreadableDocuments } from '../../src/archive/documents/slab-file.ts'
import { machine } from '../../src/lib/runtime.ts'
import { StoreOutages } from '../../src/startup/outages.ts'
import { StoreFull } from '../../src/store/store.ts'
import { emptySqlite } from '../store/databases.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { startServer } from '../support/databases/postgres-server.ts'

interface Line {
  readonly level: number
  readonly msg: string
  readonly seconds?: number
  readonly failures?: number
  readonly err?: unknown
}

const MINUTE_MS = 60_000
const WARNING = 40

/** A log that is kept, and a monotonic clock that can be moved forward. */
function recordedLog() {
  const lines: Line[] = []
  let passed = 0
  const logger = pino({ level: 'info' }, { write: (json: string) => void lines.push(JSON.parse(json) as Line) })
  return {
    logger,
    lines,
    runtime: { ...machine, elapsed: () => machine.elapsed() + passed, wallClock: () => Date.now() + passed },
    passTime: (ms: number) => {
      passed += ms
    },
  }
}

/** Requests that read, write and repeat; the parts of the service are at work all the time. */
async function useEverything(app: TestApp, key: string): Promise<void> {
  for (let round = 0; round < 20; round++)
    await Promise.all([
      app.get('/v1/incidents', key),
      app.get('/v1/me', `inf_live_unknown${round}`),
      app.post('/v1/watches', { filter: {}, url: 'https://example.org/hook' }, key, { 'idempotency-key': `w${round}` }),
      app.post('/v1/keys', { name: 'Another' }, key),
    ])
}

interface Outage {
  readonly begins: RegExp
  begin(): Promise<void>
  end(): Promise<void>
}

async function logsOutage(settings: Record<string, string>, options: StartOptions, outage: Outage): Promise<void> {
  const { logger, lines, runtime, passTime } = recordedLog()
  await using app = await startTestApp(settings, { ...options, logger, runtime })
  const { text: key } = await app.issue()
  await app.post('/v1/watches', { filter: {}, url: 'https://example.org/hook' }, key)
  // The clock that is moved here is wrong beside that of the server, and set back once it is read.
  const isOfClock = (msg: string) => /^the clock (?:is wrong|was set back)/.test(msg)
  const outages = () =>
    lines.filter(({ level, msg }) => (level >= WARNING && !isOfClock(msg)) || msg.startsWith('the database works'))
  assert.deepEqual(outages(), [])

  await outage.begin()
  await useEverything(app, key)
  await until(() => outages().length === 1, 'the first line')
  for (const count of [2, 3]) {
    passTime(MINUTE_MS)
    await until(() => outages().length === count, 'the line of a minute')
    await useEverything(app, key)
  }
  await outage.end()
  passTime(5_000)
  await until(() => outages().length === 4, 'the last line')
  await app.get('/v1/incidents', key)
  const [first, second, third, last] = outages()
  assert.match(first!.msg, outage.begins)
  for (const each of [second!, third!]) assert.match(each.msg, / still$/)
  assert.equal(last!.msg, 'the database works again')
  assert.ok(last!.seconds! >= 120 && last!.failures! > 20, JSON.stringify(last))
  for (const { err } of outages()) assert.equal(err, undefined, 'one line has no stack')
  assert.equal(outages().length, 4)
}

test('an outage of PostgreSQL is one line at its beginning, one a minute and one at its end', async () => {
  await using server = await startServer()
  await logsOutage(
    { DATABASE_URL: server.url },
    { postgres: { connectTimeout: 1_000 } },
    {
      begins: /^the database cannot be used: writes are refused, reads go on from memory; retrying$/,
      begin: () => server.stop(),
      end: () => server.start(),
    },
  )
})

test('so is a SQLite database that another process has locked', async () => {
  await using database = await emptySqlite()
  let other: DatabaseSync | null = null
  await logsOutage(
    { DATABASE_URL: database.url },
    { sqlite: { busyTimeout: 50 } },
    {
      begins: /^the database cannot be used/,
      begin: async () => {
        other = new DatabaseSync(database.path)
        other.exec('BEGIN IMMEDIATE')
      },
      end: async () => other!.close(),
    },
  )
})

test('a full disk is named; an outage that comes and goes writes no more than two lines a minute', () => {
  const { logger, lines, runtime, passTime } = recordedLog()
  const outages = new StoreOutages(logger, runtime)
  const fail = () => outages.logger.warn({ err: new StoreFull('SQLITE_FULL: no room') }, 'usage could not be stored')
  for (let second = 0; second < 300; second += 10) {
    fail()
    passTime(4_000)
    outages.recordWrite()
    passTime(6_000)
    outages.recordWrite()
  }
  assert.match(lines[0]!.msg, /^the disk of the database is full: writes are refused/)
  assert.ok(lines.length >= 8 && lines.length <= 10, `${lines.length} lines`)
  // A damaged file of the saved archive is unavailable, and no outage of the database.
  for (const error of [new TypeError('wrong'), new UnreadableDocuments('slab-1 is damaged')]) {
    outages.logger.error({ err: error }, `failed: ${error.message}`)
    assert.equal(lines.at(-1)!.msg, `failed: ${error.message}`)
  }
})
