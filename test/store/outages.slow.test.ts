import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { HeldLog } from '../../resilience/harness/postgres/lock-queue.ts'
import { PostgresServer } from '../../resilience/harness/postgres/server.ts'
import { promote, setSynchronous, standbyOf } from '../../resilience/harness/postgres/standby.ts'
import { openStore } from '../../src/store/open.ts'
import { PostgresPool, type Query } from '../../src/store/postgres/connection.ts'
import { LONG_LIMITS, Servers, sessionLimits } from '../../src/store/postgres/servers.ts'
import { type Store, StoreBusy, StoreUnavailable, StoreUnusable } from '../../src/store/store.ts'
import { execute } from '../support/databases/postgres.ts'
import { startServer } from '../support/databases/postgres-server.ts'
import { incidentId } from '../support/incident.ts'
import { emptyPostgres, proxyTo } from './databases.ts'
import { claimAs, created, documentsOf, NOW, saveUntilDone, until } from './fixtures.ts'

const TWO = 'postgres://one:5432,two:5432/feed'

describe('the servers of a database', () => {
  const addresses: [string, string[]][] = [
    ['postgres://one/feed', ['postgres://one/feed']],
    ['postgresql:///feed', ['postgresql:///feed']],
    [
      'postgres://me:pass,word@one:5432,two:5433/feed?sslmode=require',
      [
        'postgres://me:pass,word@one:5432/feed?sslmode=require',
        'postgres://me:pass,word@two:5433/feed?sslmode=require',
      ],
    ],
    ['postgres://[::1]:5432,[::2]', ['postgres://[::1]:5432', 'postgres://[::2]']],
    [
      'postgres://one,two/feed?target_session_attrs=read-write',
      ['postgres://one/feed?target_session_attrs=read-write', 'postgres://two/feed?target_session_attrs=read-write'],
    ],
  ]
  for (const [address, urls] of addresses) {
    it(`of ${address} are ${urls.length}`, () => assert.deepEqual(new Servers(address).urls, urls))
  }

  for (const address of ['postgres://me:secret@one:port/feed', 'postgres://me:secret@one:5432,two:99999/feed']) {
    it(`of ${address} are refused without repeating the password`, () => {
      assert.throws(
        () => new Servers(address),
        (error) => {
          assert(error instanceof StoreUnusable)
          assert.match(error.message, /host:port,host:port/)
          assert.doesNotMatch(error.message, /secret/)
          return true
        },
      )
    })
  }

  it('must accept writes', () => {
    assert.throws(
      () => new Servers('postgres://one,two/feed?target_session_attrs=standby'),
      (error) => {
        assert(error instanceof StoreUnusable)
        assert.match(error.message, /target_session_attrs takes read-write or primary, not standby/)
        return true
      },
    )
  })

  it('are tried in turn, starting with the last one that worked', async () => {
    const servers = new Servers(TWO)
    const tried: string[] = []
    const reach = (away: RegExp) =>
      servers.tryEach(async (url) => {
        tried.push(new URL(url).hostname)
        if (away.test(url)) throw new StoreUnavailable(`${new URL(url).hostname} is away`)
      })
    await reach(/one/)
    await reach(/none/)
    await reach(/two/)
    assert.deepEqual(tried, ['one', 'two', 'two', 'two', 'one'])
    await assert.rejects(reach(/./), (error) => {
      assert(error instanceof StoreUnavailable)
      assert.equal(error.message, 'one is away; two is away')
      return true
    })
  })

  it('are skipped once even if many callers find the same one unavailable', async () => {
    const servers = new Servers(TWO)
    const tried = await Promise.all(
      Array.from({ length: 5 }, () =>
        servers.tryEach(async (url) => {
          if (url.includes('one')) throw new StoreUnavailable('away')
          return url
        }),
      ),
    )
    assert.deepEqual(new Set(tried), new Set(['postgres://two:5432/feed']))
  })

  it('are not tried further after an error other than an outage', async () => {
    const tried: string[] = []
    const attempt = async (url: string) => {
      tried.push(url)
      throw new StoreUnusable('wrong password')
    }
    await assert.rejects(new Servers(TWO).tryEach(attempt), StoreUnusable)
    assert.equal(tried.length, 1)
  })
})

describe('a store on a primary and its standby', () => {
  it('finds the primary, follows a promotion, and never returns to the former primary', async () => {
    await using primary = await PostgresServer.create()
    await using standby = await standbyOf(primary)
    await assert.rejects(openStore(standby.url), (error) => {
      assert(error instanceof StoreUnavailable)
      assert.match(error.message, /is a standby/)
      return true
    })
    const both = standby.url.replace(/\/postgres$/, `,127.0.0.1:${primary.port}/postgres`)
    await using store = await openStore(both)
    let woken = 0
    store.events.onAppend(() => woken++)
    await store.incidents.save([created(1)], NOW)
    await until(() => woken > 0)

    await primary.kill()
    await assert.rejects(store.incidents.save([created(2)], NOW), StoreUnavailable)
    const before = woken
    await promote(standby)
    assert.deepEqual(
      (await store.incidents.save([created(2)], NOW)).map(({ seq }) => seq),
      [2],
    )
    await until(() => woken > before)

    await primary.start()
    await setSynchronous(primary, '')
    await standby.kill()
    await assert.rejects(store.incidents.save([created(3)], NOW), (error) => {
      assert(error instanceof StoreUnavailable, String(error))
      return true
    })
    await assert.rejects(store.incidents.save([created(3)], NOW), /another one was promoted/)
    assert.deepEqual(await primary.query('SELECT seq FROM log_head'), [{ seq: '1' }])
    await standby.start()
    assert.deepEqual(
      (await store.incidents.save([created(3)], NOW)).map(({ seq }) => seq),
      [3],
    )
  })
})

const IMPATIENT = { postgres: { connectTimeout: 500, statementTimeout: 100 } }

async function works(store: Store): Promise<boolean> {
  try {
    await store.events.head()
    return true
  } catch (error) {
    assert(error instanceof StoreUnavailable, String(error))
    return false
  }
}

describe('a PostgreSQL store during an outage', () => {
  it('is unavailable while the server is stopped, and works again once it is back', async () => {
    await using server = await startServer()
    await using store = await openStore(server.url)
    let woken = 0
    const stop = store.events.onAppend(() => woken++)
    await store.incidents.save([created(1)], NOW)
    await until(() => woken > 0)
    assert.equal(store.isAway(), false)

    await server.stop()
    await assert.rejects(store.incidents.save([created(2)], NOW), StoreUnavailable)
    assert.equal(store.isAway(), true)
    await assert.rejects(store.incidents.find(incidentId(1)), StoreUnavailable)
    await assert.rejects(store.incidents.snapshot(), StoreUnavailable)
    await assert.rejects(claimAs(store.idempotency, 'a', NOW), StoreUnavailable)
    await assert.rejects(openStore(server.url), (error) => {
      assert(error instanceof StoreUnavailable)
      assert(error.cause instanceof Error)
      assert.match(error.message, /ECONNREFUSED/)
      return true
    })

    await server.start()
    await until(() => works(store))
    assert.equal(store.isAway(), false)
    const before = woken
    const [event] = await store.incidents.save([created(2)], NOW)
    assert.equal(event?.seq, 2)
    await until(() => woken > before)
    const appended = woken
    await store.incidents.save([created(3)], NOW)
    await until(() => woken > appended)
    stop()
  })

  it('survives the termination of its connections by an administrator, during a snapshot too', async () => {
    await using database = await emptyPostgres()
    await using store = await database.open()
    await store.incidents.save(
      Array.from({ length: 5_000 }, (_, index) => created(index)),
      NOW,
    )
    const snapshot = await store.incidents.snapshot()
    await execute(
      database.url,
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
    )
    await assert.rejects(documentsOf(snapshot), StoreUnavailable)
    await until(() => works(store))
    assert.equal((await documentsOf(await store.incidents.snapshot())).length, 5_000)
  })

  it('gives up on a hanging server, and works again when it responds', async () => {
    await using database = await emptyPostgres()
    await using proxy = await proxyTo(database.url)
    await using store = await openStore(proxy.url, IMPATIENT)
    await store.incidents.save([created(1)], NOW)
    proxy.freeze()
    await assert.rejects(store.incidents.save([created(2)], NOW), StoreUnavailable)
    await assert.rejects(store.incidents.find(incidentId(1)), StoreUnavailable)
    await assert.rejects(openStore(proxy.url, IMPATIENT), StoreUnavailable)
    proxy.thaw()
    await until(() => works(store))
    assert.equal((await store.incidents.save([created(3)], NOW)).length, 1)
  })

  it('knows that the server hangs before the first call gives up, and that it answers again', async () => {
    await using database = await emptyPostgres()
    await using proxy = await proxyTo(database.url)
    await using store = await openStore(proxy.url)
    proxy.freeze()
    let answered = false
    const reserved = store.quotas!.reserve([{ caller: 'a', limit: 10, amount: 1, window: 60_000 }], NOW)
    const waiting = reserved.catch(() => {}).finally(() => (answered = true))
    await until(() => store.isAway())
    assert.equal(answered, false)
    proxy.thaw()
    // The bytes that were held back are lost: this call fails, and shows nothing else.
    await waiting
    assert.equal(store.isAway(), true)
    await store.events.head()
    assert.equal(store.isAway(), false)
  })

  it('is not away because one call is refused while another is answered', async () => {
    await using database = await emptyPostgres()
    await using store = await openStore(database.url, { postgres: { statementTimeout: 1000 } })
    await using _held = await HeldLog.hold(database.url)
    const refused = assert.rejects(store.incidents.save([created(1)], NOW), StoreUnavailable)
    await store.events.head()
    await refused
    assert.equal(store.isAway(), false)
  })

  it('is unavailable if the response to a commit is lost, but the commit is complete', async () => {
    await using database = await emptyPostgres()
    await using proxy = await proxyTo(database.url)
    await using store = await openStore(proxy.url)
    proxy.disconnectAfter('COMMIT')
    await assert.rejects(store.incidents.save([created(1), created(2)], NOW), StoreUnavailable)
    assert.deepEqual(
      (await store.events.after(0, 10)).map((event) => event.incidentId),
      [incidentId(1), incidentId(2)],
    )
    assert.notEqual(await store.incidents.find(incidentId(2)), null)
  })

  it('loses only the call if the connection breaks before the commit', async () => {
    await using database = await emptyPostgres()
    await using proxy = await proxyTo(database.url)
    await using store = await openStore(proxy.url)
    proxy.disconnectAfter('INSERT INTO incidents')
    await assert.rejects(store.incidents.save([created(1)], NOW), StoreUnavailable)
    await until(async () => (await store.events.head()).seq === 0)
    const [event] = await store.incidents.save([created(1)], NOW)
    assert.equal(event?.seq, 1)
  })

  for (const code of ['53100', '53300', '57014', '58030', '40P01', '25006', '25P03', '25P04', '55P03']) {
    it(`is unavailable if the server answers ${code}, and writes nothing in part`, async () => {
      await using database = await emptyPostgres()
      await using store = await database.open()
      await execute(
        database.url,
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
           BEGIN RAISE EXCEPTION 'made up' USING ERRCODE = '${code}'; END $$;
         CREATE TRIGGER refuse BEFORE INSERT ON incidents FOR EACH ROW WHEN (NEW.version = 1) EXECUTE FUNCTION refuse()`,
      )
      await assert.rejects(store.incidents.save([created(1)], NOW), StoreUnavailable)
      assert.equal((await store.events.head()).seq, 0)
      await execute(database.url, 'DROP TRIGGER refuse ON incidents')
      assert.equal((await store.incidents.save([created(1)], NOW))[0]?.seq, 1)
    })
  }

  it('is unavailable while the server is read-only', async () => {
    await using database = await emptyPostgres()
    await execute(
      database.url,
      'DO $$ BEGIN EXECUTE format($f$ALTER DATABASE %I SET default_transaction_read_only = on$f$, current_database()); END $$',
    )
    await using store = await database.open()
    await assert.rejects(store.incidents.save([created(1)], NOW), StoreUnavailable)
    assert.equal((await store.events.head()).seq, 0)
  })

  it('is unusable, not unavailable, with a wrong password or database, and reveals no secret', async () => {
    await using database = await emptyPostgres()
    const wrong = new URL(database.url)
    wrong.password = 'secret-but-wrong'
    const missing = new URL(database.url)
    missing.pathname = '/no_such_database'
    for (const url of [wrong, missing]) {
      await assert.rejects(openStore(url.href), (error) => {
        assert(error instanceof StoreUnusable, String(error))
        assert.doesNotMatch(error.message, /secret/)
        return true
      })
    }
  })
})

describe('a PostgreSQL server with too few connections', () => {
  it('refuses no call of a burst: further connections are not needed', async () => {
    await using server = await startServer()
    await execute(server.url, `CREATE ROLE feed LOGIN PASSWORD 'feed' CONNECTION LIMIT 5`)
    await execute(server.url, 'CREATE DATABASE feed OWNER feed')
    const url = server.url.replace('postgres:postgres@', 'feed:feed@').replace(/postgres$/, 'feed')
    await using one = await openStore(url, { postgres: { connections: 10, waitTimeout: 60_000 } })
    await using two = await openStore(url, { postgres: { connections: 10, waitTimeout: 60_000 } })
    const numbers = Array.from({ length: 40 }, (_, index) => index)
    const saves = numbers.map((number) => [one, two][number % 2]!.incidents.save([created(number)], NOW))
    assert.deepEqual(
      (await Promise.all(saves)).map(([event]) => event!.seq).sort(byNumber),
      numbers.map((n) => n + 1),
    )
  })

  it('follows and keeps its leases while every connection of requests is taken', async () => {
    await using database = await emptyPostgres()
    await using store = await openStore(database.url, { postgres: { connections: 2, waitTimeout: 300 } })
    await store.owners.recordHeartbeat('node')
    const held = await HeldLog.hold(database.url)
    const saves = [1, 2].map((number) => store.incidents.save([created(number)], NOW).catch(() => {}))
    await assert.rejects(store.incidents.find(incidentId(1)), StoreBusy)
    assert.equal(store.isAway(), false, 'it was not asked')
    const [own] = (await store.owners.recordHeartbeat('node')).heartbeats
    assert.equal(own!.beats, 2)
    assert.deepEqual(await store.events.follow(0, 10), [])
    assert.notEqual(await store.fanOut.lease('node', NOW, NOW + 1000), null)
    await held[Symbol.asyncDispose]()
    await Promise.all(saves)
  })
})

const byNumber = (one: number, other: number) => one - other

describe('a node that is lost inside a transaction', () => {
  for (const statement of ['UPDATE log_head', 'INSERT INTO incidents']) {
    it(`after ${statement} stops the writes of others only until the server ends its session`, async () => {
      await using database = await emptyPostgres()
      await using proxy = await proxyTo(database.url)
      await using lost = await openStore(proxy.url)
      await using other = await openStore(database.url)
      const partitioned = proxy.partitionAfter(statement)
      const lostSave = assert.rejects(lost.incidents.save([created(1)], NOW), StoreUnavailable)
      await partitioned
      await saveUntilDone(other, 2)
      await lostSave
      proxy.heal()
      await saveUntilDone(lost, 3)
      const ids = (await other.events.after(0, 10)).map((event) => event.incidentId)
      assert.deepEqual(ids, [incidentId(2), incidentId(3)])
    })
  }
})

describe('the limits of a session', () => {
  const NAMES = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'tcp_user_timeout']
  const limits = async (query: Query) => {
    const rows = await query<{ name: string; setting: string }>(
      `SELECT name, setting FROM pg_settings WHERE name = ANY($1) ORDER BY name`,
      [[...NAMES, 'transaction_timeout']],
    )
    return Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]))
  }

  it('are set on every connection; one long transaction has others', async () => {
    await using database = await emptyPostgres()
    await using connection = new PostgresPool(new Servers(database.url), 1, {
      ...sessionLimits(),
      connect: 5_000,
      wait: 5_000,
    })
    const usual = await connection.withConnection(limits)
    // Earlier servers than 17 have no transaction_timeout, and work without it.
    const hasTransactionTimeout = 'transaction_timeout' in usual
    assert.deepEqual(usual, {
      statement_timeout: 5_000,
      lock_timeout: 4_000,
      idle_in_transaction_session_timeout: 5_000,
      tcp_user_timeout: 15_000,
      ...(hasTransactionTimeout ? { transaction_timeout: 15_000 } : {}),
    })
    const long = await connection.transaction(limits, LONG_LIMITS)
    assert.equal(long.statement_timeout, LONG_LIMITS.statement)
    if (hasTransactionTimeout) assert.equal(long.transaction_timeout, 0)
    assert.deepEqual(await connection.withConnection(limits), usual)
    // Behind a pooler the session may be one that somebody else has changed.
    const names = NAMES.filter((name) => name !== 'tcp_user_timeout')
    await connection.query(names.map((name) => `SET ${name} = 0`).join('; '))
    assert.equal((await connection.withConnection(limits)).lock_timeout, 0)
    assert.deepEqual(await connection.transaction(limits), usual)
  })
})
