import { createECDH, createHmac, type ECDH } from 'node:crypto'
import { createRequire } from 'node:module'
import { MailUnavailable } from '../src/accounts/mail.ts'
import { MailServerDown } from '../src/deliveries/send/failure.ts'
import type { OutgoingRequest } from '../src/deliveries/send/message.ts'
import { type SignedMessage, signatureHeaders } from '../src/deliveries/send/signature.ts'
import { parseItems } from '../src/desk/sources/feed-worker.ts'
import { FetchProblem } from '../src/desk/sources/fetch-feed.ts'
import type { EndpointReply, SendResult } from '../src/domain/delivery.ts'
import { problemOfStatus } from '../src/domain/sources.ts'
import { randomBytes } from '../src/lib/runtime.ts'
import type { Edges } from '../src/startup/environment.ts'
import type { Machine, World } from './world.ts'

/** The ways in which endpoints treat a message. */
export const BEHAVIOURS = [
  'answers',
  'is slow',
  'hangs',
  'fails',
  'is busy',
  'refuses connections',
  'redirects',
  'takes it and closes the connection',
] as const
export type Behaviour = (typeof BEHAVIOURS)[number] | 'is gone' | 'says late that it is gone'

/** A message that reached a receiver. */
export interface Received {
  readonly at: number
  /** The time of the attempt by the clock of its node, which signed messages carry. */
  readonly sentAt: number
  /** The URL, or `mailto:` and the address. */
  readonly address: string
  /** The same at every attempt; null where the channel has none. */
  readonly id: string | null
  /** Everything that the receiver can read. */
  readonly text: string
  /** By which the receiver can verify a webhook. */
  readonly secrets: readonly string[]
  /** Whether the receiver has kept it; else a retry must follow. */
  readonly isTaken: boolean
  readonly behaviour: Behaviour
}

const ANSWER_TIMEOUT_MS = 10_000
/** The pause that a busy endpoint asks for. */
export const RETRY_AFTER_MS = 7000
export const LATE_ANSWER_MS = 6000
const MOST_LATENCY_MS = 40

interface Answer {
  readonly takes: boolean
  readonly afterMs: number
  readonly reply: EndpointReply
}

function answered(status: number, retryAfter: string | null = null): EndpointReply {
  return { kind: 'answered', status, message: `answered ${status}`, body: '', retryAfter }
}

/** A story in the feed of a newspaper. */
export interface PrintedStory {
  readonly url: string
  readonly title: string
  readonly text: string
  readonly at: number
}

/** A feed has its newest stories only. */
const MOST_STORIES = 40

/** All of the world outside: endpoints, mailboxes, browsers and newspapers. */
export class Network {
  readonly received: Received[] = []
  readonly mails: { readonly at: number; readonly to: string; readonly text: string }[] = []
  readonly #world: World
  readonly #behaviours = new Map<string, Behaviour>()
  readonly #browsers = new Map<string, { readonly keys: ECDH; readonly auth: string }>()
  /** The stories of each newspaper, by the address of its feed. */
  readonly #feeds = new Map<string, PrintedStory[]>()
  isMailServerUp = true
  onReceived: (received: Received) => void = () => {}

  constructor(world: World) {
    this.#world = world
  }

  /** The subscription of a new browser, as its `PushSubscription.toJSON()` gives it. */
  openBrowser(endpoint: string) {
    const keys = createECDH('prime256v1')
    // Not `generateKeys`, whose chance is not the seed's.
    keys.setPrivateKey(randomBytes(32))
    const auth = randomBytes(16).toString('base64url')
    this.#browsers.set(endpoint, { keys, auth })
    return { endpoint, expirationTime: null, keys: { p256dh: keys.getPublicKey('base64url'), auth } }
  }

  /** The newest message to an address since then that has the text. */
  find(address: string, since: number, text: string): Received | undefined {
    for (let index = this.received.length - 1; index >= 0 && this.received[index]!.at >= since; index--) {
      const message = this.received[index]!
      if (message.address === address && message.text.includes(text)) return message
    }
    return undefined
  }

  print(feed: string, story: PrintedStory): void {
    this.#feeds.set(feed, [...(this.#feeds.get(feed) ?? []), story])
  }

  setBehaviour(address: string, behaviour: Behaviour): void {
    if (behaviour === 'answers') this.#behaviours.delete(address)
    else this.#behaviours.set(address, behaviour)
  }

  behaviourOf(address: string): Behaviour {
    return this.#behaviours.get(address) ?? 'answers'
  }

  /** Its network cards: what it sends arrives even if it dies meanwhile; answers need it alive. */
  edgesOf(machine: Machine): Edges {
    const post = (request: OutgoingRequest) => this.#post(request, machine)
    return {
      sender: { post, [Symbol.asyncDispose]: async () => {} },
      mailer: {
        sendMail: async ({ to, subject, text }) => {
          if (!this.isMailServerUp) throw new MailUnavailable('the mail server is down')
          await this.#travel(machine)
          this.mails.push({ at: this.#world.now, to: String(to), text: `${subject}\n${text}` })
        },
      },
      mails: {
        sendMail: async ({ to, subject, text, html, messageId, unsubscribeUrl }, now) => {
          if (!this.isMailServerUp) throw new MailServerDown('the mail server is down')
          const body = [subject, text, html, unsubscribeUrl].join('\n')
          return this.#send(`mailto:${to}`, { id: messageId, text: body, secrets: [] }, now, machine)
        },
        [Symbol.dispose]() {},
      },
      fetcher: { fetch: (url, { etag }) => this.#fetchFeed(url, etag, machine) },
      // As the thread does that reads them, but in this one: it starts and ends with no node.
      reader: { read: async (document) => parseItems(document) },
    }
  }

  async #fetchFeed(url: string, etag: string | null, machine: Machine) {
    await this.#travel(machine)
    const stories = this.#feeds.get(url) ?? []
    const { reply, afterMs } = this.#answerOf(url)
    if (reply.kind === 'failed') {
      await this.#travel(machine, afterMs)
      const code = reply.failure === 'timeout' ? 'timeout' : 'connection_failed'
      throw new FetchProblem({ code, detail: reply.message })
    }
    if (reply.status >= 300) {
      const retryAfterMs = reply.retryAfter === null ? null : Number(reply.retryAfter) * 1000
      throw new FetchProblem(problemOfStatus(reply.status), retryAfterMs)
    }
    const current = `"${stories.length}"`
    if (etag === current) return { kind: 'unchanged', movedTo: null } as const
    const text = feedOf(stories.slice(-MOST_STORIES).toReversed())
    return { kind: 'feed', movedTo: null, text, etag: current, lastModified: null } as const
  }

  #post({ url, body, sentAt, signing }: OutgoingRequest, machine: Machine): Promise<SendResult> {
    const browser = this.#browsers.get(url)
    const text = browser === undefined ? String(body) : decrypt(Buffer.from(body as Uint8Array), browser)
    // All chats have the address of the bot.
    const chat = url.includes('/bot') ? (JSON.parse(text) as { chat_id: string }).chat_id : null
    const address = chat === null ? url : `telegram:${chat}`
    const secrets = signing === undefined ? [] : verifying({ ...signing, sentAt, body: text })
    return this.#send(address, { id: signing?.id ?? null, text, secrets }, sentAt, machine)
  }

  #send(
    address: string,
    message: Pick<Received, 'id' | 'text' | 'secrets'>,
    startedAt: number,
    machine: Machine,
  ): Promise<SendResult> {
    const world = this.#world
    return new Promise((resolve) => {
      world.after(1 + world.random() * MOST_LATENCY_MS, () => {
        const { takes, afterMs, reply } = this.#answerOf(address)
        const behaviour = this.behaviourOf(address)
        const received = { at: world.now, sentAt: startedAt, address, ...message, isTaken: takes, behaviour }
        this.received.push(received)
        this.onReceived(received)
        world.after(afterMs, () => resolve({ ...reply, startedAt, durationMs: Math.round(afterMs) }), machine)
      })
    })
  }

  #answerOf(address: string): Answer {
    const afterMs = 1 + this.#world.random() * MOST_LATENCY_MS
    switch (this.behaviourOf(address)) {
      case 'answers':
        return { takes: true, afterMs, reply: answered(200) }
      case 'is slow':
        return { takes: true, afterMs: 2000 + 100 * afterMs, reply: answered(202) }
      case 'hangs':
        return { takes: false, afterMs: ANSWER_TIMEOUT_MS, reply: failure('timeout') }
      case 'fails':
        return { takes: false, afterMs, reply: answered(500) }
      case 'is busy':
        return { takes: false, afterMs, reply: answered(429, String(RETRY_AFTER_MS / 1000)) }
      case 'refuses connections':
        return { takes: false, afterMs, reply: failure('connection_refused') }
      case 'is gone':
        return { takes: false, afterMs, reply: answered(410) }
      case 'says late that it is gone':
        return { takes: false, afterMs: LATE_ANSWER_MS, reply: answered(410) }
      case 'redirects':
        return { takes: false, afterMs, reply: answered(302) }
      case 'takes it and closes the connection':
        return { takes: true, afterMs, reply: failure('connection_closed') }
    }
  }

  #travel(machine: Machine, ms = 1 + this.#world.random() * MOST_LATENCY_MS): Promise<void> {
    return new Promise((resolve) => void this.#world.after(ms, resolve, machine))
  }
}

/** The newest first, as newspapers have it. */
function feedOf(stories: readonly PrintedStory[]): string {
  const items = stories.map(
    ({ url, title, text, at }) =>
      `<item><title>${title}</title><link>${url}</link><guid>${url}</guid><description>${text}</description><pubDate>${new Date(at).toUTCString()}</pubDate></item>`,
  )
  return `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>https://news.example.org/</link><description>News</description>${items.join('')}</channel></rss>`
}

/** The secrets by which a receiver can verify what is sent, as Standard Webhooks says. */
function verifying({ id, sentAt, body, secrets }: SignedMessage & { readonly secrets: readonly string[] }): string[] {
  const headers = signatureHeaders({ id, sentAt, body }, secrets)
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const signatures = headers['webhook-signature'].split(' ')
  return secrets.filter((secret) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    return signatures.includes(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`)
  })
}

function failure(kind: Extract<EndpointReply, { kind: 'failed' }>['failure']): EndpointReply {
  return { kind: 'failed', failure: kind, message: kind }
}

interface Ece {
  decrypt(message: Buffer, keys: { version: 'aes128gcm'; privateKey: ECDH; authSecret: string }): Buffer
}
/** Mozilla's implementation of the content coding; it shares nothing with ours. */
const ece = createRequire(import.meta.url)('http_ece') as Ece

function decrypt(message: Buffer, { keys, auth }: { readonly keys: ECDH; readonly auth: string }): string {
  return ece.decrypt(message, { version: 'aes128gcm', privateKey: keys, authSecret: auth }).toString('utf8')
}
