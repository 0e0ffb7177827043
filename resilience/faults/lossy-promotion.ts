import { setTimeout as wait } from 'node:timers/promises'
import { openAccount } from '../../src/accounts/keys.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { WATCH_EVENTS } from '../../src/domain/watch.ts'
import { openStore } from '../../src/store/open.ts'
import type { LogEvent, Store } from '../../src/store/store.ts'
import { TEST_SECRETS_KEY } from '../../test/support/databases/stores.ts'
import { anIncident } from '../../test/support/incident.ts'
import { type Message, startEndpoint } from '../../test/support/receivers.ts'
import type { Check } from '../harness/check.ts'
import { PostgresServer } from '../harness/postgres/server.ts'
import { cutOff, promote, standbyOf } from '../harness/postgres/standby.ts'
import { Service } from '../harness/service.ts'
import { waitFor } from '../harness/wait-for.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'
import { addManyWatches } from './rolling/many-watches.ts'

export interface LossyPromotionOptions {
  readonly rounds: number
  readonly watches: number
  /** From the promotion until every node equals the database. */
  readonly maxRecoveryMs: number
}

const FULL = { watches: 5_000, maxRecoveryMs: 10_000 }
const NODES = 3
/** For the messages that tell of a loss. */
const MAX_MESSAGES_MS = 60_000
const MOST_QUIET_MS = 1_000
const MOST_LOSING_MS = 600
const WRITE_PAUSE_MS = 15
const PAGE = 1_000
const STANDBY = { synchronous: false }

interface Change {
  readonly seq: number
  readonly position: string
  readonly incident_id: string
  readonly incident: Incident | null
}

interface Round {
  /** Events that nodes served and the promoted standby did not have. */
  lost: number
  recoveryMs: number
  readonly problems: string[]
}

/**
 * Kills the primary and promotes a standby that was cut off moments before, so that it lacks events
 * that nodes have served, clients have read and watches were told of.
 */
export async function promoteWithLoss(options: LossyPromotionOptions): Promise<ScenarioResult> {
  await using scope = new AsyncDisposableStack()
  let primary = scope.use(await PostgresServer.create())
  let standby = scope.use(await standbyOf(primary, STANDBY))
  const databaseUrl = primary.url.replace(/(:\d+)\//, `$1,127.0.0.1:${standby.port}/`)
  const endpoint = scope.use(await startEndpoint())
  const store = scope.use(await openStore(databaseUrl))
  await addManyWatches(primary.url, options.watches)
  const scopes = ['read', 'watch'] as const
  const { text: key } = await openAccount(store, { email: null, name: null }, { scopes: [...scopes] }, Date.now())
  const environment = {
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: TEST_SECRETS_KEY,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    RATE_LIMIT: '1000000',
  }
  const services = Array.from({ length: NODES }, () => scope.use(new Service(environment)))
  const nodes = services.map((service) => new Node(service, key))
  await waitFor(async () => (await Promise.all(nodes.map((node) => node.isReady()))).every(Boolean), 'ready nodes')
  await nodes[0]!.addWatch(endpoint.url)
  const writer = new Writer(store)
  scope.defer(() => writer.stop())
  const all: Round[] = []
  for (let number = 0; number < options.rounds; number++) {
    await wait(Math.random() * MOST_QUIET_MS)
    await cutOff(standby)
    const end = Number((await standby.query('SELECT seq FROM log_head'))[0]!.seq)
    await wait(Math.random() * MOST_LOSING_MS)
    const seen = await changesBeyond(end, nodes)
    await primary.kill()
    await promote(standby)
    const round: Round = { lost: 0, recoveryMs: 0, problems: [] }
    all.push(round)
    const promotedAt = performance.now()
    await writer.stop()
    await recover(round, nodes, store, promotedAt)
    await checkPositions(round, nodes, store, seen)
    await checkMessages(round, store, endpoint.messages)
    for (const service of services) service.check()
    const { port } = primary
    await primary[Symbol.asyncDispose]()
    primary = standby
    standby = scope.use(await standbyOf(primary, { ...STANDBY, port }))
    writer.start()
  }
  return resultOf(all, options)
}

async function changesBeyond(end: number, nodes: readonly Node[]): Promise<readonly (readonly Change[])[]> {
  let seen: readonly (readonly Change[])[] = []
  await waitFor(async () => {
    seen = await Promise.all(nodes.map((node) => node.changes()))
    return seen.some((changes) => changes.length > end)
  }, 'an event that will be lost')
  return seen
}

/** Waits until every node has what the database has, and nothing else. */
async function recover(round: Round, nodes: readonly Node[], store: Store, since: number): Promise<void> {
  await waitFor(async () => {
    const log = await wholeLog(store)
    const copies = await Promise.all(nodes.map((node) => node.copy().catch(() => null)))
    return copies.every((copy) => copy !== null && isSame(copy, log)) && (await isStill(store, log))
  }, 'nodes that equal the database')
  round.recoveryMs = performance.now() - since
}

async function isStill(store: Store, log: readonly LogEvent[]): Promise<boolean> {
  return (await store.events.head()).seq === (log.at(-1)?.seq ?? 0)
}

function isSame({ changes, ids }: Copy, log: readonly LogEvent[]): boolean {
  const last = new Map(log.map((event) => [event.incidentId, event]))
  const isPublic = [...last.values()].filter(({ kind }) => kind !== 'incident.retracted')
  return (
    changes.length === log.length &&
    changes.every(({ seq, position }, index) => seq === log[index]!.seq && isAt(position, log[index]!)) &&
    ids.size === isPublic.length &&
    isPublic.every(({ incidentId, document }) => ids.get(incidentId) === (JSON.parse(document) as Incident).version)
  )
}

function isAt(position: string, { seq, link = '' }: LogEvent): boolean {
  return position.startsWith(`${seq}.${link.slice(0, 11)}`)
}

/** Every position given before is continued rightly, or refused with the last common one. */
async function checkPositions(
  round: Round,
  nodes: readonly Node[],
  store: Store,
  seen: readonly (readonly Change[])[],
): Promise<void> {
  const log = new Map((await wholeLog(store)).map((event) => [event.seq, event]))
  for (const [index, changes] of seen.entries()) {
    const firstLost = changes.findIndex(({ seq, position }) => !log.has(seq) || !isAt(position, log.get(seq)!))
    const lost = firstLost === -1 ? [] : changes.slice(firstLost)
    round.lost = Math.max(round.lost, lost.length)
    const common = changes[firstLost - 1]?.position ?? '0'
    for (const { position } of lost) {
      const answer = await nodes[(index + 1) % nodes.length]!.after(position)
      if (answer.status !== 410 || answer.body.resume_after !== common)
        round.problems.push(
          `${position} is answered ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}, not after ${common}`,
        )
    }
    for (const { position } of changes.slice(
      Math.max(0, changes.length - lost.length - 20),
      changes.length - lost.length,
    )) {
      const answer = await nodes[index]!.after(position)
      if (answer.status !== 200) round.problems.push(`${position} is answered ${answer.status}, though it is not lost`)
    }
  }
}

/** Receivers were told last of each incident what holds. */
async function checkMessages(round: Round, store: Store, messages: readonly Message[]): Promise<void> {
  const wrong = async () => {
    const told = new Map<string, { version: number; isPublic: boolean }>()
    for (const { json } of messages) {
      const { id, version } = json.incident
      if ((told.get(id)?.version ?? 0) <= version)
        told.set(id, { version, isPublic: json.event !== 'incident.retracted' })
    }
    const current = new Map((await store.incidents.current([...told.keys()])).map((each) => [each.id, each]))
    return [...told].filter(([id, { version, isPublic }]) => {
      const known = current.get(id)
      const isConfirmed = known?.status === 'confirmed'
      return isConfirmed !== isPublic || (isPublic && (JSON.parse(known!.document) as Incident).version !== version)
    })
  }
  const deadline = performance.now() + MAX_MESSAGES_MS
  let left = await wrong()
  for (; left.length > 0 && performance.now() < deadline; left = await wrong()) await wait(100)
  for (const [id, told] of left) round.problems.push(`${id} was told as ${JSON.stringify(told)}, which does not hold`)
}

async function wholeLog(store: Store): Promise<LogEvent[]> {
  const log: LogEvent[] = []
  for (;;) {
    const page = await store.events.after(log.at(-1)?.seq ?? 0, PAGE)
    log.push(...page)
    if (page.length < PAGE) return log
  }
}

/** Writes past the nodes, through the store, as fast as a busy desk. */
class Writer {
  readonly #store: Store
  #number = 0
  #stop = new AbortController()
  #writing: Promise<void>

  constructor(store: Store) {
    this.#store = store
    this.#writing = this.#write(this.#stop.signal)
  }

  start(): void {
    this.#stop = new AbortController()
    this.#writing = this.#write(this.#stop.signal)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#writing
  }

  async #write(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // Without an answer it may have been written or not; the next is another one.
      await this.#writeOne().catch(() => wait(100))
      await wait(WRITE_PAUSE_MS)
    }
  }

  async #writeOne(): Promise<void> {
    const incident = anIncident(++this.#number)
    await this.#save('incident.created', incident)
    const kind = this.#number % 5
    if (kind === 1) await this.#save('incident.updated', { ...incident, version: 2, summary: 'Corrected.' })
    if (kind === 2) await this.#save('incident.retracted', { ...incident, version: 2, status: 'retracted' })
  }

  async #save(
    event: 'incident.created' | 'incident.updated' | 'incident.retracted',
    incident: Incident,
  ): Promise<void> {
    const replaces = { version: incident.version - 1 }
    await this.#store.incidents.save([{ incident, event, replaces }], Date.now())
  }
}

interface Copy {
  readonly changes: readonly Change[]
  /** The versions of public incidents. */
  readonly ids: ReadonlyMap<string, number>
}

class Node {
  readonly #service: Service
  readonly #key: string

  constructor(service: Service, key: string) {
    this.#service = service
    this.#key = key
  }

  async isReady(): Promise<boolean> {
    const { url } = this.#service
    return url !== null && (await fetch(`${url}/readyz`)).status === 200
  }

  async addWatch(url: string): Promise<void> {
    const watch = JSON.stringify({ name: 'All', filter: {}, url, events: WATCH_EVENTS })
    const response = await this.#fetch('/v1/watches', { method: 'POST', body: watch })
    if (response.status !== 201) throw new Error(`the watch was answered ${response.status}: ${await response.text()}`)
  }

  async after(position: string): Promise<{ status: number; body: Record<string, unknown> }> {
    const response = await this.#fetch(`/v1/changes?after=${position}`)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  async changes(): Promise<Change[]> {
    const changes: Change[] = []
    for (let after = '0', more = true; more; ) {
      const page = await this.#read<{ data: Change[]; next_after: string; has_more: boolean }>(
        `/v1/changes?after=${after}&limit=${PAGE}`,
      )
      changes.push(...page.data)
      after = page.next_after
      more = page.has_more
    }
    return changes
  }

  async copy(): Promise<Copy> {
    const ids = new Map<string, number>()
    for (let cursor = '', more = true; more; ) {
      const page = await this.#read<{ data: Incident[]; next_cursor: string; has_more: boolean }>(
        `/v1/incidents?limit=${PAGE}${cursor}`,
      )
      for (const { id, version } of page.data) ids.set(id, version)
      cursor = `&cursor=${page.next_cursor}`
      more = page.has_more
    }
    return { changes: await this.changes(), ids }
  }

  async #read<Answer>(path: string): Promise<Answer> {
    const response = await this.#fetch(path)
    if (response.status !== 200) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as Answer
  }

  #fetch(path: string, options: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#key}`, 'content-type': 'application/json' }
    return fetch(this.#service.url + path, { ...options, headers })
  }
}

function resultOf(rounds: readonly Round[], { watches, maxRecoveryMs }: LossyPromotionOptions): ScenarioResult {
  const problems = rounds.flatMap((round) => round.problems)
  const slowest = Math.max(...rounds.map(({ recoveryMs }) => recoveryMs))
  const lost = rounds.reduce((sum, round) => sum + round.lost, 0)
  const lossy = rounds.filter((round) => round.lost > 0).length
  const checks: Check[] = [
    {
      name: 'events that nodes had served were lost',
      passed: lossy === rounds.length,
      observed: `${lost} in ${lossy} of ${rounds.length} promotions`,
    },
    {
      name: `every node equals the database within ${maxRecoveryMs / 1000} s of the promotion`,
      passed: slowest <= maxRecoveryMs,
      observed: `${(slowest / 1000).toFixed(1)} s at most`,
    },
    {
      name: 'every position is continued or refused rightly, and what a receiver was told last holds',
      passed: problems.length === 0,
      observed: problems.length === 0 ? 'no exception' : problems.slice(0, 5).join('; '),
    },
  ]
  return {
    setup: `PostgreSQL with an asynchronous standby, ${NODES} processes, ${watches} watches`,
    times: rounds.length,
    counts: null,
    checks,
  }
}

export const lossyPromotion: Scenario = {
  description: 'promotion of a standby that lacks the latest events',
  rounds: 50,
  quick: async () => [await promoteWithLoss({ ...FULL, rounds: 2 })],
  run: async (rounds) => [await promoteWithLoss({ ...FULL, rounds })],
}
