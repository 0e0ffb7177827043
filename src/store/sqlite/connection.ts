import { Worker } from 'node:worker_threads'
import { moduleBeside } from '../../lib/concurrency.ts'
import { MEMORY } from '../files.ts'
import type { AttachedRecords } from '../queries/idempotency.ts'
import { StoreUnavailable, StoreUnusable } from '../store.ts'
import { deserializeError, type SerializedError } from './errors.ts'

export interface DatabaseFile {
  readonly path: string
  /** Milliseconds a write waits for a write of another process. */
  readonly busyTimeout: number
}

export interface WorkerRequest {
  readonly id: number
  readonly table: string
  readonly method: string
  readonly values: readonly unknown[]
  /** Stored with what the call writes. */
  readonly attached: AttachedRecords | undefined
}

export type WorkerReply =
  | {
      readonly id: number
      readonly value: unknown
      readonly receiptStored: boolean
      /** True if the call has notified others. */
      readonly hasNotified: boolean
      readonly error?: undefined
    }
  | { readonly id: number; readonly error: SerializedError }

type SuccessfulReply = Extract<WorkerReply, { readonly value: unknown }>

/**
 * Runs the database in a worker thread, so that disk access never blocks the main thread. The next
 * call replaces a worker that has died.
 */
export class SqliteConnection implements AsyncDisposable {
  readonly #file: DatabaseFile
  readonly #threads: DatabaseThreads
  readonly #waiting = new Map<number, PromiseWithResolvers<SuccessfulReply>>()
  #worker: Worker | null = null
  #closing: Promise<void> | null = null
  #lastId = 0
  #state: 'open' | 'lost' | 'closed' = 'open'
  /** Called before the reply to a call that has notified others. */
  onNotified: () => void = () => {}

  constructor(file: DatabaseFile, threads: DatabaseThreads = newThreads) {
    this.#file = file
    this.#threads = threads
  }

  /** The worker replies in order: once it has closed, it has replied to every earlier call. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#state = 'closed'
    this.#closing ??= this.#worker === null ? Promise.resolve() : this.#threads.stop(this.#worker)
    await this.#closing
  }

  async call(
    table: string,
    method: string,
    values: readonly unknown[],
    attached?: AttachedRecords,
  ): Promise<SuccessfulReply> {
    if (this.#state === 'closed') throw new Error('The store is closed')
    if (this.#state === 'lost') throw new StoreUnusable('The database in memory was lost with its thread')
    this.#worker ??= this.#start()
    const id = ++this.#lastId
    this.#worker.postMessage({ id, table, method, values, attached } satisfies WorkerRequest)
    const reply = Promise.withResolvers<SuccessfulReply>()
    this.#waiting.set(id, reply)
    return reply.promise
  }

  #start(): Worker {
    const worker = this.#threads.start(this.#file)
    let cause: unknown
    worker.on('message', (reply: WorkerReply) => this.#settle(reply))
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => this.#stopped(cause))
    return worker
  }

  #settle(reply: WorkerReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (reply.error) waiting?.reject(deserializeError(reply.error))
    else {
      if (reply.hasNotified) this.onNotified()
      waiting?.resolve(reply)
    }
  }

  #stopped(cause: unknown): void {
    this.#worker = null
    if (this.#state === 'open' && this.#file.path === MEMORY) this.#state = 'lost'
    const lost = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of lost) reject(new StoreUnavailable("The database's thread stopped", { cause }))
  }
}

/** Gives each connection a thread that has its database. */
export interface DatabaseThreads {
  /** Returns a thread that opens the database at the first call. */
  start(file: DatabaseFile): Worker
  /**
   * Resolves when the thread has replied to every earlier call and closed its database, or is dead.
   */
  stop(thread: Worker): Promise<void>
}

/** A new thread for each connection, which ends with it. */
export const newThreads: DatabaseThreads = {
  start(file) {
    // Drops the process's flags: some, e.g. `--input-type`, prevent a thread from starting.
    return new Worker(moduleBeside('./worker.ts', import.meta.url), { workerData: file, execArgv: [] })
  },

  async stop(thread) {
    const exit = Promise.withResolvers<void>()
    thread.once('exit', () => exit.resolve())
    thread.postMessage('close')
    await exit.promise
  },
}
