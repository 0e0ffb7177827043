import { Worker } from 'node:worker_threads'
import type { FeedItem } from '../../domain/sources.ts'
import { moduleBeside, Semaphore } from '../../lib/concurrency.ts'
import type { Runtime } from '../../lib/runtime.ts'
import { problemWith } from './fetch-feed.ts'

type WorkerAnswer = { readonly items: FeedItem[] } | { readonly fault: string }

const TIMEOUT_MS = 10_000
const MAX_HEAP_MB = 256

/** Reads feeds in a thread, which is ended if a document takes too long or too much memory. */
export class FeedReader implements AsyncDisposable {
  readonly #turns = new Semaphore(1)
  readonly #timeoutMs: number
  readonly #runtime: Runtime
  #worker: Worker | null = null

  constructor(runtime: Runtime, timeoutMs = TIMEOUT_MS) {
    this.#runtime = runtime
    this.#timeoutMs = timeoutMs
  }

  /** Throws a `FetchProblem` if it is not a feed, or cannot be read within the limits. */
  async read(document: string): Promise<FeedItem[]> {
    const answer = await this.#turns.run(() => this.#ask(document))
    if ('items' in answer) return answer.items
    throw problemWith('not_a_feed', `${answer.fault.slice(0, 200)}.`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate()
  }

  async #ask(document: string): Promise<WorkerAnswer> {
    const worker = this.#worker ?? this.#start()
    const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>()
    const fail = (seen: string): void => {
      this.#worker = null
      void worker.terminate()
      reject(problemWith('unreadable', seen))
    }
    const onTimeout = () => fail(`The limit is ${this.#timeoutMs / 1000} seconds.`)
    const timer = this.#runtime.setTimeout(onTimeout, this.#timeoutMs)
    const onError = (error: Error): void =>
      fail(`Reading failed (${(error as NodeJS.ErrnoException).code ?? error.name}).`)
    const onExit = (): void => fail('Reading was ended.')
    worker.once('message', resolve).once('error', onError).once('exit', onExit)
    worker.postMessage(document)
    try {
      return await promise
    } finally {
      this.#runtime.clear(timer)
      worker.off('message', resolve).off('error', onError).off('exit', onExit)
    }
  }

  #start(): Worker {
    const worker = new Worker(moduleBeside('./feed-worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    // Without a listener, an error of a thread that was ended would end the process.
    worker.on('error', () => {})
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = null
    })
    // An idle thread must not keep the process alive.
    worker.unref()
    this.#worker = worker
    return worker
  }
}
