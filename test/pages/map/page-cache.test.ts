import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlicedQueries } from '../../../src/archive/sliced-queries.ts'
import { PageCache } from '../../../src/pages/map/page-cache.ts'
import { startTestApp } from '../../support/app.ts'
import { anEvent, emptyArchive } from '../../support/archive.ts'
import { anAsker } from '../../support/asker.ts'
import { anIncident } from '../../support/incident.ts'

const page = (text: string, validUntil = Number.POSITIVE_INFINITY) =>
  // biome-ignore lint/correctness/useYield: a page that needs one step
  function* () {
    return { status: 200, body: Buffer.from(text), stampAt: null, validUntil }
  }

test('a page is rendered once for an address until an event, or for a minute', async () => {
  const archive = await emptyArchive()
  const cache = new PageCache(new SlicedQueries())
  const bodyAt = async (key: string, text: string, now: number, validUntil?: number) =>
    (await cache.getPage(archive, key, now, anAsker, page(text, validUntil))).body.body.toString()
  assert.equal(await bodyAt('/', 'one', 0), 'one')
  assert.equal(await bodyAt('/', 'two', 59_999), 'one')
  assert.equal(await bodyAt('/?span=7d', 'other', 0), 'other')
  assert.equal(await bodyAt('/', 'two', 60_000), 'two')
  assert.equal(await bodyAt('/?span=24h', 'window', 0, 10), 'window')
  assert.equal(await bodyAt('/?span=24h', 'moved', 10), 'moved')
  archive.apply([anEvent(1, anIncident(1))])
  assert.equal(await bodyAt('/', 'three', 60_001), 'three')
})

test('pages and their keys stay within the bound', async () => {
  const archive = await emptyArchive()
  const cache = new PageCache(new SlicedQueries(), 100_000)
  for (let number = 0; number < 300; number++)
    await cache.getPage(archive, `/?q=${number}${'x'.repeat(2000)}`, 0, anAsker, page('y'.repeat(3000)))
  assert.ok(cache.size > 50_000 && cache.size <= 100_000, `${cache.size} bytes`)
})

test('a cached page has the server’s clock of the moment it is sent', async () => {
  let now = Date.UTC(2026, 0, 2)
  await using app = await startTestApp({}, { clock: () => now })
  await app.publish([anIncident(1)])
  for (const encoding of ['identity', 'gzip', 'br']) {
    for (let request = 0; request < 2; request++) {
      now += 5000
      const text = await (await app.get('/?span=all', null, { 'accept-encoding': encoding })).text()
      const data = JSON.parse(/id="initial-data">(.*?)<\/script>/s.exec(text)![1]!)
      assert.equal(Date.parse(data.now), now)
      assert.equal(data.list.data.length, 1)
    }
  }
})
