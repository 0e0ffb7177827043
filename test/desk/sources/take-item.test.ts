import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownFeed, takeItem } from '../../../src/desk/sources/take-item.ts'
import type { TimePrecision } from '../../../src/domain/incident.ts'
import type { FeedItem } from '../../../src/domain/sources.ts'
import { openGeography } from '../../../src/geo/geography.ts'
import type { DueSource, KnownItem } from '../../../src/store/store.ts'
import { aSource } from '../../store/fixtures.ts'
import { openMemoryStore } from '../../support/databases/stores.ts'

const FEED = 'https://e.example.org/feed'

const anItem = (name: string, more: Partial<FeedItem> = {}): FeedItem => ({
  guid: 'news',
  url: `https://e.example.org/${name}`,
  title: `Title ${name}`,
  text: '',
  publishedAt: null,
  ...more,
})

/** Returns the items that a store holds after some polls of the feed, by id. */
function afterPolls(polls: readonly (readonly FeedItem[])[]) {
  const stored = new Map<string, KnownItem>()
  for (const items of polls) {
    const feed = knownFeed(FEED, items)
    const saved = new Map([...stored].filter(([id]) => items.flatMap(feed.savedAs).includes(id)))
    for (const item of items) {
      const { title, url } = item
      const id = feed.idOf(item)
      if (!feed.isSaved(item, saved)) stored.set(id, { id, title, url, urlKey: feed.urlKeyOf(item) })
    }
  }
  return stored
}

const titlesAfter = (...polls: FeedItem[][]) => Array.from(afterPolls(polls).values(), ({ title }) => title).sort()

const STORIES = ['a', 'b', 'c'].map((name) => anItem(name))
/** All orders of all of the stories, and of some of them. */
const POLLS = STORIES.flatMap((one) => [
  [one],
  ...STORIES.filter((other) => other !== one).flatMap((other) => [
    [one, other],
    [one, other, STORIES.find((third) => third !== one && third !== other)!],
  ]),
])

test('stories that share a GUID are saved once each, whatever was polled before them, in any order', () => {
  for (const first of POLLS)
    for (const second of POLLS)
      for (const third of POLLS) {
        const titles = titlesAfter(first, second, third)
        const polls = [first, second, third].map((poll) => poll.map(({ title }) => title))
        assert.equal(new Set(titles).size, titles.length, JSON.stringify({ polls, titles }))
        // One that is alone with a known GUID is the story that was saved, changed.
        const together = polls.filter((poll) => poll.length > 1).flat()
        for (const title of [...together, ...polls[0]!])
          assert.ok(titles.includes(title), JSON.stringify({ polls, titles }))
      }
})

test('a story that was alone with its GUID is known by its link or its title once it is not', () => {
  const [a, b] = STORIES as [FeedItem, FeedItem]
  for (const changed of [
    { ...a, title: 'Corrected' },
    { ...a, url: 'https://e.example.org/moved' },
    { ...a, url: 'http://www.e.example.org/a/?utm_source=rss', title: 'Corrected' },
  ]) {
    assert.deepEqual(titlesAfter([a], [changed, b]), [a.title, b.title])
    assert.deepEqual(titlesAfter([a], [b, changed]), [a.title, b.title])
  }
  const withoutLink = { ...a, url: null }
  assert.deepEqual(titlesAfter([withoutLink], [b, withoutLink]), [a.title, b.title])
})

test('two spellings of a link are one link: the item was changed', () => {
  const spelled = anItem('a', { url: 'http://www.e.example.org/a/?utm_source=rss', title: 'Corrected' })
  const items = [anItem('a'), spelled]
  assert.deepEqual(new Set(items.map(knownFeed(FEED, items).idOf)), new Set([knownFeed(FEED, [spelled]).idOf(spelled)]))
})

test('a story that was redacted does not come back, whoever shares its GUID', () => {
  const [a, b] = STORIES as [FeedItem, FeedItem]
  for (const urlKey of [knownFeed(FEED, [a]).urlKeyOf(a), null]) {
    const id = knownFeed(FEED, [a]).idOf(a)
    const saved = new Map([[id, { id, title: '', url: null, urlKey }]])
    const feed = knownFeed(FEED, [a, b])
    assert.equal(feed.isSaved(a, saved), true)
    assert.equal(feed.isSaved(b, saved), urlKey === null)
  }
})

const NOW = Date.parse('2026-11-15T23:30:00Z')
const TOLD: [when: string, occurredAt: string, precision: TimePrecision, isRead: boolean][] = [
  ['on 12 November 2026', '2026-11-12T00:00:00Z', 'day', true],
  // In Lagos it is the 16th.
  ['on 16 November 2026', '2026-11-16T00:00:00Z', 'day', true],
  ['on 17 November 2026', '2026-11-15T22:30:00Z', 'day', false],
  ['on 3 March 2030', '2026-11-15T22:30:00Z', 'day', false],
  ['today at 11:45 pm', '2026-11-15T22:45:00Z', 'hour', true],
  ['on 16 November 2026 at 2 am', '2026-11-15T22:30:00Z', 'day', false],
  ['in the market', '2026-11-15T22:30:00Z', 'day', false],
]
for (const [when, occurredAt, precision, isRead] of TOLD) {
  test(`a story of what happened ${when} is queued for ${occurredAt}`, async () => {
    await using store = await openMemoryStore()
    const text = `Gunmen abducted eleven people in Dansadau, Maru LGA of Zamfara State ${when}.`
    const item = anItem('story', { title: 'Gunmen abduct eleven in Zamfara', text, publishedAt: NOW - 3_600_000 })
    const parts = { store, geography: openGeography(null), findPublished: async () => [], agingClock: () => NOW }
    const source = { ...aSource(), health: null } as unknown as DueSource
    const { reports } = await takeItem(source, knownFeed(FEED, [item]), item, parts, NOW)
    const { incident, moderation } = reports[0]!
    assert.deepEqual([incident.occurred_at, incident.time_precision], [occurredAt, precision])
    assert.equal(
      moderation!.reading!.evidence.some(({ field }) => field === 'occurred_at'),
      isRead,
    )
  })
}
