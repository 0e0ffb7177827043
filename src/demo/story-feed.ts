import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Incident } from '../domain/incident.ts'
import type { Places } from '../domain/places.ts'
import type { Random } from '../lib/random.ts'
import { type Country, countryOf } from './country.ts'
import { syntheticIncident } from './synthetic-incident.ts'

interface Story {
  readonly number: number
  readonly publishedAt: number
  readonly incident: Incident
}

const MAX_STORIES = 30
/** The stories that the feed has when the demo starts. */
const FIRST_STORIES = 5

/** A feed that grows: a story is added each time that another interval has passed. */
export class StoryFeed {
  readonly #ground: Country
  readonly #intervalMs: number
  readonly #random: Random
  #stories: readonly Story[] = []
  #nextAt: number
  #count = 0

  constructor(places: Places, startedAt: number, intervalMs: number, random: Random = Math.random) {
    this.#ground = countryOf(places)
    this.#intervalMs = intervalMs
    this.#random = random
    this.#nextAt = startedAt - (FIRST_STORIES - 1) * intervalMs
  }

  /** The feed as RSS, newest first. `baseUrl` is that of the stories' addresses. */
  document(now: number, baseUrl: string): string {
    while (this.#nextAt <= now) {
      this.#addStory(this.#nextAt)
      this.#nextAt += this.#intervalMs
    }
    const items = this.#stories.map((story) => itemOf(story, baseUrl)).join('\n')
    return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>Synthetic news</title><link>${baseUrl}</link><description>Made up by the demo of Incident Feed</description>
${items}
</channel></rss>
`
  }

  #addStory(publishedAt: number): void {
    const incident = syntheticIncident(this.#ground, publishedAt, this.#random)
    this.#count++
    this.#stories = [{ number: this.#count, publishedAt, incident }, ...this.#stories].slice(0, MAX_STORIES)
  }
}

function itemOf({ number, publishedAt, incident }: Story, baseUrl: string): string {
  const [title, text] = textsOf(incident)
  return `<item><guid isPermaLink="false">synthetic-${publishedAt}-${number}</guid><title>${escaped(title)}</title>
<link>${baseUrl}/stories/${publishedAt}-${number}</link><pubDate>${new Date(publishedAt).toUTCString()}</pubDate>
<description>${escaped(text)}</description></item>`
}

/** The first sentence is the headline; the story names the state, as news do. */
function textsOf({ summary, state, lga, location: { place } }: Incident): [title: string, text: string] {
  const told = summary.replace(/\s*\[?\(?synthetic\)?\]?:?\s*/gi, ' ').trim()
  const title = told.slice(0, told.search(/\.(\s|$)/) + 1 || told.length).replace(/\.$/, '')
  const where = [place, lga === null ? null : `${lga} Local Government Area`, `${state} State`]
  const named = where.filter((name) => name !== null).join(', ')
  return [title, `${told} It happened in ${named}. This story is synthetic: the demo of Incident Feed made it up.`]
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

export interface DemoFeedServer extends AsyncDisposable {
  readonly origin: string
  readonly url: string
}

/** Serves the feed to this machine only, on a free port. */
export async function serveStoryFeed(feed: StoryFeed, clock: () => number = Date.now): Promise<DemoFeedServer> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/rss+xml; charset=utf-8' })
    response.end(feed.document(clock(), origin))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    url: `${origin}/feed.xml`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
