import { openAccount } from '../accounts/keys.ts'
import { issueSignInLink } from '../accounts/sign-in.ts'
import { fillWithHistory, runLiveFeed } from '../demo/live-feed.ts'
import { type DemoFeedServer, StoryFeed, serveStoryFeed } from '../demo/story-feed.ts'
import { newIdentifier } from '../domain/identifier.ts'
import { SCOPES } from '../domain/keys.ts'
import type { Places } from '../domain/places.ts'
import { MAX_SOURCES } from '../domain/sources.ts'
import { randomBytes } from '../lib/runtime.ts'
import type { Store } from '../store/store.ts'

const SEED = 20_260_101
const INCIDENTS = 20_000
const YEARS = 10
const YEAR_MS = 365.25 * 86_400_000
const ARRIVAL_INTERVAL_MS = 5000
const STORY_INTERVAL_MS = 30_000
/** Somebody who tries the demo may read on first. */
const LINK_VALID_MS = 24 * 3_600_000

/** Serves synthetic news on the loopback address. */
export function startDemoFeed(places: Places): Promise<DemoFeedServer> {
  return serveStoryFeed(new StoryFeed(places, Date.now(), STORY_INTERVAL_MS))
}

/** Saves ten synthetic years. */
export async function fillDemo(store: Store, places: Places): Promise<void> {
  const until = Date.now()
  const from = until - YEARS * YEAR_MS
  await fillWithHistory({ store, places, seed: SEED, count: INCIDENTS, from, until, now: Date.now })
}

/** Adds incidents until disposed, and prints how to try the service. */
export async function startDemo(store: Store, places: Places, url: string, feedUrl: string): Promise<AsyncDisposable> {
  const request = { name: 'Demo desk', scopes: SCOPES }
  const { text, key } = await openAccount(store, { email: null, name: 'Demo' }, request, Date.now())
  const recipient = { accountId: key.accountId, validMs: LINK_VALID_MS }
  const { url: desk } = await issueSignInLink(store, url, recipient, Date.now())
  await addNewsSource(store, feedUrl)
  console.log(welcome(url, text, desk))
  const stopping = new AbortController()
  const arriving = runLiveFeed({
    places,
    save: store.incidents.save,
    signal: stopping.signal,
    interval: ARRIVAL_INTERVAL_MS,
    jitter: 0.5,
    onError: (error) => console.error('a demo incident could not be saved:', error),
  })
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await arriving
    },
  }
}

/** The service polls the demo's own feed, so that the desk's queue is alive. */
async function addNewsSource(store: Store, url: string): Promise<void> {
  const now = Date.now()
  const id = newIdentifier('source', now, randomBytes)
  const publisher = 'Synthetic News'
  await store.sources.add(
    { id, kind: 'feed', url, urlKey: url, publisher, everyMinutes: 1, paused: false, createdAt: now, dueAt: now },
    MAX_SOURCES,
  )
}

function welcome(url: string, key: string, desk: string): string {
  return `
  Incident Feed is running, with ${INCIDENTS.toLocaleString('en')} SYNTHETIC incidents and a new one every few seconds.

  Map        ${url}/
  Desk       ${desk}
  Reference  ${url}/docs
  Key        ${key}

  Try it:

  curl '${url}/v1/incidents?state=kaduna&since=30d&limit=2' -H 'Authorization: Bearer ${key}'
`
}
