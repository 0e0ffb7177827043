import { Worker } from 'node:worker_threads'
import type { SendResult } from '../../domain/delivery.ts'
import { moduleBeside } from '../../lib/concurrency.ts'
import { machine } from '../../lib/runtime.ts'
import { SenderLost } from './failure.ts'
import type { MessageSender, OutgoingRequest } from './message.ts'

interface SendingThreadOptions extends SenderSettings {
  /** Called when the thread has ended by itself. */
  readonly onLost: (error: SenderLost) => void
}

/** The name that debuggers and `process.on('worker')` see. */
export const SENDER_THREAD_NAME = 'message-sender'
/** A thread that ends again and again must not take a processor for its starts. */
const RESTART_PAUSE_MS = 250

/** Sends messages in a worker thread, which starts with the first and again if it ends. */
export class SendingThread implements MessageSender, AsyncDisposable {
  readonly #settings: SenderSettings
  readonly #onLost: SendingThreadOptions['onLost']
  readonly #waiting = new Map<number, PromiseWithResolvers<SendResult>>()
  #batch: PostedRequest[] = []
  #lastNumber = 0
  #worker: Worker | null = null
  #mayStartAt = 0
  #closed = false

  constructor({ allowPrivate, nameServers, onLost }: SendingThreadOptions) {
    this.#settings = { allowPrivate, nameServers }
    this.#onLost = onLost
  }

  prepare(): void {
    if (!this.#closed) this.#worker ??= this.#start()
  }

  post(request: OutgoingRequest, accountId = ''): Promise<SendResult> {
    if (this.#closed) return Promise.reject(new SenderLost('The service is stopping'))
    const number = ++this.#lastNumber
    const result = Promise.withResolvers<SendResult>()
    this.#waiting.set(number, result)
    // Everything that this turn of the event loop starts is passed on together, right after it.
    if (this.#batch.length === 0) process.nextTick(() => this.#passOn())
    this.#batch.push({ number, request, accountId })
    return result.promise
  }

  /** Waits for open requests as `WebhookSender` does. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#passOn()
    this.#closed = true
    const worker = this.#worker
    if (worker !== null) {
      const exit = Promise.withResolvers<void>()
      worker.once('exit', () => exit.resolve())
      worker.postMessage('close' satisfies ToThread)
      await exit.promise
    }
    this.#rejectAll(new SenderLost('The service is stopping'))
  }

  #passOn(): void {
    if (this.#batch.length === 0 || this.#closed) return
    const pause = this.#mayStartAt - machine.elapsed()
    if (this.#worker === null && pause > 0) {
      machine.setTimeout(() => this.#passOn(), pause)
      return
    }
    this.#worker ??= this.#start()
    this.#worker.postMessage(this.#batch satisfies ToThread)
    this.#batch = []
  }

  #start(): Worker {
    // Drops the process's flags: some, e.g. `--input-type`, prevent a thread from starting.
    const options = { name: SENDER_THREAD_NAME, workerData: this.#settings, execArgv: [] }
    const worker = new Worker(moduleBeside('./sender-worker.ts', import.meta.url), options)
    let cause: unknown
    worker.on('message', (results: FromThread) => {
      for (const result of results) this.#settle(result)
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => this.#ended(cause))
    return worker
  }

  #settle(result: PostedResult): void {
    const waiting = this.#waiting.get(result.number)
    this.#waiting.delete(result.number)
    if (result.fault === undefined) waiting?.resolve(result.sent)
    else waiting?.reject(new Error(`The message cannot be sent: ${result.fault}`))
  }

  #ended(cause: unknown): void {
    this.#worker = null
    this.#mayStartAt = machine.elapsed() + RESTART_PAUSE_MS
    if (this.#closed) return
    const error = new SenderLost('The thread that sends messages has ended', { cause })
    this.#onLost(error)
    this.#rejectAll(error)
  }

  #rejectAll(error: SenderLost): void {
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    this.#batch = []
    for (const { reject } of lost) reject(error)
  }
}

export interface SenderSettings {
  /** As in `Guard`. */
  readonly allowPrivate: boolean
  /** Addresses of name servers; null for the system's. */
  readonly nameServers: readonly string[] | null
}

export interface PostedRequest {
  readonly number: number
  readonly request: OutgoingRequest
  readonly accountId: string
}

/** `close`: finish what is open, then end. */
export type ToThread = readonly PostedRequest[] | 'close'

/** `fault`: the request could not be sent at all, which is a defect. */
export type PostedResult =
  | { readonly number: number; readonly sent: SendResult; readonly fault?: undefined }
  | { readonly number: number; readonly fault: string }

export type FromThread = readonly PostedResult[]
