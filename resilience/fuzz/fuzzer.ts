import { seededRandom } from '../../src/lib/random.ts'
import { until } from '../../test/support/app.ts'
import type { Service } from '../harness/service.ts'
import { Faults, written } from './failures.ts'
import { type IssuedKeys, KeyRing } from './generators/keys.ts'
import { Known } from './generators/learned-values.ts'
import { type FuzzRequest, Requests } from './generators/requests.ts'
import { readDocument } from './openapi-document.ts'
import { sendRaw } from './raw-socket.ts'
import { Judge } from './response-checker.ts'
import { type FuzzAnswer, Sender } from './sender.ts'

const CONNECTIONS = 16
/** The share of what is hardly HTTP. */
const RAW = 0.01
const PROGRESS = 10_000
/** Larger answers are only judged: to look through them all would take longer than anything else. */
const LEARNED_FROM = 20_000

export interface FuzzingOptions {
  readonly keys: IssuedKeys
  /** Endpoints that watches may name. */
  readonly endpoints: readonly string[]
  readonly seed: number
  /** Told now and then how many have been sent. */
  readonly onProgress: (sent: number) => void
}

/** Sends requests, many at a time, judges every answer and learns from it. */
export class Fuzzing implements Disposable {
  readonly faults = new Faults()
  /** Answers by status; 0 stands for connections closed without a word, after what was not HTTP. */
  readonly statuses = new Map<number, number>()
  /** Operations that were answered 2xx at least once. */
  readonly succeeded = new Set<string>()
  readonly operations: number
  slowest = { what: '', took: 0 }
  readonly #service: Service
  readonly #seed: number
  readonly #onProgress: (sent: number) => void
  readonly #known: Known
  readonly #requests: Requests
  readonly #judge: Judge
  readonly #sender: Sender

  static async begin(service: Service, options: FuzzingOptions): Promise<Fuzzing> {
    return new Fuzzing(service, await readDocument(service.url!), options)
  }

  private constructor(service: Service, document: Awaited<ReturnType<typeof readDocument>>, options: FuzzingOptions) {
    this.#service = service
    this.#seed = options.seed
    this.#onProgress = options.onProgress
    this.#known = new Known(options.keys.ids)
    const keys = new KeyRing(options.keys, this.#known)
    this.#requests = new Requests(options.seed, document, this.#known, keys, options.endpoints)
    this.#judge = new Judge(document)
    this.#sender = new Sender(service.url!, CONNECTIONS)
    this.operations = document.operations.length
  }

  /** The requests from one number up to, but not including, another. */
  async run(from: number, to: number): Promise<void> {
    let next = from
    const work = async () => {
      while (next < to) {
        const number = next++
        if (number % PROGRESS === 0) this.#onProgress(number)
        this.#service.check()
        if (seededRandom(number)() < RAW) await this.#oneRaw(number)
        else await this.#one(this.#requests.at(number))
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, work))
  }

  /** Every stream that was left is noticed, and the service answers as it did at first. */
  async settle(): Promise<void> {
    await until(async () => (await this.metric('incident_feed_streams_open')) === 0, 'the end of every stream')
  }

  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.#service.url}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
  }

  async #one(request: FuzzRequest): Promise<void> {
    const began = performance.now()
    try {
      const answer = await this.#sender.send(request)
      const took = performance.now() - began
      if (took > this.slowest.took) this.slowest = { what: `${request.method} ${request.target}`, took }
      this.#count(answer.status)
      const fault = this.#judge.faultIn(request, answer)
      if (fault === null) this.#learn(request, answer)
      else this.#fault(request, fault, answer.body.toString().slice(0, 500))
    } catch (error) {
      this.#fault(request, 'no answer', String(error))
    }
  }

  async #oneRaw(number: number): Promise<void> {
    const { sent, status, type, body } = await sendRaw(this.#service.url!, this.#seed, number)
    this.#count(status ?? 0)
    if (status === null || (status < 500 && (status < 400 || type === 'application/problem+json'))) return
    const example = `  (request ${number})\n  ${JSON.stringify(sent.slice(0, 2000))}\n  → ${body.toString().slice(0, 500)}`
    this.faults.add('raw', `a ${status} as ${type}`, example)
  }

  #count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }

  #fault(request: FuzzRequest, what: string, answer: string): void {
    const where = request.operation?.id ?? 'elsewhere'
    this.faults.add(where, what, `${written(request)}\n  → ${answer}`)
  }

  #learn({ operation, method, target }: FuzzRequest, { status, headers, body, whole }: FuzzAnswer): void {
    if (status === 404 || (method === 'DELETE' && status < 300)) this.#known.forget(target)
    if (status >= 300 || operation === null || method === 'HEAD') return
    this.succeeded.add(operation.id)
    if (headers.etag) {
      this.#known.add('etag', headers.etag)
      this.#known.add(`again ${operation.id}`, `${headers.etag} ${target}`)
    }
    if (whole && body.length < LEARNED_FROM && headers['content-type']?.startsWith('application/json'))
      this.#known.learn(JSON.parse(body.toString()))
  }

  [Symbol.dispose](): void {
    this.#sender[Symbol.dispose]()
  }
}
