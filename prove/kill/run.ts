import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { newKeyText } from '../../src/domain/key.ts'
import { until } from '../../test/support/app.ts'
import { Client } from './client.ts'
import { Desk } from './desk.ts'
import { type Endpoint, leisurely, listen, prompt, unreliable } from './endpoints.ts'
import { type Due, type Outcome, outcomeOf } from './outcome.ts'
import { Service } from './service.ts'

export interface KillOptions {
  readonly databaseUrl: string
  /** How many share the database; each round kills one of them. */
  readonly processes: number
  readonly rounds: number
  /** A round ends at a random moment within so many milliseconds, most often after it has confirmed something. */
  readonly longestRound: number
  /** How often the unreliable endpoint may fail a message. */
  readonly mostFailures: number
  /** Whether it may leave one unanswered, for which an attempt is given 15 s. */
  readonly mayHang: boolean
  readonly random: () => number
}

export interface Killed extends Outcome {
  readonly rounds: number
  readonly confirmed: number
  /** Incidents that the service said were confirmed, and that are not in the log. */
  readonly forgotten: number
}

interface Change {
  readonly seq: number
  readonly incident_id: string
  readonly incident: { readonly state: string; readonly severity: string }
}

interface WatchPlan {
  readonly name: string
  readonly endpoint: 'prompt' | 'leisurely' | 'unreliable'
  readonly filter: Record<string, unknown>
  /** What the filter means, said once more. */
  readonly matches: (incident: Change['incident']) => boolean
}

const WATCHES: readonly WatchPlan[] = [
  { name: 'Everything', endpoint: 'prompt', filter: {}, matches: () => true },
  { name: 'Everything, at leisure', endpoint: 'leisurely', filter: {}, matches: () => true },
  { name: 'Everything, if it works', endpoint: 'unreliable', filter: {}, matches: () => true },
  { name: 'Zamfara', endpoint: 'leisurely', filter: { state: 'Zamfara' }, matches: ({ state }) => state === 'Zamfara' },
  {
    name: 'High and critical',
    endpoint: 'prompt',
    filter: { min_severity: 'high' },
    matches: ({ severity }) => severity === 'high' || severity === 'critical',
  },
  {
    name: 'The worst in Kaduna',
    endpoint: 'unreliable',
    filter: { state: ['Kaduna'], severity: ['critical'] },
    matches: ({ state, severity }) => state === 'Kaduna' && severity === 'critical',
  },
]
const OPERATORS = 3
/** The share of rounds that may end while the service starts. */
const KILLED_STARTING = 0.25
/** After the last kill; with two failures a message is late by 36 s and two attempts of 15 s. */
const EMPTY_WITHIN = 180_000

/** Kills the service again and again while incidents are confirmed and delivered; then waits, and counts. */
export async function killAtRandom(options: KillOptions): Promise<Killed> {
  const { random, processes, rounds } = options
  await using scope = new AsyncDisposableStack()
  const endpoints = {
    prompt: scope.use(await listen(prompt)),
    leisurely: scope.use(await listen(leisurely(random))),
    unreliable: scope.use(await listen(unreliable(random, options.mostFailures, options.mayHang))),
  }
  const key = newKeyText('live', randomBytes)
  const environment = {
    DATABASE_URL: options.databaseUrl,
    OPERATOR_KEY: key,
    RATE_LIMIT: '100000000',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  }
  const services = Array.from({ length: processes }, () => scope.use(new Service(environment)))
  const client = new Client(key, () => oneOf(services, random).url)
  const watches = await createWatches(client, endpoints)

  const desk = new Desk(client, random)
  const stop = new AbortController()
  const working = Promise.all(Array.from({ length: OPERATORS }, () => desk.work(stop.signal)))
  // Whatever goes wrong at the desk is told once the rounds are over.
  working.catch(() => stop.abort())
  for (let round = 0; round < rounds && !stop.signal.aborted; round++) {
    for (const service of services) service.check()
    const victim = oneOf(services, random)
    if (random() >= KILLED_STARTING) await oneMore(desk, stop.signal)
    await wait(random() * options.longestRound)
    await victim.killAndRestart()
  }
  await oneMore(desk, stop.signal)
  stop.abort()
  await working

  let changes = await changesOf(client)
  // A node may be a moment behind another.
  for (let looks = 0; looks < 20 && changes.length < desk.confirmed.size; looks++) {
    await wait(250)
    changes = await changesOf(client)
  }
  const dues = watches.map(({ id, matches }): Due => {
    return { watchId: id, seqs: changes.filter(({ incident }) => matches(incident)).map(({ seq }) => seq) }
  })
  await untilEmpty(client, dues)
  const inLog = new Set(changes.map(({ incident_id }) => incident_id))
  return {
    rounds,
    confirmed: changes.length,
    forgotten: [...desk.confirmed].filter((id) => !inLog.has(id)).length,
    ...outcomeOf(
      dues,
      Object.values(endpoints).flatMap(({ arrivals }) => arrivals),
    ),
  }
}

async function createWatches(client: Client, endpoints: Record<WatchPlan['endpoint'], Endpoint>) {
  const created: (WatchPlan & { id: string })[] = []
  for (const plan of WATCHES) {
    const { name, filter } = plan
    const { status, body } = await client.insist('POST', '/v1/watches', {
      name,
      filter,
      url: endpoints[plan.endpoint].url,
    })
    if (status !== 201) throw new Error(`a watch was answered ${status}: ${JSON.stringify(body)}`)
    created.push({ ...plan, id: body.id as string })
  }
  return created
}

/** So that a round does not end before the service has come to anything. */
async function oneMore(desk: Desk, stop: AbortSignal): Promise<void> {
  const before = desk.confirmed.size
  await until(() => desk.confirmed.size > before || stop.aborted, 'the next confirmed incident')
}

/** The log, as everybody can read it. */
async function changesOf(client: Client): Promise<Change[]> {
  const changes: Change[] = []
  for (let after = 0, hasMore = true; hasMore; ) {
    const { body } = await client.insist('GET', `/v1/changes?after=${after}&limit=200`)
    changes.push(...(body.data as Change[]))
    after = body.next_after as number
    hasMore = body.has_more as boolean
  }
  return changes
}

/** Every watch has been made as many deliveries as it is owed, and none is pending; or the time is up, and something is lost. */
async function untilEmpty(client: Client, dues: readonly Due[]): Promise<void> {
  const deadline = performance.now() + EMPTY_WITHIN
  for (const { watchId, seqs } of dues) {
    for (;;) {
      const watch = (await client.insist('GET', `/v1/watches/${watchId}`)).body
      const pending = (await client.insist('GET', `/v1/watches/${watchId}/deliveries?status=pending`)).body
      if ((watch.sequence as number) >= seqs.length && (pending.data as object[]).length === 0) break
      if (performance.now() > deadline) return
      await wait(200)
    }
  }
}

function oneOf<Value>(values: readonly Value[], random: () => number): Value {
  return values[Math.floor(random() * values.length)]!
}
