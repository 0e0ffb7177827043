import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { generateKey } from '../../src/domain/key.ts'
import { until } from '../../test/support/app.ts'
import { Client } from './clients/client.ts'
import { ResponseCounts } from './clients/response-counts.ts'
import { Operators } from './operators.ts'
import { Service } from './service.ts'
import {
  countDeliveries,
  type DeliveryCounts,
  type ExpectedEvents,
  type ReceivedMessage,
} from './webhooks/delivery-counts.ts'
import { type Endpoint, failAtRandom, listen, respondAtOnce, respondSlowly } from './webhooks/endpoints.ts'
import { createWatches, type Watch } from './webhooks/watches.ts'

export interface HarnessOptions {
  readonly databaseUrl: string
  /** The number of processes that share the database. */
  readonly processes: number
  /** The maximum number of failures of the unreliable endpoint per message. */
  readonly maxFailures: number
  /** True if the unreliable endpoint may hang; the service gives up on an attempt after 15 s. */
  readonly mayHang: boolean
  readonly random: () => number
  /** The maximum pause of an operator between two incidents. */
  readonly maxPauseMs?: number
  readonly environment?: Readonly<Record<string, string>>
}

export interface Counts extends DeliveryCounts {
  readonly confirmed: number
  /** Incidents whose confirmation was acknowledged but that are not in the log. */
  readonly missingFromLog: number
}

/** An event in the log, as `/v1/changes` returns it. */
export interface LoggedEvent {
  readonly seq: number
  readonly event: string
  /** The time of the commit. */
  readonly at: string
  readonly incident_id: string
  readonly incident: { readonly state: string; readonly severity: string }
}

const OPERATOR_COUNT = 3
const MAX_PAUSE_MS = 100
/** Two failures of a message take two retry delays (36 s together) and two attempts of 15 s. */
const DELIVERY_TIMEOUT_MS = 180_000

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

/**
 * Runs the service with operators who confirm incidents and endpoints that receive them, while a
 * scenario injects faults.
 */
export class Harness implements AsyncDisposable {
  readonly client: Client
  /** The responses to the operators. */
  readonly responses: ResponseCounts
  readonly operators: Operators
  readonly services: readonly Service[]
  /** The environment variables of the services. */
  readonly environment: Readonly<Record<string, string>>
  readonly #endpoints: readonly Endpoint[]
  readonly #watches: readonly Watch[]
  readonly #random: () => number
  readonly #scope: AsyncDisposableStack
  readonly #stop = new AbortController()
  readonly #confirming: Promise<unknown>

  static async open(options: HarnessOptions): Promise<Harness> {
    const { random } = options
    await using scope = new AsyncDisposableStack()
    const endpoints = {
      fast: scope.use(await listen(respondAtOnce)),
      slow: scope.use(await listen(respondSlowly(random))),
      unreliable: scope.use(await listen(failAtRandom(random, options.maxFailures, options.mayHang))),
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
      () => pick(services, random).url,
      (response) => responses.countResponse(response),
    )
    const watches = await createWatches(client, endpoints)
    const operators = new Operators(client, random, options.maxPauseMs ?? MAX_PAUSE_MS)
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
    this.#confirming = Promise.all(
      Array.from({ length: OPERATOR_COUNT }, () => this.operators.confirmIncidents(this.#stop.signal)),
    )
    // `finish` awaits the same promise and throws its error.
    this.#confirming.catch(() => this.#stop.abort())
  }

  /** False after an operator has failed. */
  get isConfirming(): boolean {
    return !this.#stop.signal.aborted
  }

  /** All messages that the endpoints have received. */
  get received(): ReceivedMessage[] {
    return this.#endpoints.flatMap(({ received }) => received)
  }

  anyService(): Service {
    return pick(this.services, this.#random)
  }

  /** Throws if a service has exited by itself. */
  check(): void {
    for (const service of this.services) service.check()
  }

  /** Waits until another incident is confirmed. */
  async nextConfirmation(): Promise<void> {
    const before = this.operators.confirmed.size
    await until(() => this.operators.confirmed.size > before || !this.isConfirming, 'the next confirmed incident')
  }

  /** Stops the operators, waits until everything is delivered and returns the counts. */
  async finish(): Promise<Counts> {
    await this.nextConfirmation()
    this.#stop.abort()
    await this.#confirming
    const events = await this.readLog()
    const expected = this.#watches.map(({ id, matches }): ExpectedEvents => {
      return { watchId: id, seqs: events.filter(({ incident }) => matches(incident)).map(({ seq }) => seq) }
    })
    await waitForDeliveries(this.client, expected)
    const inLog = new Set(events.map(({ incident_id }) => incident_id))
    return {
      confirmed: events.length,
      missingFromLog: [...this.operators.confirmed].filter((id) => !inLog.has(id)).length,
      ...countDeliveries(expected, this.received),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#scope.disposeAsync()
  }

  /** Reads all confirmations from `/v1/changes`. */
  async readLog(): Promise<LoggedEvent[]> {
    let events = await readConfirmations(this.client)
    // One node may be slightly behind another.
    for (let retries = 0; retries < 20 && events.length < this.operators.confirmed.size; retries++) {
      await wait(250)
      events = await readConfirmations(this.client)
    }
    return events
  }
}

async function readConfirmations(client: Client): Promise<LoggedEvent[]> {
  const events: LoggedEvent[] = []
  for (let after = 0, hasMore = true; hasMore; ) {
    const { body } = await client.requestUntilAnswered('GET', `/v1/changes?after=${after}&limit=200`)
    events.push(...(body.data as LoggedEvent[]).filter(({ event }) => event === 'incident.created'))
    after = body.next_after as number
    hasMore = body.has_more as boolean
  }
  return events
}

/**
 * Waits until every watch has its expected deliveries and none is pending; returns at the timeout
 * as well.
 */
async function waitForDeliveries(client: Client, expected: readonly ExpectedEvents[]): Promise<void> {
  const deadline = performance.now() + DELIVERY_TIMEOUT_MS
  for (const { watchId, seqs } of expected) {
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

function pick<Value>(values: readonly Value[], random: () => number): Value {
  return values[Math.floor(random() * values.length)]!
}
