import type fc from 'fast-check'
import { seededRandom } from '../../src/lib/random.ts'
import { until } from '../../test/support/app.ts'
import type { Service } from '../harness/service.ts'
import { ExclusiveGate } from './exclusive-gate.ts'
import { Failures, formatRequest } from './failures.ts'
import { hostileStrings } from './generators/hostile-strings.ts'
import type { IssuedKeys } from './generators/keys.ts'
import { LearnedValues } from './generators/learned-values.ts'
import { anyRequest, type FuzzRequest, repeatableKind } from './generators/requests.ts'
import { type OpenApiDocument, readDocument } from './openapi-document.ts'
import { anyRawMessage, sendRaw } from './raw-socket.ts'
import { ResponseChecker } from './response-checker.ts'
import { type FuzzResponse, Sender } from './sender.ts'
import { type Failure, sendAndShrink } from './shrink.ts'

const CONNECTIONS = 16
/** Waits for the endpoint of the watch, which may take 15 s. */
const MAY_BE_SLOW = 'testWatch'
/** One message in this many is sent over a raw socket and is hardly HTTP. */
const RAW_INTERVAL = 100
const PROGRESS_INTERVAL = 10_000
/** Larger responses are checked but not searched for values, which would take too long. */
const MAX_LEARNED_BYTES = 20_000

export interface FuzzerOptions {
  readonly keys: IssuedKeys
  /** Endpoints that watches may name. */
  readonly endpoints: readonly string[]
  readonly seed: number
  /** A slower response is a failure. */
  readonly maxResponseMs: number
  /** Ids of operations that most requests go to; none for all alike. */
  readonly aim: readonly string[]
  /** Called from time to time with the number of requests sent. */
  readonly onProgress: (sent: number) => void
}

/** Sends random requests, several at a time, checks every response and learns values from it. */
export class Fuzzer implements Disposable {
  readonly failures = new Failures()
  /**
   * Responses by status; 0 counts raw messages after which the service closed without a response.
   */
  readonly statuses = new Map<number, number>()
  /** Operations with at least one 2xx response. */
  readonly succeeded = new Set<string>()
  readonly operations: number
  /**
   * Of the responses that count: those to a request that was sent alone, or in time beside others.
   */
  slowest = { request: '', ms: 0 }
  /** Requests with a hostile text in one of their strings. */
  spoiled = 0
  readonly #admitted = new Set<string>()
  readonly #gate = new ExclusiveGate()
  readonly #service: Service
  readonly #seed: number
  readonly #maxResponseMs: number
  readonly #onProgress: (sent: number) => void
  readonly #document: OpenApiDocument
  readonly #adminKey: string
  readonly #learned: LearnedValues
  readonly #requests: fc.Arbitrary<FuzzRequest>
  readonly #checker: ResponseChecker
  readonly #sender: Sender

  static async start(service: Service, options: FuzzerOptions): Promise<Fuzzer> {
    return new Fuzzer(service, await readDocument(service.url!), options)
  }

  private constructor(service: Service, document: OpenApiDocument, options: FuzzerOptions) {
    this.#service = service
    this.#document = document
    this.#adminKey = options.keys.admin
    this.#seed = options.seed
    this.#maxResponseMs = options.maxResponseMs
    this.#onProgress = options.onProgress
    this.#learned = new LearnedValues(options.keys.ids)
    this.#requests = anyRequest({
      document,
      learned: this.#learned,
      keys: options.keys,
      urls: options.endpoints,
      aim: options.aim,
    })
    this.#checker = new ResponseChecker(document)
    this.#sender = new Sender(service.url!, CONNECTIONS)
    this.operations = document.operations.length
  }

  /** Sends the requests with numbers from `from` up to, but not including, `to`. */
  async run(from: number, to: number): Promise<void> {
    let next = from
    const work = async () => {
      while (next < to) {
        const number = next++
        if (number % PROGRESS_INTERVAL === 0) this.#onProgress(number)
        this.#service.check()
        if (number % RAW_INTERVAL === RAW_INTERVAL - 1)
          await this.#check(number, anyRawMessage, (message) => this.#sendRaw(message), JSON.stringify)
        else await this.#check(number, this.#requests, (request) => this.#send(request), formatRequest)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
  }

  /**
   * Puts each hostile text into each string of each operation. Returns the operations that let none
   * of these requests in: whatever they do with a string was not tried.
   */
  async spoilStrings(): Promise<string[]> {
    this.#admitted.clear()
    const tried = new Set<string>()
    const requests = hostileStrings(this.#document, this.#learned, `Bearer ${this.#adminKey}`)
    const work = async () => {
      for (const request of requests) {
        this.#service.check()
        this.spoiled++
        tried.add(request.operation.id)
        const failure = await this.#send(request)
        if (failure !== null && this.failures.countFailure(failure.kind))
          this.failures.setExample(failure.kind, `${formatRequest(request).slice(0, 4000)}\n  → ${failure.response}`)
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
    return [...tried.difference(this.#admitted)]
  }

  /** Waits until the service has closed the stream of every client that disconnected. */
  async waitForStreamsToClose(): Promise<void> {
    await until(async () => (await this.readMetric('incident_feed_streams_open')) === 0, 'the end of every stream')
  }

  async readMetric(name: string): Promise<number> {
    const text = await (await fetch(`${this.#service.url}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  }

  async #check<Input>(
    number: number,
    inputs: fc.Arbitrary<Input>,
    send: (input: Input) => Promise<Failure | null>,
    format: (input: Input) => string,
  ): Promise<void> {
    const seed = Math.floor(seededRandom(this.#seed * 2 ** 20 + number)() * 2 ** 32) | 0
    const shrunk = await sendAndShrink(inputs, seed, send, (kind) => this.failures.countFailure(kind))
    if (shrunk === null) return
    const { failure, input, attempts } = shrunk
    const heading = `  (request ${number}; the smallest that fails after ${attempts} attempts to shrink it)`
    this.failures.setExample(failure.kind, `${heading}\n${format(input).slice(0, 4000)}\n  → ${failure.response}`)
  }

  async #send(request: FuzzRequest): Promise<Failure | null> {
    const operation = request.operation?.id ?? 'no operation'
    try {
      const { response, ms } = await this.#sendTimed(request)
      if (operation !== MAY_BE_SLOW && ms > this.slowest.ms)
        this.slowest = { request: `${request.method} ${request.target}`, ms }
      this.#countStatus(response.status)
      if (![401, 403, 429].includes(response.status)) this.#admitted.add(operation)
      if (operation !== MAY_BE_SLOW && ms > this.#maxResponseMs)
        return { kind: `${operation}: slower than ${this.#maxResponseMs} ms`, response: `${Math.round(ms)} ms` }
      const problem = this.#checker.findProblem(request, response)
      if (problem !== null)
        return { kind: `${operation}: ${problem}`, response: response.body.toString().slice(0, 500) }
      this.#learnFrom(request, response)
      return null
    } catch (error) {
      return { kind: `${operation}: no response`, response: String(error) }
    }
  }

  /**
   * A request that was slow is sent once more while no other is running: beside fifteen others, a
   * response waits for theirs.
   */
  async #sendTimed(request: FuzzRequest): Promise<{ response: FuzzResponse; ms: number }> {
    const send = async () => {
      const startedAt = performance.now()
      const response = await this.#sender.send(request)
      // A stream is read for a while after its first byte.
      const ms = performance.now() - startedAt - (response.complete ? 0 : request.streamMs)
      return { response, ms }
    }
    const first = await this.#gate.runBesideOthers(send)
    const isSlow = first.ms > this.#maxResponseMs && request.operation?.id !== MAY_BE_SLOW
    return isSlow ? await this.#gate.runAlone(send) : first
  }

  async #sendRaw(message: string): Promise<Failure | null> {
    const { status, type, body } = await sendRaw(this.#service.url!, message)
    this.#countStatus(status ?? 0)
    if (status === null || (status < 500 && (status < 400 || type === 'application/problem+json'))) return null
    return { kind: `raw message: ${status} as ${type}`, response: body.toString().slice(0, 500) }
  }

  #countStatus(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }

  #learnFrom({ operation, method, target }: FuzzRequest, { status, headers, body, complete }: FuzzResponse): void {
    if (status === 404 || (method === 'DELETE' && status < 300)) this.#learned.removeIdentifiersIn(target)
    if (status >= 300 || operation === null || method === 'HEAD') return
    this.succeeded.add(operation.id)
    if (headers.etag) {
      this.#learned.addValue('etag', headers.etag)
      this.#learned.addValue(repeatableKind(operation), `${headers.etag} ${target}`)
    }
    if (complete && body.length < MAX_LEARNED_BYTES && headers['content-type']?.startsWith('application/json'))
      this.#learned.learnFrom(JSON.parse(body.toString()))
  }

  [Symbol.dispose](): void {
    this.#sender[Symbol.dispose]()
  }
}
