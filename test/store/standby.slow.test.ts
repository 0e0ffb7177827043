import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { PostgresServer } from '../../resilience/harness/postgres/server.ts'
import { cutOff, promote, standbyOf } from '../../resilience/harness/postgres/standby.ts'
import { inspectStandbys, openStore } from '../../src/store/open.ts'
import type { LogEvent, Store } from '../../src/store/store.ts'
import { execute } from '../support/databases/postgres.ts'
import { incidentId } from '../support/incident.ts'
import { created, documentsOf, NOW, until } from './fixtures.ts'

const LIMIT = 100

interface Scene extends AsyncDisposable {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  readonly database: string
  readonly store: Store
  /** Why the node began to do without a standby, and null each time it read one again. */
  readonly changes: (string | null)[]
  save(...numbers: number[]): Promise<unknown>
  /** The events after this one, by the numbers of their incidents. */
  follow(seq: number): Promise<number[]>
  /** The standby goes on receiving, and replays nothing. */
  pause(): Promise<unknown>
  resume(): Promise<unknown>
}

interface Servers {
  readonly primary: PostgresServer
  readonly standby: PostgresServer
  databases: number
}

let running: Promise<Servers> | null = null
const scope = new AsyncDisposableStack()
after(() => scope.disposeAsync())

async function startServers(): Promise<Servers> {
  const primary = scope.use(await PostgresServer.create())
  return { primary, standby: scope.use(await standbyOf(primary, { synchronous: false })), databases: 0 }
}

/** A node that reads a standby, which nobody waits for. */
async function scene(maxLagMs = 20_000): Promise<Scene> {
  running ??= startServers()
  const servers = await running
  const { primary, standby } = servers
  const database = `feed_${++servers.databases}`
  await primary.query(`CREATE DATABASE ${database}`)
  const changes: (string | null)[] = []
  const pause = () => standby.query('SELECT pg_wal_replay_pause()')
  const resume = () => standby.query('SELECT pg_wal_replay_resume()')
  await resume()
  const store = await openStore(addressOf(database, primary, standby), {
    postgres: {
      standby: { url: addressOf(database, standby), maxLagMs, onChange: (reason) => changes.push(reason) },
    },
  })
  const ofStandby = addressOf(database, standby)
  await until(() => execute(ofStandby, 'SELECT FROM log_head').then(Boolean, () => false))
  return {
    ...servers,
    database,
    store,
    changes,
    save: (...numbers) =>
      store.incidents.save(
        numbers.map((number) => created(number)),
        NOW,
      ),
    follow: async (seq) => (await eventsAfter(store, seq)).map(({ incidentId }) => numberOf(incidentId)),
    pause,
    resume,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
    },
  }
}

async function eventsAfter(store: Store, seq: number): Promise<LogEvent[]> {
  return (await store.reader.followHead({ seq, link: '' }, LIMIT)) ?? assert.fail(`event ${seq} is lost`)
}

function addressOf(database: string, ...servers: readonly PostgresServer[]): string {
  return servers[0]!.url.replace(/@.*/, `@${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${database}`)
}

const NUMBERS = new Map(Array.from({ length: 20 }, (_, number) => [incidentId(number), number]))

function numberOf(id: string): number {
  return NUMBERS.get(id)!
}

describe('a node that reads a standby', () => {
  it('gets events from there, when they are there, and knows how late it is', async () => {
    await using here = await scene()
    const { store, follow } = here
    let woken = 0
    store.reader.onAppend(() => woken++)
    await here.save(1)
    await until(async () => (await follow(0)).length === 1)
    assert.deepEqual([store.reader.isStandby, store.reader.lagMs], [true, 0])

    await here.pause()
    await here.save(2)
    await until(() => woken > 0)
    assert.deepEqual(await follow(1), [])
    await until(async () => {
      await follow(1)
      return store.reader.lagMs! > 200
    })
    let found: number[] = []
    let read = woken
    await here.resume()
    await until(async () => {
      // As the follower, which reads when it is woken and not otherwise.
      if (woken > read) {
        read = woken
        found = await follow(1)
      }
      return found.length > 0
    })
    assert.deepEqual(found, [2])
    assert.equal(store.reader.lagMs, 0)
    assert.deepEqual(here.changes, [])
  })

  it('is not told that an event is lost if the standby does not have it yet', async () => {
    await using here = await scene()
    const { store, follow } = here
    await here.save(1)
    await until(async () => (await follow(0)).length === 1)
    await here.pause()
    await here.save(2, 3)
    // As a node that has read them from the primary.
    assert.deepEqual(await follow(3), [])
    assert.deepEqual([store.reader.isStandby, store.reader.lagMs], [true, 0])
    await here.save(4)
    assert.deepEqual(await follow(3), [])
    // A request must not miss what the node has.
    assert.deepEqual((await store.reader.after(0, LIMIT)).length, 4)
    await here.resume()
    await until(async () => (await follow(3)).length === 1)
    assert.deepEqual(await follow(3), [4])
  })

  it('reads the primary while the standby is too far behind, and the standby again later', async () => {
    await using here = await scene(1_000)
    await here.save(1)
    await until(async () => (await here.follow(0)).length === 1)
    await here.pause()
    await here.save(2)
    await until(async () => (await here.follow(1)).length === 1)
    assert.deepEqual([here.store.reader.isStandby, here.store.reader.lagMs], [false, 0])
    assert.deepEqual(here.changes, ['it is 1 s behind'])
    await here.resume()
    await until(async () => {
      await here.follow(2)
      return here.store.reader.isStandby
    })
    await here.save(3)
    await until(async () => (await here.follow(2)).length === 1)
    assert.deepEqual(here.changes, ['it is 1 s behind', null])
  })

  it('reads the primary while the standby is away, and the standby when it is back', async () => {
    await using here = await scene()
    await here.save(1)
    await until(async () => (await here.follow(0)).length === 1)
    await here.standby.kill()
    await here.save(2)
    assert.deepEqual(await here.follow(1), [2])
    assert.equal(here.store.reader.isStandby, false)
    assert.equal((await documentsOf(await here.store.reader.snapshot())).length, 2)
    assert.equal((await here.store.reader.after(0, LIMIT)).length, 2)
    await here.standby.start()
    await until(async () => {
      await here.follow(2)
      return here.store.reader.isStandby
    })
    await here.save(3)
    await until(async () => (await here.follow(2)).length === 1)
    assert.equal(here.changes.length, 2)
    assert.match(here.changes[0]!, /ECONNREFUSED|terminated/)
    assert.equal(here.changes[1], null)
  })

  it('loads from the standby, which must have what the primary had', async () => {
    await using here = await scene(1_000)
    await here.save(1, 2)
    await here.pause()
    await here.save(3)
    const loading = here.store.reader.snapshot()
    await here.resume()
    assert.equal((await documentsOf(await loading)).length, 3)
    assert.deepEqual(here.changes, [])
    await here.pause()
    await here.save(4)
    assert.equal((await documentsOf(await here.store.reader.snapshot())).length, 4)
    assert.deepEqual(here.changes, ['it is 1 s behind'])
  })

  it('is examined by the doctor', async () => {
    await using here = await scene()
    const { primary, standby, database } = here
    await here.save(1)
    await until(async () => (await here.follow(0)).length === 1)
    const url = addressOf(database, primary)
    const host = `127.0.0.1:${standby.port}`
    const right = { host, unusable: null, isCopy: true, missingEvents: 0, behindSeconds: 0 }
    assert.deepEqual(await inspectStandbys(url, addressOf(database, standby)), [right])
    await here.pause()
    await here.save(2, 3)
    const [late, none] = await inspectStandbys(url, addressOf(database, standby, primary))
    assert.deepEqual({ ...late, behindSeconds: 0 }, { ...right, missingEvents: 2 })
    assert.ok(late!.behindSeconds > 0)
    assert.match(none!.unusable!, /is no standby/)

    await using stranger = await PostgresServer.create()
    await using itsStandby = await standbyOf(stranger, { synchronous: false })
    await stranger.query('CREATE TABLE log_head AS SELECT 1::bigint AS seq')
    await until(() => itsStandby.query('SELECT FROM log_head').then(Boolean, () => false))
    const [found] = await inspectStandbys(url, itsStandby.url)
    assert.deepEqual([found!.unusable, found!.isCopy], [null, false])
  })

  it('goes on after a promotion, and does not follow a standby of the former primary', async () => {
    await using here = await scene()
    const { primary, standby } = here
    await using other = await standbyOf(primary, { synchronous: false })
    await using node = await openStore(addressOf(here.database, primary, standby), {
      postgres: {
        standby: {
          url: addressOf(here.database, other),
          maxLagMs: 20_000,
          onChange: (reason) => here.changes.push(`other: ${reason}`),
        },
      },
    })
    await here.save(1)
    await until(async () => (await here.follow(0)).length === 1)
    await until(async () => (await eventsAfter(node, 0)).length === 1)
    await cutOff(standby)
    await here.save(2)
    const lost = await here.store.events.head()
    const ofOther = addressOf(here.database, other)
    await until(async () => (await execute(ofOther, 'SELECT seq FROM log_head'))[0]!.seq === '2')
    await primary.kill()
    await promote(standby)
    assert.equal((await node.events.head()).seq, 1)
    assert.deepEqual(await eventsAfter(node, 1), [])
    assert.equal(await node.reader.followHead(lost, LIMIT), null)
    assert.deepEqual(await here.follow(1), [])
    assert.deepEqual(here.changes, ['other: it has events that the primary does not have', 'it was promoted'])
    await here.save(3)
    assert.deepEqual(await here.follow(1), [3])
    assert.equal((await eventsAfter(node, 1))[0]!.incidentId, incidentId(3))
    assert.equal((await node.events.head()).seq, lost.seq)
    assert.equal(await node.reader.followHead(lost, LIMIT), null, 'another event has the number')
    assert.match((await node.events.head()).link, /\.[\w-]{6}$/, 'the promotion is noted')
  })
})
