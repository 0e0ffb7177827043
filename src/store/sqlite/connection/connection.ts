import { Worker } from 'node:worker_threads'
import { StoreUnavailable, StoreUnusable } from '../../store.ts'
import type { DatabaseFile, Nouns } from '../tables.ts'
import { MEMORY } from './database.ts'
import { errorOf, type Failure } from './errors.ts'

export interface Request {
  readonly id: number
  readonly noun: keyof Nouns
  readonly method: string
  readonly values: readonly unknown[]
}

export type Answer =
  | { readonly id: number; readonly value: unknown; readonly failure?: undefined }
  | { readonly id: number; readonly failure: Failure }

/** A noun of the worker's, as seen from the main thread. */
export type Remote<Noun> = {
  readonly [Method in keyof Noun]: Noun[Method] extends (...values: infer Values) => infer Result
    ? (...values: Values) => Promise<Result>
    : never
}

/** The worker thread that has the database: no disk ever stalls the main thread. One that has died is replaced by the next call. */
export class Connection implements AsyncDisposable {
  readonly #file: DatabaseFile
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #worker: Worker | null = null
  #lastId = 0
  #state: 'open' | 'lost' | 'closed' = 'open'

  constructor(file: DatabaseFile) {
    this.#file = file
  }

  noun<Name extends keyof Nouns>(noun: Name): Remote<Nouns[Name]> {
    const methods = { get: (_: object, method: string) => this.#caller(noun, method) }
    return new Proxy({}, methods) as Remote<Nouns[Name]>
  }

  /** The worker answers in order: when it has closed, every call before this one has been answered. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#state = 'closed'
    const worker = this.#worker
    if (worker === null) return
    const exit = Promise.withResolvers<void>()
    worker.once('exit', () => exit.resolve())
    worker.postMessage('close')
    await exit.promise
  }

  #caller(noun: keyof Nouns, method: string) {
    return async (...values: unknown[]): Promise<unknown> => {
      if (this.#state === 'closed') throw new Error('The store is closed')
      if (this.#state === 'lost') throw new StoreUnusable('The database in memory was lost with its thread')
      this.#worker ??= this.#start()
      const id = ++this.#lastId
      this.#worker.postMessage({ id, noun, method, values } satisfies Request)
      const answer = Promise.withResolvers<unknown>()
      this.#waiting.set(id, answer)
      return answer.promise
    }
  }

  #start(): Worker {
    // Without the process's own flags: `--input-type`, for one, would keep the thread from starting.
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: this.#file, execArgv: [] })
    let cause: unknown
    worker.on('message', (answer: Answer) => this.#settle(answer))
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => this.#stopped(cause))
    return worker
  }

  #settle(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if (answer.failure) waiting?.reject(errorOf(answer.failure))
    else waiting?.resolve(answer.value)
  }

  #stopped(cause: unknown): void {
    this.#worker = null
    if (this.#state === 'open' && this.#file.path === MEMORY) this.#state = 'lost'
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of lost) reject(new StoreUnavailable("The database's thread stopped", { cause }))
  }
}
