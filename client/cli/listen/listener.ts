import type { IncidentFeed, ListenEvent, ListenSource } from '../../src/index.ts'
import type { World } from '../command.ts'
import { connectionNotes } from '../output/connection-notes.ts'
import { isForPeople, printJson, say } from '../output/print.ts'
import type { Connection } from '../settings.ts'
import { openPage } from '../terminal/open-page.ts'
import type { SignedMessage } from './forward.ts'
import { Forwarder } from './forwarder.ts'
import { incidentIdOf, reportAttempt, reportUnsent } from './report.ts'
import type { Targets } from './targets.ts'

/** Reads messages from the service and forwards them, until it is interrupted. */
export class Listener {
  readonly #world: World
  readonly #connection: Connection
  readonly #source: ListenSource
  readonly #targets: Targets
  readonly #own: Readonly<Record<string, string>>
  readonly #forwarder: Forwarder
  readonly #signal: AbortSignal
  #newest: SignedMessage | null = null
  #isIntroduced = false

  /** `own` are headers to send besides those of the message. */
  constructor(
    world: World,
    connection: Connection,
    source: ListenSource,
    targets: Targets,
    own: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ) {
    this.#world = world
    this.#connection = connection
    this.#source = source
    this.#targets = targets
    this.#own = own
    this.#signal = signal
    this.#forwarder = new Forwarder(signal, (attempt) => void reportAttempt(world, attempt))
  }

  get #feed(): IncidentFeed {
    return this.#connection.feed
  }

  async run(): Promise<void> {
    const options = { signal: this.#signal, onState: connectionNotes(this.#world) }
    for await (const event of this.#feed.listen(this.#source, options)) {
      if (event.event === 'listening') await this.#introduce(event)
      else if (event.event === 'reset') await say(this.#world, `Messages were missed: ${event.detail}`)
      else {
        this.#newest = event
        await this.#forward(event)
      }
    }
  }

  /** A watch's message is asked for anew, with a fresh signature; it comes back over the stream. */
  async resendNewest(): Promise<void> {
    const message = this.#newest
    if (message === null) return say(this.#world, 'No message has come yet.')
    if (!('watch' in this.#source) || message.test) return this.#forward({ ...message, resent: true })
    await this.#feed.deliveries.redeliver(message.id, { signal: this.#signal })
  }

  async openNewest(): Promise<void> {
    const id = this.#newest && incidentIdOf(this.#newest)
    if (id === null) return say(this.#world, 'No message has come yet.')
    const url = `${this.#connection.url}/incidents/${id}`
    if (!(await openPage(this.#world, url))) await say(this.#world, `No browser can be started; the page is ${url}`)
  }

  #forward(message: SignedMessage): Promise<void> {
    const url = this.#targets.targetFor(message.kind)
    if (url === null) return reportUnsent(this.#world, message)
    return this.#forwarder.add({ ...message, headers: { ...this.#own, ...message.headers } }, url)
  }

  async #introduce({ watch, events, secret }: Extract<ListenEvent, { event: 'listening' }>): Promise<void> {
    if (this.#isIntroduced) return
    this.#isIntroduced = true
    const to = this.#targets.all
    if (!isForPeople(this.#world)) return printJson(this.#world, { event: 'listening', watch, events, secret, to })
    const what = watch === null ? 'your filters' : `the watch "${watch.name}"`
    await say(
      this.#world,
      `Listening to ${what} (${events.join(', ')})${to.length > 0 ? `, forwarding to ${to.join(', ')}` : ''}.`,
    )
    if (secret !== null) await say(this.#world, `Messages are signed with ${secret}`)
    if (this.#world.stdin.isTTY) await say(this.#world, 'r resend · o open · q quit')
  }
}
