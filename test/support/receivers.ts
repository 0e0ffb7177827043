import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net'

export interface Message {
  readonly headers: IncomingHttpHeaders
  /** The exact bytes received. */
  readonly body: string
  readonly json: {
    event: string
    watch: string
    incident: { id: string; version: number; summary: string }
    id: string
    watch_id: string
    sequence: number
    seq: number
    test?: boolean
    sites?: unknown
  }
}

/** An endpoint that records every message and calls `answer` to respond. */
export interface TestEndpoint extends Receiver {
  readonly url: string
  readonly messages: Message[]
  answer: (response: ServerResponse, message: Message) => void
}

export async function startEndpoint(): Promise<TestEndpoint> {
  const messages: Message[] = []
  const endpoint = {
    messages,
    answer: (response: ServerResponse, _message: Message) => {
      response.statusCode = 204
      response.end()
    },
  }
  const receiver = await receive(async (request, response) => {
    const body = await bodyOf(request)
    const message = { headers: request.headers, body, json: JSON.parse(body) as Message['json'] }
    messages.push(message)
    endpoint.answer(response, message)
  })
  return Object.assign(endpoint, receiver, { url: `http://127.0.0.1:${receiver.port}/hook` })
}

/** An endpoint on this machine that counts its connections. */
export interface Receiver extends AsyncDisposable {
  readonly port: number
  /** The number of connections made to it. */
  readonly connections: () => number
  /** The number of connections still open. */
  readonly open: () => number
}

export function receive(listener: RequestListener, address = '127.0.0.1'): Promise<Receiver> {
  return listen(createServer(listener), address)
}

export function receiveSecurely(listener: RequestListener): Promise<Receiver> {
  return listen(createSecureServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, listener), '127.0.0.1')
}

/** Starts an endpoint that handles the socket itself, without HTTP. */
export function receiveRaw(listener: (socket: Socket) => void): Promise<Receiver> {
  return listen(createRawServer(listener), '127.0.0.1')
}

async function listen(server: Server, address: string): Promise<Receiver> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // A sender may reset the connection, which is expected here.
    socket.on('error', () => {})
  })
  server.listen(0, address)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A port of the loopback address that nothing listens on. */
export async function freePort(): Promise<number> {
  await using receiver = await receiveRaw(() => {})
  return receiver.port
}

export async function bodyOf(request: IncomingMessage): Promise<string> {
  return Buffer.concat(await request.toArray()).toString()
}

/** Every spelling of the loopback address that a URL's host allows. */
export const SPELLINGS_OF_LOOPBACK = [
  ...[
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
  ],
  ...[
    '0177.0x0.0.01',
    '127.0.0.0x1',
    '127.255.255.254',
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '１２７.0.0.1',
    '127。0。0。1',
  ],
  ...['①②⑦.0.0.1', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::]'],
  ...['[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '0', '0.0.0.0', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost'],
  ...['ｌｏｃａｌｈｏｓｔ', 'loc%61lhost', 'localhost.localdomain'],
]

export type Answer = (request: IncomingMessage, response: ServerResponse) => void

export interface FeedServer extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly IncomingMessage[]
  /** Sets what is answered from here on. */
  answer(next: Answer): void
}

export async function startFeedServer(first: Answer): Promise<FeedServer> {
  let current = first
  const requests: IncomingMessage[] = []
  const receiver = await receive((request, response) => {
    requests.push(request)
    current(request, response)
  })
  return {
    url: `http://127.0.0.1:${receiver.port}/feed.xml`,
    requests,
    answer(next) {
      current = next
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
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

/**
 * A test authority, whose key was discarded, and a certificate that it signed for receiver.org.
 * Both are valid until 2126 and trusted nowhere.
 */
export const AUTHORITY = `-----BEGIN CERTIFICATE-----
MIIBmjCCAT+gAwIBAgIUUALNX5lrQLLLm124XWxj3xjE+hAwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTE1MDUzNzAwWhgPMjEy
NjEwMjIwNTM3MDBaMBkxFzAVBgNVBAMMDlRlc3QgYXV0aG9yaXR5MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEJF/9f1Dc2qe4tHxGfEshlEr4JZ3H8JggYTWKmSex
AUqCfIwY1vIRpc8Avm71mMFt9Wjqo3CuYxxmNZDhZx35sqNjMGEwHQYDVR0OBBYE
FFQ9JIQu2/3SCsKQyfEFk+OvpP6aMB8GA1UdIwQYMBaAFFQ9JIQu2/3SCsKQyfEF
k+OvpP6aMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMAoGCCqGSM49
BAMCA0kAMEYCIQC9cca1HMMqEo8nNnu9VOWIrZeY8QUi6PErksc2cw1CIwIhAKRV
7meJYuy8OZiacfRCg0dCwMXCvYtmxIg4Px0E/pKq
-----END CERTIFICATE-----
`

export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBrzCCAVWgAwIBAgIUJ8vxX/j3vHMJ8xBoYbB98lrc/Z4wCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOVGVzdCBhdXRob3JpdHkwIBcNMjYxMTE1MDUzNzAwWhgPMjEy
NjEwMjIwNTM3MDBaMBcxFTATBgNVBAMMDHJlY2VpdmVyLm9yZzBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABENAu24AH8NOJz7jLqnez7qbzbKElmDKJkoBFxIUQYQr
frrfvyCKO4ypdQl1zphI4Tx9N3tHuWX/jSxJM+x99+2jezB5MBcGA1UdEQQQMA6C
DHJlY2VpdmVyLm9yZzAJBgNVHRMEAjAAMBMGA1UdJQQMMAoGCCsGAQUFBwMBMB0G
A1UdDgQWBBQ5CTTBLtYSNVRQamOkS3wX9M63ETAfBgNVHSMEGDAWgBRUPSSELtv9
0grCkMnxBZPjr6T+mjAKBggqhkjOPQQDAgNIADBFAiA5pwwkPRs/QFuGzVXxX66/
0c861gzwHrNQybWcrbU8XQIhAIhk4YUvxAmmDKF11A8UzBrlv1b48zafVad+Mps2
r/WC
-----END CERTIFICATE-----
`

export const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOFbPZc1cEhtAM+7k
9TNYhjx6u/E0eTkfLLOpigxBaXGhRANCAARDQLtuAB/DTic+4y6p3s+6m82yhJZg
yiZKARcSFEGEK366378gijuMqXUJdc6YSOE8fTd7R7ll/40sSTPsffft
-----END PRIVATE KEY-----
`
