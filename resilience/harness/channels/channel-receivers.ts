import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MessengerKind } from '../../../src/domain/watch.ts'
import { aBrowser } from '../../../test/deliveries/fixtures.ts'
import { type MailServer, startMailServer } from '../../../test/support/mail.ts'
import { type Receiver, receive } from '../../../test/support/receivers.ts'
import { failAtRandom } from '../webhooks/endpoints.ts'

/** An event that an accepted message told, and its receiver. */
export interface ToldEvent {
  /** Such as `slack/3`. */
  readonly place: string
  readonly incidentId: string
  readonly event: string
}

export const BOT_TOKEN = '123456789:AAF-token-of-the-bot-of-a-harness'
/** Places with this word never answer. */
const HANGING = 'hanging'
/** Every so many mails one is refused for now: a message is not refused twice in a row. */
const REFUSED_MAIL = 7
/** Of the refusals, those that ask to wait. */
const ASKS_TO_WAIT = 0.3

/** Takes the part of every channel, as unreliable as they are. */
export class ChannelReceivers implements AsyncDisposable {
  readonly #receiver: Receiver
  readonly #mailServer: MailServer
  readonly #told: readonly ToldEvent[]
  readonly #hanging: ReadonlySet<string>
  readonly #browsers: Map<string, ReturnType<typeof aBrowser>>

  static async open(random: () => number, maxFailures: number): Promise<ChannelReceivers> {
    const told: ToldEvent[] = []
    const hanging = new Set<string>()
    const browsers = new Map<string, ReturnType<typeof aBrowser>>()
    const answer = failAtRandom(random, maxFailures, false)
    const takeMessage = async (request: IncomingMessage, response: ServerResponse) => {
      const bytes = Buffer.concat(await request.toArray())
      const place = placeOf(request.url!, bytes)
      if (place.includes(HANGING)) {
        hanging.add(place)
        return
      }
      const read = readMessage(place, browsers.get(place)?.decrypt(bytes) ?? bytes.toString())
      if (await answerOr429(response, `${place} ${read.incidentId} ${read.event}`)) told.push(read)
    }
    const waits = new Set<string>()
    const answerOr429 = async (response: ServerResponse, id: string): Promise<boolean> => {
      if (maxFailures === 0 || waits.has(id) || random() >= ASKS_TO_WAIT * 0.4) return answer(response, id)
      waits.add(id)
      response.writeHead(429, { 'retry-after': '1' }).end('{"retry_after": 1}')
      return false
    }
    let recipients = 0
    const refuse = () => (maxFailures > 0 && ++recipients % REFUSED_MAIL === 0 ? '451 4.3.0 later' : null)
    await using scope = new AsyncDisposableStack()
    const receiver = scope.use(await receive(takeMessage))
    const mailServer = scope.use(await startMailServer({ refuse }))
    scope.move()
    return new ChannelReceivers(receiver, mailServer, told, hanging, browsers)
  }

  private constructor(
    receiver: Receiver,
    mailServer: MailServer,
    told: readonly ToldEvent[],
    hanging: ReadonlySet<string>,
    browsers: Map<string, ReturnType<typeof aBrowser>>,
  ) {
    this.#receiver = receiver
    this.#mailServer = mailServer
    this.#told = told
    this.#hanging = hanging
    this.#browsers = browsers
  }

  /** The settings with which a service finds these receivers. */
  get environment(): Readonly<Record<string, string>> {
    return {
      CHANNEL_HOSTS: '127.0.0.1',
      TELEGRAM_BOT_TOKEN: BOT_TOKEN,
      TELEGRAM_API_URL: this.#url,
      SMTP_URL: this.#mailServer.url,
    }
  }

  /** Everything that was accepted so far. */
  get told(): readonly ToldEvent[] {
    return [...this.#told, ...this.#mailServer.mails.map((mail) => readMessage('email', mail))]
  }

  /** Places that were written to and have not answered. */
  get hanging(): number {
    return this.#hanging.size
  }

  /** The `channel` of a watch for a place; that of a hanging one if `hangs`. */
  channelFor(kind: MessengerKind, number: number, hangs: boolean): { place: string; channel: Record<string, unknown> } {
    const place = kind === 'email' ? 'email' : `${kind}/${hangs ? HANGING : 'place'}-${number}`
    const channel = { kind }
    if (kind === 'email') return { place, channel }
    if (kind === 'telegram') {
      const chatId = `@${hangs ? HANGING : 'place'}_${number}`
      return { place: `telegram/${chatId}`, channel: { ...channel, chat_id: chatId } }
    }
    if (kind === 'webpush') {
      const browser = aBrowser(`${this.#url}/${place}`)
      this.#browsers.set(place, browser)
      return { place, channel: { ...channel, subscription: browser.json } }
    }
    return { place, channel: { ...channel, url: `${this.#url}/${place}` } }
  }

  get #url(): string {
    return `http://127.0.0.1:${this.#receiver.port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#receiver[Symbol.asyncDispose]()
    await this.#mailServer[Symbol.asyncDispose]()
  }
}

/** Telegram has one address for all chats. */
function placeOf(path: string, body: Buffer): string {
  if (!path.endsWith('/sendMessage')) return path.slice(1)
  return `telegram/${(JSON.parse(body.toString()) as { chat_id: string }).chat_id}`
}

const EVENTS: Readonly<Record<string, string>> = { Corrected: 'incident.updated', Withdrawn: 'incident.retracted' }

/** Throws if the message tells of no incident: then nobody could tell what was lost. */
function readMessage(place: string, text: string): ToldEvent {
  const incidentId = /inc_[0-9a-z]{26}/.exec(text)?.[0]
  if (incidentId === undefined) throw new Error(`a message to ${place} names no incident: ${text.slice(0, 500)}`)
  const word = /(Corrected|Withdrawn): /.exec(text)?.[1]
  return { place, incidentId, event: EVENTS[word ?? ''] ?? 'incident.created' }
}
