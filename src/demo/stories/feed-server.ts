import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StoryFeed } from './story-feed.ts'

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
