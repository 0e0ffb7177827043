import { Worker } from 'node:worker_threads'
import { moduleBeside } from '../../../lib/module-beside.ts'
import type { DatabaseFile } from '../tables.ts'

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
