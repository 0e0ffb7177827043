import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownFeed } from '../../../src/desk/sources/take-item.ts'
import type { FeedItem } from '../../../src/domain/sources.ts'
import type { KnownItem } from '../../../src/store/store.ts'

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
