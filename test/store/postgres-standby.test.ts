import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { urlsIn } from '../../src/store/postgres/servers.ts'
import { StoreUnavailable, StoreUnusable } from '../../src/store/store.ts'
import { execute } from '../support/postgres.ts'
import { type Server, startServer } from '../support/postgres-server.ts'
import { created, NOW, until } from './fixtures.ts'

/** Stands by, with what it has, until it is promoted. */
async function startStandby(): Promise<Server> {
  const server = await startMigrated()
  const [row] = await execute(server.url, 'SHOW data_directory')
  await server.stop()
  await writeFile(join(row!.data_directory as string, 'standby.signal'), '')
  // Never resolves: what it waits to be told is that the server can be written to.
  server.start().catch(() => {})
  await until(() =>
    execute(server.url, 'SELECT 1').then(
      () => true,
      () => false,
    ),
  )
  return server
}

async function startMigrated(): Promise<Server> {
  const server = await startServer()
  await (await openStore(server.url))[Symbol.asyncDispose]()
  return server
}

/** Both in one address, the first one first. */
function both(first: Server, second: Server): string {
  return first.url.replace(/:\d+\//, (port) => `${port.slice(0, -1)},${new URL(second.url).host}/`)
}

const draw = { caller: 'a', limit: 10, amount: 1, window: 60_000 }

describe('an address with several servers', { timeout: 120_000 }, () => {
  const cases: [string, string[]][] = [
    ['postgres://one/feed', ['postgres://one/feed']],
    [
      'postgres://me:secret@one:5432,two:5433/feed?sslmode=disable',
      ['postgres://me:secret@one:5432/feed?sslmode=disable', 'postgres://me:secret@two:5433/feed?sslmode=disable'],
    ],
    ['postgresql://[::1]:5432,[::2]/feed', ['postgresql://[::1]:5432/feed', 'postgresql://[::2]/feed']],
    ['postgres:///feed?host=/var/run/postgresql', ['postgres:///feed?host=/var/run/postgresql']],
  ]
  for (const [address, urls] of cases) {
    it(`is read: ${address}`, () => assert.deepEqual(urlsIn(address), urls))
  }

  it('that cannot be read is refused, and no secret repeated', async () => {
    await assert.rejects(openStore('postgres://me:secret@one:port,two/feed'), (error) => {
      assert(error instanceof StoreUnusable)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
  })

  it('writes and listens where it may, and goes on where it is promoted', async () => {
    await using standby = await startStandby()
    await using primary = await startMigrated()
    await using store = await openStore(both(standby, primary))
    let woken = 0
    const stop = store.events.onAppend(() => woken++)
    await store.incidents.save([created(1)], NOW)
    await until(() => woken > 0)
    assert.equal((await store.budgets!.draw([draw], NOW))[0]!.amount, 1)
    await primary.stop()
    await assert.rejects(store.incidents.save([created(2)], NOW), StoreUnavailable)
    await execute(standby.url, 'SELECT pg_promote()')
    const before = woken
    await until(() =>
      store.incidents.save([created(3)], NOW).then(
        () => true,
        () => false,
      ),
    )
    await until(() => woken > before)
    stop()
  })

  it('of one server that stands by can be read from, and says that it cannot write', async () => {
    await using standby = await startStandby()
    await using store = await openStore(standby.url)
    assert.equal((await store.events.head()).seq, 0)
    await assert.rejects(store.incidents.save([created(1)], NOW), StoreUnavailable)
    await assert.rejects(store.budgets!.draw([draw], NOW), StoreUnavailable)
    await assert.rejects(store.budgets!.forget(NOW), StoreUnavailable)
  })
})
