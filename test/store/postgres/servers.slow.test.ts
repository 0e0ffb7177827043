import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { PostgresServer } from '../../../resilience/harness/postgres/server.ts'
import { promote, setSynchronous, standbyOf } from '../../../resilience/harness/postgres/standby.ts'
import { openStore } from '../../../src/store/open.ts'
import { Servers } from '../../../src/store/postgres/servers.ts'
import { StoreUnavailable, StoreUnusable } from '../../../src/store/store.ts'
import { created, NOW, until } from '../fixtures.ts'

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

describe('a store on a primary and its standby', { timeout: 120_000 }, () => {
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
