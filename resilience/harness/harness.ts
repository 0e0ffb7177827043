import { randomBytes } from 'node:crypto'
import { generateKey } from '../../src/domain/keys.ts'
import { ChangesFollower } from './clients/changes-follower.ts'
import { Client } from './clients/client.ts'
import { ReconnectingStream } from './clients/reconnecting-stream.ts'
import { ResponseCounts } from './clients/response-counts.ts'
import { type Counts, finalCounts } from './counts.ts'
import { readEvents, type VersionedEvent } from './event-log.ts'
import { IncidentVersions } from './incident-versions.ts'
import { Operators } from './operators.ts'
import { Service } from './service.ts'
import { waitFor } from './wait-for.ts'
import { type Endpoint, failAtRandom, listen, respondAtOnce, respondSlowly } from './webhooks/endpoints.ts'
import type { ReceivedMessage } from './webhooks/received-message.ts'
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
  /** The time that `finish` waits for deliveries; the default allows for two retries. */
  readonly deliveryTimeoutMs?: number
  /** The longest time of a message on its way; longer if the sender can be frozen. */
  readonly inFlightMs?: number
  /** Further variables of each process. */
  readonly environmentOf?: (process: number) => Readonly<Record<string, string>>
  /** For faults in which a service is alive but does not respond. */
  readonly requestTimeoutMs?: number
}

const OPERATOR_COUNT = 3
const MAX_PAUSE_MS = 100
/** Two failures of a message take two retry delays (36 s together) and two attempts of 15 s. */
const DELIVERY_TIMEOUT_MS = 180_000
/** A first attempt trusts what it knows of the incident for one second. */
const IN_FLIGHT_MS = 3000

interface Parts {
  readonly client: Client
  readonly responses: ResponseCounts
  readonly operators: Operators
  readonly versions: IncidentVersions
  readonly environment: Readonly<Record<string, string>>
  readonly services: readonly Service[]
  readonly endpoints: readonly Endpoint[]
  readonly watches: readonly Watch[]
  readonly stream: ReconnectingStream
  readonly changes: ChangesFollower
  readonly random: () => number
  readonly deliveryTimeoutMs: number
  readonly inFlightMs: number
  readonly scope: AsyncDisposableStack
}

/**
 * Runs the service with operators who report, confirm, correct and retract incidents, endpoints
 * that receive them, a stream and a reader of the changes, while a scenario injects faults.
 */
export class Harness implements AsyncDisposable {
  readonly #parts: Parts
  readonly #stop = new AbortController()
  readonly #working: Promise<unknown>

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
      RATE_LIMIT_ADDRESS: '100000000',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ...options.environment,
    }
    const services = Array.from({ length: options.processes }, (_, process) =>
      scope.use(new Service({ ...environment, ...options.environmentOf?.(process) })),
    )
    const responses = new ResponseCounts()
    const url = () => pick(services, random).url
    const timeoutMs = options.requestTimeoutMs ?? null
    const client = new Client(key, url, (response) => responses.countResponse(response), timeoutMs)
    const watches = await createWatches(client, endpoints)
    const after = (await readEvents(client)).at(-1)?.seq ?? 0
    // Read again at the end: a cache that is never invalidated would give the same answer.
    await client.requestUntilAnswered('GET', '/v1/incidents?limit=1')
    const stream = scope.use(new ReconnectingStream(key, url, after))
    const changes = scope.use(new ChangesFollower(client.withUrl(url), after))
    const versions = new IncidentVersions()
    const operators = new Operators(client, random, options.maxPauseMs ?? MAX_PAUSE_MS, versions)
    const started = { client, responses, operators, versions, environment, services, watches, stream, changes }
    const { deliveryTimeoutMs = DELIVERY_TIMEOUT_MS, inFlightMs = IN_FLIGHT_MS } = options
    return new Harness({
      ...started,
      random,
      deliveryTimeoutMs,
      inFlightMs,
      endpoints: Object.values(endpoints),
      scope: scope.move(),
    })
  }

  private constructor(parts: Parts) {
    this.#parts = parts
    this.#working = Promise.all(Array.from({ length: OPERATOR_COUNT }, () => this.operators.work(this.#stop.signal)))
    // `finish` awaits the same promise and throws its error.
    this.#working.catch(() => this.#stop.abort())
  }

  get client(): Client {
    return this.#parts.client
  }

  /** The responses to the operators. */
  get responses(): ResponseCounts {
    return this.#parts.responses
  }

  get operators(): Operators {
    return this.#parts.operators
  }

  /**
   * The versions that the desk has acknowledged; a scenario that changes incidents itself adds to
   * it.
   */
  get versions(): IncidentVersions {
    return this.#parts.versions
  }

  get services(): readonly Service[] {
    return this.#parts.services
  }

  /** The environment variables of the services. */
  get environment(): Readonly<Record<string, string>> {
    return this.#parts.environment
  }

  /** False after an operator has failed. */
  get isConfirming(): boolean {
    return !this.#stop.signal.aborted
  }

  /** All messages that the endpoints have received. */
  get received(): ReceivedMessage[] {
    return this.#parts.endpoints.flatMap(({ received }) => received)
  }

  anyService(): Service {
    return pick(this.services, this.#parts.random)
  }

  /** Throws if a service has exited by itself. */
  check(): void {
    for (const service of this.services) service.check()
  }

  /** Waits until another incident is confirmed. */
  async nextConfirmation(): Promise<void> {
    const before = this.operators.confirmed.size
    await waitFor(() => this.operators.confirmed.size > before || !this.isConfirming, 'the next confirmed incident')
  }

  /** Stops the operators, waits until everything is delivered and returns the counts. */
  async finish(): Promise<Counts> {
    await this.nextConfirmation()
    this.#stop.abort()
    await this.#working
    return await finalCounts({ ...this.#parts, received: () => this.received })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#parts.scope.disposeAsync()
  }

  /** Reads all events from `/v1/changes`. */
  readLog(): Promise<VersionedEvent[]> {
    return readEvents(this.client)
  }
}

function pick<Value>(values: readonly Value[], random: () => number): Value {
  return values[Math.floor(random() * values.length)]!
}
