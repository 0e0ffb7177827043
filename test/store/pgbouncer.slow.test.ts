import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { openStore, type StoreOptions } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { type PgBouncer, startPgBouncer } from '../support/external-programs.ts'
import { incidentId } from '../support/incident.ts'
import { proxyTo } from './databases.ts'
import { created, documentsOf, NOW, saveUntilDone, until } from './fixtures.ts'

interface Scene extends AsyncDisposable {
  /** The address of an empty database, through PgBouncer. */
  readonly url: string
  readonly bouncer: PgBouncer
  open(url?: string, options?: StoreOptions): Promise<Store>
}

async function scene(mode: 'session' | 'transaction' | 'statement', context: TestContext): Promise<Scene | null> {
  await using scope = new AsyncDisposableStack()
  const database = scope.use(await testDatabase('empty'))
  const bouncer = await startPgBouncer(database.url, mode)
  if (typeof bouncer === 'string') {
    context.skip(bouncer)
    return null
  }
  scope.use(bouncer)
  const url = bouncer.through(database.url)
  const opened = scope.move()
  return {
    url,
    bouncer,
    open: async (address = url, options = {}) => opened.use(await openStore(address, options)),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

for (const mode of ['session', 'transaction'] as const)
  describe(`a store behind PgBouncer in ${mode} mode, with its default settings`, () => {
    it('migrates from two nodes at once, and orders what both write', async (context) => {
      await using here = await scene(mode, context)
      if (here === null) return
      const stores = await Promise.all([here.open(), here.open()])
      const numbers = Array.from({ length: 60 }, (_, index) => index + 1)
      await Promise.all(numbers.map((number) => stores[number % 2]!.incidents.save([created(number)], NOW)))
      const events = await stores[0].events.after(0, 100)
      assert.deepEqual(
        events.map(({ seq }) => seq),
        numbers,
      )
      const { head, ...snapshot } = await stores[1].incidents.snapshot()
      assert.equal(head.seq, 60)
      assert.equal((await documentsOf({ head, ...snapshot })).length, 60)
      assert.doesNotMatch(here.bouncer.log(), /unsupported startup parameter|not linked/)
    })

    it('ends the transaction of a node that is lost, so that others write', async (context) => {
      await using here = await scene(mode, context)
      if (here === null) return
      await using proxy = await proxyTo(here.url)
      const [lost, other] = [await here.open(proxy.url), await here.open()]
      const partitioned = proxy.partitionAfter('UPDATE log_head')
      const lostSave = assert.rejects(lost.incidents.save([created(1)], NOW))
      await partitioned
      await saveUntilDone(other, 2)
      await lostSave
      proxy.heal()
      await saveUntilDone(lost, 3)
      const ids = (await other.events.after(0, 10)).map((event) => event.incidentId)
      assert.deepEqual(ids, [incidentId(2), incidentId(3)])
    })

    it(`notifies of its own writes${mode === 'session' ? ', and of those of others' : ', and warns that it cannot of those of others'}`, async (context) => {
      await using here = await scene(mode, context)
      if (here === null) return
      const warnings: string[] = []
      const store = await here.open(here.url, { onWarning: (warning) => void warnings.push(warning) })
      const other = await here.open()
      let woken = 0
      store.events.onAppend(() => woken++)
      await store.incidents.save([created(1)], NOW)
      await until(() => woken > 0)
      if (mode === 'transaction') return assert.match(warnings.join(), /pool_mode = session/)
      assert.deepEqual(warnings, [])
      const before = woken
      await other.incidents.save([created(2)], NOW)
      await until(() => woken > before)
    })
  })

it('a store behind PgBouncer in statement mode is refused with one sentence', async (context) => {
  await using here = await scene('statement', context)
  if (here === null) return
  await assert.rejects(here.open(), {
    name: 'StoreUnusable',
    message: /^DATABASE_URL leads to PgBouncer with pool_mode = statement, .*: set pool_mode = session or transaction/,
  })
})
