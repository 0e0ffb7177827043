import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { NEVER_POLLED } from '../../../../src/domain/sources/news-source.ts'
import type { EmptyDatabase } from '../../empty-database.ts'
import { NOW } from '../../fixtures.ts'
import { aSource, MAX } from '../../source-fixtures.ts'

const HOUR = 3_600_000

export function sourcesConform(newDatabase: () => Promise<EmptyDatabase>): void {
  describe('a news source', () => {
    it('is added, found, listed by publisher, changed and removed', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { sources } = store
      const { urlKey: _, ...source } = aSource(2)
      const added = { ...source, polling: NEVER_POLLED, counts: { items: 0, queued: 0, proposed: 0, confirmed: 0 } }
      assert.deepEqual(await sources.add(aSource(2), MAX), added)
      await sources.add(aSource(1), MAX)
      assert.deepEqual(await sources.find('src_2'), added)
      assert.deepEqual(
        (await sources.list()).map(({ id }) => id),
        ['src_1', 'src_2'],
      )
      const changed = await sources.change('src_2', { paused: true, everyMinutes: 60, publisher: 'Arewa' })
      assert.deepEqual(changed, { ...added, paused: true, everyMinutes: 60, publisher: 'Arewa' })
      assert.deepEqual(await sources.find('src_2'), changed)
      assert.deepEqual(await sources.change('src_2', { paused: false }), { ...(changed as object), paused: false })
      assert.equal(await sources.remove('src_2'), true)
      assert.equal(await sources.remove('src_2'), false)
      assert.equal(await sources.find('src_2'), null)
      assert.equal(await sources.change('src_2', { paused: true }), null)
    })

    it('has an address of its own, and there is a limit to their number', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { sources } = store
      await sources.add(aSource(1), MAX)
      assert.equal(await sources.add(aSource(2, { urlKey: 'key 1' }), MAX), 'taken')
      await sources.add(aSource(2), MAX)
      assert.equal(await sources.change('src_2', { url: 'https://x.example.org', urlKey: 'key 1' }), 'taken')
      assert.equal((await sources.find('src_2'))!.url, aSource(2).url)
      assert.equal(await sources.add(aSource(3), 2), 'full')
      const moved = await sources.change('src_2', { url: 'https://x.example.org', urlKey: 'key 2' })
      assert.equal((moved as { url: string }).url, 'https://x.example.org')
    })

    it('is added once if two try at the same moment', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const outcomes = await Promise.all(
        [1, 2, 3, 4].map((number) => store.sources.add(aSource(number, { urlKey: 'the same' }), MAX)),
      )
      assert.equal(outcomes.filter((outcome) => outcome === 'taken').length, 3)
      assert.equal((await store.sources.list()).length, 1)
    })

    it('is due in order of time, unless it is paused', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { sources } = store
      await sources.add(aSource(1, { dueAt: NOW }), MAX)
      await sources.add(aSource(2, { dueAt: NOW - HOUR }), MAX)
      await sources.add(aSource(3, { dueAt: NOW + 1 }), MAX)
      await sources.add(aSource(4, { dueAt: NOW - HOUR, paused: true }), MAX)
      const due = async (limit: number) => (await sources.due(NOW, limit)).map(({ id }) => id)
      assert.deepEqual(await due(10), ['src_2', 'src_1'])
      assert.deepEqual(await due(1), ['src_2'])
    })

    it('keeps what a poll found, but not if its address has changed meanwhile', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { sources } = store
      await sources.add(aSource(1), MAX)
      const polling = {
        ...NEVER_POLLED,
        etag: 'W/"ä"',
        polledAt: NOW,
        failures: 2,
        problem: { code: 'timeout', detail: 'No answer.' },
      } as const
      const { url } = aSource(1)
      await sources.recordPoll({ sourceId: 'src_1', url, polling, dueAt: NOW + HOUR })
      const found = (await sources.find('src_1'))!
      assert.deepEqual([found.polling, found.dueAt], [polling, NOW + HOUR])
      assert.deepEqual(await sources.due(NOW, 10), [])
      await sources.change('src_1', { url: 'https://x.example.org', urlKey: 'x', polling: NEVER_POLLED, dueAt: NOW })
      await sources.recordPoll({ sourceId: 'src_1', url, polling, dueAt: NOW + HOUR })
      const moved = (await sources.find('src_1'))!
      assert.deepEqual([moved.polling, moved.dueAt], [NEVER_POLLED, NOW])
    })

    it('is polled by one owner at a time, until the lease ends or its owner is dead', async () => {
      await using database = await newDatabase()
      await using store = await database.open()
      const { sources, owners } = store
      assert.equal(await sources.lease('a', NOW, NOW + HOUR), true)
      assert.equal(await sources.lease('b', NOW + 1, NOW + HOUR), false)
      assert.equal(await sources.lease('a', NOW + 1, NOW + HOUR), true)
      assert.equal(await sources.lease('b', NOW + HOUR, NOW + 2 * HOUR), true)
      assert.equal(await sources.lease('a', NOW + HOUR, NOW + 2 * HOUR), false)
      await sources.release('a')
      assert.equal(await sources.lease('a', NOW + HOUR, NOW + 2 * HOUR), false)
      await sources.release('b')
      assert.equal(await sources.lease('a', NOW + HOUR, NOW + 2 * HOUR), true)
      const [heartbeat] = await owners.recordHeartbeat('a')
      assert.equal(await owners.releaseLeases(heartbeat!, NOW + HOUR), true)
      assert.equal(await sources.lease('b', NOW + HOUR, NOW + 2 * HOUR), true)
    })
  })
}
