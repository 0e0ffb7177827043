import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openStore } from '../../../src/store/open.ts'
import { PostgresPool, type Query } from '../../../src/store/postgres/connection/connection.ts'
import { Servers } from '../../../src/store/postgres/connection/servers.ts'
import { LONG_LIMITS, sessionLimits } from '../../../src/store/postgres/connection/session-limits.ts'
import { type Store, StoreUnavailable } from '../../../src/store/store.ts'
import { incidentId } from '../../support/incident.ts'
import { emptyPostgres } from '../empty-database.ts'
import { created, NOW } from '../fixtures.ts'
import { proxyTo } from '../proxy.ts'

/** Saves as a client does that retries after 503. */
async function saveUntilDone(store: Store, number: number): Promise<void> {
  for (;;) {
    try {
      await store.incidents.save([created(number)], NOW)
      return
    } catch (error) {
      assert(error instanceof StoreUnavailable, String(error))
    }
  }
}

describe('a node that is lost inside a transaction', { timeout: 120_000 }, () => {
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
  })
})
