import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CachePurger } from '../../src/deliveries/cache-purge.ts'
import { machine } from '../../src/lib/runtime.ts'
import type { Store } from '../../src/store/store.ts'
import { LEASE, NOW } from '../store/fixtures.ts'
import { startTestApp, until } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import { anIncident } from '../support/incident.ts'
import { startEndpoint } from '../support/receivers.ts'

/** A node that tells caches; `elapse` moves its clock on. */
function startPurger(store: Store, url: string, owner = 'one', isChosen = () => true) {
  let later = 0
  const errors: string[] = []
  const outcomes: string[] = []
  const purger = new CachePurger({
    store,
    url,
    header: 'X-Purge-Token: secret',
    owner,
    isChosen,
    pollIntervalMs: 5,
    runtime: { ...machine, elapsed: () => machine.elapsed() + later },
    onOutcome: (outcome) => outcomes.push(outcome),
    onError: (_error, message) => errors.push(message),
  })
  const elapse = (ms: number) => {
    later += ms
  }
  return { errors, outcomes, elapse, [Symbol.asyncDispose]: () => purger[Symbol.asyncDispose]() }
}

const CORRECTED = anIncident(1, { version: 2 })
const TAGS = ['incident:inc_00000000000000000000000001', 'area:NG', 'area:NG-KD', 'area:NG-KD-CHIKUN', 'month:2026-01']

async function leasedStore() {
  const store = await openMemoryStore()
  await store.fanOut.lease('one', NOW, NOW + LEASE)
  return store
}

const save = (
  store: Store,
  ...[incident, event]: [ReturnType<typeof anIncident>, 'created' | 'updated' | 'retracted']
) => store.incidents.save([{ incident, event: `incident.${event}` }], NOW)
const tagsIn = ({ json }: { json: unknown }) => (json as { tags: string[] }).tags

describe('caches in front', () => {
  it('are told what a correction touches, before and after it, and once more', async () => {
    await using store = await leasedStore()
    await using cache = await startEndpoint()
    await using purger = startPurger(store, cache.url)
    await until(async () => (await store.fanOut.purgedSeq()) !== null)
    await save(store, anIncident(1), 'created')
    const moved = { ...CORRECTED.location, state_code: 'NG-KN', lga_code: null }
    await save(store, { ...CORRECTED, state: 'Kano', lga: null, location: moved }, 'updated')
    await until(() => cache.messages.length === 1)
    const [first] = cache.messages
    assert.deepEqual(tagsIn(first!).toSorted(), [...TAGS, 'area:NG-KN'].toSorted())
    assert.deepEqual(
      [first!.headers['surrogate-key'], first!.headers['x-purge-token']],
      [tagsIn(first!).join(' '), 'secret'],
    )
    // Stored only after the repetition: a process that ends now would have it told again.
    assert.ok((await store.fanOut.purgedSeq())! < 2)
    purger.elapse(6_000)
    await until(async () => (await store.fanOut.purgedSeq()) === 2)
    assert.deepEqual(cache.messages.map(tagsIn), [tagsIn(first!), tagsIn(first!)])
    assert.deepEqual(purger.outcomes, ['sent', 'sent'])
  })

  it('are told after a failure, again and again, and by the next process', async () => {
    await using store = await leasedStore()
    await using cache = await startEndpoint()
    cache.answer = (response) => response.writeHead(503).end()
    await save(store, anIncident(1), 'created')
    {
      let looks = 0
      await using first = startPurger(store, cache.url, 'one', () => ++looks > 0)
      await until(async () => (await store.fanOut.purgedSeq()) === 1)
      await save(store, { ...CORRECTED, status: 'retracted' }, 'retracted')
      await until(() => first.outcomes.length === 1)
      // A cache that fails is not asked at every look.
      const looksUntil = looks + 5
      await until(() => looks > looksUntil)
      assert.equal(first.outcomes.length, 1)
      first.elapse(1_000)
      await until(() => first.outcomes.length === 2)
      assert.deepEqual(first.errors, ['caches could not be purged; trying again'])
      assert.deepEqual(first.outcomes, ['failed', 'failed'])
    }
    cache.answer = (response) => response.writeHead(204).end()
    await store.fanOut.release('one')
    await store.fanOut.lease('two', NOW, NOW + LEASE)
    await using second = startPurger(store, cache.url, 'two')
    await until(() => cache.messages.length === 3)
    assert.deepEqual(tagsIn(cache.messages[2]!).toSorted(), TAGS.toSorted())
    second.elapse(6_000)
    await until(async () => (await store.fanOut.purgedSeq()) === 2)
  })

  it('are given up after two hours, when nothing that they kept is left', async () => {
    await using store = await leasedStore()
    await using cache = await startEndpoint()
    cache.answer = (response) => response.writeHead(500).end()
    await using purger = startPurger(store, cache.url)
    await until(async () => (await store.fanOut.purgedSeq()) !== null)
    await save(store, anIncident(1), 'created')
    await save(store, CORRECTED, 'updated')
    await until(() => purger.errors.length === 1)
    purger.elapse(2 * 3_600_000)
    await until(() => purger.errors.length > 1)
    assert.match(purger.errors[1]!, /two hours/)
  })

  it('are emptied when hundreds of incidents are corrected at once, and by one process', async () => {
    await using store = await leasedStore()
    await using cache = await startEndpoint()
    const many = Array.from({ length: 300 }, (_, number) => anIncident(number))
    await store.fanOut.recordPurged('one', 0)
    await store.incidents.save(
      many.map((incident) => ({ incident, event: 'incident.created' as const })),
      NOW,
    )
    await store.incidents.save(
      many.map((incident) => ({ incident: { ...incident, version: 2 }, event: 'incident.updated' as const })),
      NOW,
    )
    await using idle = startPurger(store, cache.url, 'other', () => false)
    await using _ = startPurger(store, cache.url)
    await until(() => cache.messages.length > 1)
    assert.ok(cache.messages.some((message) => tagsIn(message).join() === 'incident-feed'))
    assert.deepEqual(idle.outcomes, [])
  })

  it('are told by the service itself, of nothing but corrections', async () => {
    await using cache = await startEndpoint()
    await using app = await startTestApp({ PURGE_URL: cache.url })
    const stored = async () => (await app.store.fanOut.purgedSeq()) ?? -1
    await until(async () => (await stored()) === 0)
    await app.publish([anIncident(1), anIncident(2)])
    await until(async () => (await stored()) === 2)
    assert.equal(cache.messages.length, 0)
    await app.publish([{ ...CORRECTED, status: 'retracted' }], 'incident.retracted')
    await until(() => cache.messages.length === 1)
    assert.deepEqual(tagsIn(cache.messages[0]!).toSorted(), TAGS.toSorted())
    const metrics = await (await app.get('/metrics', null)).text()
    assert.match(metrics, /incident_feed_cache_purges_total\{outcome="sent"\} 1/)
  })
})
