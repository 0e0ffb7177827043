import { setTimeout as wait } from 'node:timers/promises'
import { openAccount } from '../../../src/accounts/keys.ts'
import { telegramCode } from '../../../src/deliveries/channels/chat.ts'
import type { MessengerKind } from '../../../src/domain/watch.ts'
import { openStore } from '../../../src/store/open.ts'
import type { Check } from '../check.ts'
import { Client } from '../clients/client.ts'
import { readCancelled } from '../counts.ts'
import type { Harness } from '../harness.ts'
import { expectedEventsOf } from '../webhooks/watches.ts'
import { BOT_TOKEN, type ChannelReceivers } from './channel-receivers.ts'

const KINDS = ['slack', 'discord', 'teams', 'telegram', 'webpush', 'email'] as const satisfies readonly MessengerKind[]
const EVENTS = ['incident.created', 'incident.updated', 'incident.retracted']
interface ChannelFilter {
  readonly state: string
  readonly severity: readonly string[]
}

/** Few match: a chat takes a message every three seconds. */
const FILTERS = [
  { state: 'Zamfara', severity: ['high', 'critical'] },
  { state: 'Borno', severity: ['low', 'medium'] },
] as const satisfies readonly ChannelFilter[]
const CONCURRENCY = 10
/**
 * Retries after two failures, and what was paced: sixty messages to a chat take three minutes, on a
 * busy machine more.
 */
const TIMEOUT_MS = 600_000

/**
 * An account whose address is confirmed: mails go nowhere else. Written before a service starts.
 */
export async function openReader(databaseUrl: string): Promise<{ readonly key: string; readonly accountId: string }> {
  await using store = await openStore(databaseUrl)
  const now = Date.now()
  const owner = { email: 'reader@example.org', name: 'Reader', emailVerifiedAt: now }
  const { text, key } = await openAccount(store, owner, {}, now)
  return { key: text, accountId: key.accountId }
}

interface ChannelWatch {
  readonly id: string
  readonly kind: MessengerKind
  readonly place: string
  readonly filter: ChannelFilter
}

interface KindCounts {
  expected: number
  told: number
  cancelled: number
  late: number
  lost: number
  unexpected: number
  repeated: number
}

/** Watches of every channel beside those of the harness. */
export class ChannelWatches {
  readonly #client: Client
  readonly #harness: Harness
  readonly #receivers: ChannelReceivers
  readonly #watches: ChannelWatch[] = []

  static async create(
    harness: Harness,
    receivers: ChannelReceivers,
    reader: Awaited<ReturnType<typeof openReader>>,
    hangingPerKind: number,
  ): Promise<ChannelWatches> {
    const watches = new ChannelWatches(harness, receivers, new Client(reader.key, () => harness.anyService().url))
    const work: (() => Promise<void>)[] = []
    for (const kind of KINDS) {
      // All mails of an account go to one address, so that a second watch could not be told from
      // the first.
      const filters = kind === 'email' ? FILTERS.slice(0, 1) : FILTERS
      for (const [number, filter] of filters.entries())
        work.push(() => watches.#create(kind, number, filter, false, reader.accountId))
      // The mail server is the operator's own, and one for all.
      for (let number = 0; kind !== 'email' && number < hangingPerKind; number++)
        work.push(() => watches.#create(kind, number, FILTERS[0], true, reader.accountId))
    }
    const next = work.values()
    await Promise.all(
      Array.from({ length: CONCURRENCY }, async () => {
        for (const each of next) await each()
      }),
    )
    return watches
  }

  private constructor(harness: Harness, receivers: ChannelReceivers, client: Client) {
    this.#harness = harness
    this.#receivers = receivers
    this.#client = client
  }

  /**
   * Waits until nothing is pending, and compares what was told with the log. Call it after
   * `finish`. `createdSeq` is the end of the log once all watches were made; what came before may
   * be told or not.
   */
  async check(createdSeq: number): Promise<Check[]> {
    const events = await this.#harness.readLog()
    const pending = await this.#waitUntilSent(performance.now() + TIMEOUT_MS)
    const told = Map.groupBy(this.#receivers.told, ({ place, incidentId, event }) => `${place} ${incidentId} ${event}`)
    const checks: Check[] = []
    for (const kind of KINDS) {
      const counts: KindCounts = { expected: 0, told: 0, cancelled: 0, late: 0, lost: 0, unexpected: 0, repeated: 0 }
      for (const watch of this.#watches.filter((each) => each.kind === kind)) {
        let late = pending.get(watch.id)!
        counts.late += late
        const cancelled = await readCancelled(this.#client, watch.id)
        const matches = ({ state, severity }: { state: string; severity: string }) =>
          state === watch.filter.state && watch.filter.severity.includes(severity)
        const definition = { ...watch, name: watch.id, secrets: [], events: EVENTS, matches, endpoint: 'fast' } as const
        const expected = expectedEventsOf({ ...definition, filter: {} }, events, this.#harness.versions, cancelled)
        const bySeq = new Map(events.map((event) => [event.seq, event]))
        const subjectOf = (seq: number) => {
          const { incident_id, event } = bySeq.get(seq)!
          return `${watch.place} ${incident_id} ${event}`
        }
        const known = new Set(expected.seqs.map(subjectOf))
        const wanted = Map.groupBy(
          expected.seqs.filter((seq) => seq > createdSeq),
          subjectOf,
        )
        for (const [subject, seqs] of wanted) {
          const rightlyCancelled = seqs.filter(
            (seq) => expected.cancelledSeqs.has(seq) && expected.retractedSeqs.has(seq),
          ).length
          const times = told.get(subject)?.length ?? 0
          counts.expected += seqs.length
          counts.told += Math.min(times, seqs.length)
          counts.cancelled += rightlyCancelled
          const missing = Math.max(0, seqs.length - rightlyCancelled - times)
          counts.lost += Math.max(0, missing - late)
          late -= Math.min(late, missing)
          counts.repeated += Math.max(0, times - seqs.length)
        }
        const places = [...told].filter(([subject]) => subject.startsWith(`${watch.place} `))
        counts.unexpected += places.filter(([subject]) => !known.has(subject)).length
      }
      checks.push({
        name: `${kind}: nothing is lost`,
        passed: counts.expected > 0 && counts.late === 0 && counts.lost === 0 && counts.unexpected === 0,
        observed: Object.entries(counts)
          .map(([name, count]) => `${count} ${name}`)
          .join(', '),
      })
    }
    return checks
  }

  /**
   * Returns how many deliveries of each watch still wait at the deadline: these are late, not lost.
   */
  async #waitUntilSent(deadline: number): Promise<Map<string, number>> {
    const pending = new Map<string, number>()
    for (const { id } of this.#watches)
      for (;;) {
        const path = `/v1/watches/${id}/deliveries?status=pending`
        const { body } = await this.#client.requestUntilAnswered('GET', path)
        pending.set(id, (body.data as object[]).length)
        if (pending.get(id) === 0 || performance.now() > deadline) break
        await wait(200)
      }
    return pending
  }

  async #create(
    kind: MessengerKind,
    number: number,
    filter: ChannelWatch['filter'],
    hangs: boolean,
    accountId: string,
  ): Promise<void> {
    const { place, channel } = this.#receivers.channelFor(kind, number, hangs)
    const code = kind === 'telegram' ? { code: telegramCode(BOT_TOKEN, accountId, String(channel.chat_id)) } : {}
    const watch = { name: place, filter, channel: { ...channel, ...code } }
    const { status, body } = await this.#client.requestUntilAnswered('POST', '/v1/watches', watch)
    if (status !== 201) throw new Error(`creating a watch of ${kind} got status ${status}: ${JSON.stringify(body)}`)
    if (!hangs) this.#watches.push({ id: body.id as string, kind, place, filter })
  }
}
