import { Worker } from 'node:worker_threads'
import type { DatabaseThreads, WorkerReply } from '../../../src/store/sqlite/connection.ts'

const idle: Worker[] = []

/**
 * Threads of SQLite databases that serve the next database when one is closed: loading the store in
 * a new thread takes three times as long as making an empty database. One thread has one database
 * at a time.
 */
export const keptThreads: DatabaseThreads = {
  start(file) {
    const thread = idle.pop() ?? new Worker(new URL('kept-worker.ts', import.meta.url), { execArgv: [] })
    thread.ref()
    thread.postMessage({ file })
    return thread
  },

  async stop(thread) {
    const stopped = Promise.withResolvers<boolean>()
    thread.on('message', (reply: WorkerReply | 'closed') => reply === 'closed' && stopped.resolve(true))
    thread.once('exit', () => stopped.resolve(false))
    thread.postMessage('close')
    const isIdle = await stopped.promise
    if (!isIdle) return
    for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event)
    // An idle thread must not keep the process from ending.
    thread.unref()
    idle.push(thread)
  },
}
