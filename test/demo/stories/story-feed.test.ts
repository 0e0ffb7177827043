import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoryFeed } from '../../../src/demo/story-feed.ts'
import { parseItems } from '../../../src/desk/sources/feed-worker.ts'
import { places } from '../../../src/geo/places.ts'
import { seededRandom } from '../../../src/lib/random.ts'
import { extract } from '../../../src/reading/extract.ts'

const NOW = Date.parse('2026-11-16T12:00:00Z')
const MINUTE = 60_000
const BASE = 'http://127.0.0.1:1'

function aFeed(): StoryFeed {
  return new StoryFeed(places, NOW, MINUTE, seededRandom(7))
}

test('the feed begins with five stories and gets one more in each interval; what it had stays as it was', () => {
  const feed = aFeed()
  const first = parseItems(feed.document(NOW, BASE))
  assert.equal(first.length, 5)
  assert.deepEqual(parseItems(feed.document(NOW + MINUTE - 1, BASE)), first)
  const later = parseItems(feed.document(NOW + 2 * MINUTE, BASE))
  assert.deepEqual(later.slice(2), first)
  assert.equal(new Set(later.map(({ guid }) => guid)).size, 7)
  assert.equal(parseItems(feed.document(NOW + 100 * MINUTE, BASE)).length, 30)
})

test('its stories say that they are synthetic, and nearly all are read as incidents with a state', () => {
  const stories = parseItems(aFeed().document(NOW + 40 * MINUTE, BASE))
  for (const { text, url, publishedAt } of stories) {
    assert.match(text, /This story is synthetic/)
    assert.ok(url!.startsWith(`${BASE}/stories/`))
    assert.ok(publishedAt! <= NOW + 40 * MINUTE)
  }
  const placed = stories.filter(({ title, text, publishedAt }) =>
    extract({ title, text, published_at: new Date(publishedAt!).toISOString() }).some(({ state }) => state !== null),
  )
  assert.ok(placed.length >= 24, `${placed.length} of ${stories.length}`)
})
