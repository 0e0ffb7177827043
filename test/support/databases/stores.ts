import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { openStore } from '../../../src/store/open.ts'
import type { DatabaseThreads, WorkerReply } from '../../../src/store/sqlite/connection.ts'
import type { Store } from '../../../src/store/store.ts'

/** Opens a store, on threads that are used again if it is of SQLite. */
export function openTestStore(url: string): Promise<Store> {
  return openStore(url, { sqlite: { threads: keptThreads } })
}

/** An empty store in memory. */
export function openMemoryStore(): Promise<Store> {
  return openTestStore('sqlite::memory:')
}

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

export type Tables = Record<string, Record<string, unknown>[]>

/** Reads every row of every table of a SQLite file in one transaction. */
export function tablesOf(path: string): Tables {
  using database = new DatabaseSync(path, { readOnly: true })
  database.exec('BEGIN')
  const names = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`).all()
  return Object.fromEntries(
    names.map(({ name }) => {
      const rows = database.prepare(`SELECT * FROM "${name}"`).all()
      return [String(name), rows.map((row) => ({ ...row }))]
    }),
  )
}

/** Nodes on PostgreSQL need a common key; services on several databases may have the same. */
export const TEST_SECRETS_KEY = Buffer.alloc(32, 'a test key').toString('base64')
