import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface FeedServer extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly IncomingMessage[]
  /** Sets what is answered from here on. */
  answer(next: Answer): void
}

/** A real HTTP server on the loopback address. */
export async function startFeedServer(first: Answer): Promise<FeedServer> {
  let current = first
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    current(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.xml`,
    requests,
    answer(next) {
      current = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export interface StoryFields {
  readonly guid: string
  readonly title: string
  readonly text?: string
  readonly link?: string
  readonly published?: Date
}

/** An RSS document. */
export function rss(stories: readonly StoryFields[]): string {
  const items = stories.map(
    ({ guid, title, text = '', link, published = new Date() }) =>
      `<item><guid isPermaLink="false">${guid}</guid><title>${escaped(title)}</title>` +
      `<link>${escaped(link ?? `https://herald.example.org/${guid}`)}</link>` +
      `<pubDate>${published.toUTCString()}</pubDate><description>${escaped(text)}</description></item>`,
  )
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>Herald</title>${items.join('')}</channel></rss>`
}

export function sendFeed(body: string | Buffer, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(200, { 'content-type': 'application/rss+xml', ...headers })
    response.end(body)
  }
}

export function sendStatus(status: number, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, headers)
    response.end()
  }
}

function escaped(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}
