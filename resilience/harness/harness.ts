import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { generateKey } from '../../src/domain/key.ts'
import { until } from '../../test/support/app.ts'
import { Client } from './clients/client.ts'
import { ResponseCounts } from './clients/response-counts.ts'
import { Operators } from './operators.ts'
import { Service } from './service.ts'
import { type Arrival, countDeliveries, type DeliveryCounts, type Due } from './webhooks/delivery-counts.ts'
import { type Endpoint, listen, respondAtOnce, slow, unreliable } from './webhooks/endpoints.ts'
import { createWatches, type Watch } from './webhooks/watches.ts'

export interface HarnessOptions {
  readonly databaseUrl: string
  /** How many processes share the database. */
  readonly processes: number
  /** How often the unreliable endpoint may fail a message. */
  readonly maxFailures: number
  /** Whether it may leave one unanswered, for which an attempt is given 15 s. */
  readonly mayHang: boolean
  readonly random: () => number
  /** What an operator takes between two incidents, at most, in milliseconds. */
  readonly maxPauseMs?: number
  readonly environment?: Readonly<Record<string, string>>
}

export interface Counts extends DeliveryCounts {
  readonly confirmed: number
  /** Incidents that the service said were confirmed, and that are not in the log. */
  readonly missingFromLog: number
}

export interface Change {
  readonly seq: number
  readonly event: string
  /** When it was committed. */
  readonly at: string
  readonly incident_id: string
  readonly incident: { readonly state: string; readonly severity: string }
}

const OPERATORS = 3
const LONGEST_PAUSE = 100
/** Once nothing is broken any more; with two failures a message is late by 36 s and two attempts of 15 s. */
const EMPTY_WITHIN = 180_000

interface Parts {
  readonly client: Client
  readonly responses: ResponseCounts
  readonly operators: Operators
  readonly environment: Readonly<Record<string, string>>
  readonly services: readonly Service[]
  readonly endpoints: readonly Endpoint[]
  readonly watches: readonly Watch[]
  readonly random: () => number
  readonly scope: AsyncDisposableStack
}

/** The service, those who confirm incidents there and those who wait for them: all at work, whatever is broken. */
export class Harness implements AsyncDisposable {
  readonly client: Client
  /** To the operators. */
  readonly responses: ResponseCounts
  readonly operators: Operators
  readonly services: readonly Service[]
  /** What the services were started with. */
  readonly environment: Readonly<Record<string, string>>
  readonly #endpoints: readonly Endpoint[]
  readonly #watches: readonly Watch[]
  readonly #random: () => number
  readonly #scope: AsyncDisposableStack
  readonly #stop = new AbortController()
  readonly #working: Promise<unknown>

  static async open(options: HarnessOptions): Promise<Harness> {
    const { random } = options
    await using scope = new AsyncDisposableStack()
    const endpoints = {
      respondAtOnce: scope.use(await listen(respondAtOnce)),
      slow: scope.use(await listen(slow(random))),
      unreliable: scope.use(await listen(unreliable(random, options.maxFailures, options.mayHang))),
    }
    const key = generateKey('live', randomBytes)
    const environment = {
      DATABASE_URL: options.databaseUrl,
      OPERATOR_KEY: key,
      RATE_LIMIT: '100000000',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...options.environment,
    }
    const services = Array.from({ length: options.processes }, () => scope.use(new Service(environment)))
    const responses = new ResponseCounts()
    const client = new Client(
      key,
      () => oneOf(services, random).url,
      (response) => responses.note(response),
    )
    const watches = await createWatches(client, endpoints)
    const operators = new Operators(client, random, options.maxPauseMs ?? LONGEST_PAUSE)
    const parts = { client, responses, operators, environment, services, watches, random }
    return new Harness({ ...parts, endpoints: Object.values(endpoints), scope: scope.move() })
  }

  private constructor(parts: Parts) {
    this.client = parts.client
    this.responses = parts.responses
    this.operators = parts.operators
    this.environment = parts.environment
    this.services = parts.services
    this.#endpoints = parts.endpoints
    this.#watches = parts.watches
    this.#random = parts.random
    this.#scope = parts.scope
    this.#working = Promise.all(Array.from({ length: OPERATORS }, () => this.operators.work(this.#stop.signal)))
    // Whatever goes wrong at the desk is told by `counts`.
    this.#working.catch(() => this.#stop.abort())
  }

  /** False once something has gone wrong at the desk. */
  get isWorking(): boolean {
    return !this.#stop.signal.aborted
  }

  /** Everything that has come to an endpoint. */
  get arrivals(): Arrival[] {
    return this.#endpoints.flatMap(({ arrivals }) => arrivals)
  }

  anyService(): Service {
    return oneOf(this.services, this.#random)
  }

  /** Throws where a service has ended by itself. */
  check(): void {
    for (const service of this.services) service.check()
  }

  /** Another incident has been confirmed. */
  async nextConfirmation(): Promise<void> {
    const before = this.operators.confirmed.size
    await until(() => this.operators.confirmed.size > before || !this.isWorking, 'the next confirmed incident')
  }

  /** Lets the operators go, waits until everything has been delivered, and counts. */
  async counts(): Promise<Counts> {
    await this.nextConfirmation()
    this.#stop.abort()
    await this.#working
    const changes = await this.changes()
    const dues = this.#watches.map(({ id, matches }): Due => {
      return { watchId: id, seqs: changes.filter(({ incident }) => matches(incident)).map(({ seq }) => seq) }
    })
    await untilEmpty(this.client, dues)
    const inLog = new Set(changes.map(({ incident_id }) => incident_id))
    return {
      confirmed: changes.length,
      missingFromLog: [...this.operators.confirmed].filter((id) => !inLog.has(id)).length,
      ...countDeliveries(dues, this.arrivals),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#scope.disposeAsync()
  }

  /** The log, as everybody can read it. */
  async changes(): Promise<Change[]> {
    let changes = await changesOf(this.client)
    // A node may be a moment behind another.
    for (let looks = 0; looks < 20 && changes.length < this.operators.confirmed.size; looks++) {
      await wait(250)
      changes = await changesOf(this.client)
    }
    return changes
  }
}

/** What was confirmed, from the log as everybody can read it. */
async function changesOf(client: Client): Promise<Change[]> {
  const changes: Change[] = []
  for (let after = 0, hasMore = true; hasMore; ) {
    const { body } = await client.requestUntilAnswered('GET', `/v1/changes?after=${after}&limit=200`)
    changes.push(...(body.data as Change[]).filter(({ event }) => event === 'incident.created'))
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
      const watch = (await client.requestUntilAnswered('GET', `/v1/watches/${watchId}`)).body
      const pending = (await client.requestUntilAnswered('GET', `/v1/watches/${watchId}/deliveries?status=pending`))
        .body
      if ((watch.sequence as number) >= seqs.length && (pending.data as object[]).length === 0) break
      if (performance.now() > deadline) return
      await wait(200)
    }
  }
}

function oneOf<Value>(values: readonly Value[], random: () => number): Value {
  return values[Math.floor(random() * values.length)]!
}
