import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { isPostgres, openStore, type StoreOptions, sqlitePathOf } from '../../src/store/open.ts'
import type { Store } from '../../src/store/store.ts'
import { execute, testDatabase } from '../support/databases/postgres.ts'
import { keptThreads } from '../support/databases/stores.ts'

/**
 * Long timeouts, so that a busy machine does not look like an outage. Calls at the same time need
 * several connections, of which each takes PostgreSQL as long as most tests.
 */
const OPTIONS = {
  sqlite: { busyTimeout: 60_000 },
  postgres: { connectTimeout: 60_000, waitTimeout: 60_000, statementTimeout: 60_000, connections: 3 },
}

/** A new database without content, and a function that opens it. */
export interface EmptyDatabase extends AsyncDisposable {
  readonly url: string
  /** True if several stores can be opened on the same database. */
  readonly shared: boolean
  open(options?: StoreOptions): Promise<Store>
  /** Writes past the store. */
  execute(sql: string): Promise<void>
}

export interface SqliteFile extends EmptyDatabase {
  readonly directory: string
  readonly path: string
}

export function emptySqlite(): Promise<SqliteFile> {
  return sqliteAt('made', 'on', 'demand', 'feed.db')
}

async function sqliteAt(...place: readonly string[]): Promise<SqliteFile> {
  const directory = await mkdtemp(join(tmpdir(), 'incident-feed-sqlite-'))
  const path = join(directory, ...place)
  const remove = () => rm(directory, { recursive: true, force: true })
  return { ...databaseAt(`sqlite:${path}`, true, remove), directory, path }
}

let template: Promise<SqliteFile> | null = null

/** Copies a migrated file: the migrations take longer than most tests. */
export async function migratedSqlite(): Promise<SqliteFile> {
  template ??= createMigrated()
  const [{ path: migrated }, database] = await Promise.all([template, sqliteAt('feed.db')])
  await copyFile(migrated, database.path)
  return database
}

/** Closing the only connection leaves no write-ahead log: the file is the whole database. */
async function createMigrated(): Promise<SqliteFile> {
  const database = await emptySqlite()
  const store = await database.open()
  await store[Symbol.asyncDispose]()
  // Several files of a process use it, so no file removes it.
  process.once('exit', () => rmSync(database.directory, { recursive: true, force: true }))
  return database
}

export async function emptyMemory(): Promise<EmptyDatabase> {
  return databaseAt('sqlite::memory:', false, async () => {})
}

export async function emptyPostgres(): Promise<EmptyDatabase> {
  const database = await testDatabase()
  return databaseAt(database.url, true, async () => database[Symbol.asyncDispose]())
}

function databaseAt(url: string, shared: boolean, remove: () => Promise<void>): EmptyDatabase {
  const open = ({ sqlite, postgres }: StoreOptions = {}) =>
    openStore(url, {
      sqlite: { ...OPTIONS.sqlite, threads: keptThreads, ...sqlite },
      postgres: { ...OPTIONS.postgres, ...postgres },
    })
  return { url, shared, open, execute: (sql) => executeAt(url, sql), [Symbol.asyncDispose]: remove }
}

async function executeAt(url: string, sql: string): Promise<void> {
  if (isPostgres(url)) return void (await execute(url, sql))
  using database = new DatabaseSync(sqlitePathOf(url))
  database.exec(sql)
}

const STORES = 3

/** Opens several stores on one database, or uses one store several times if it cannot be shared. */
export async function openSeveral(database: EmptyDatabase): Promise<AsyncDisposable & { at(index: number): Store }> {
  const stores = await Promise.all(Array.from({ length: database.shared ? STORES : 1 }, () => database.open()))
  return {
    at: (index) => stores[index % stores.length]!,
    async [Symbol.asyncDispose]() {
      await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
    },
  }
}

/** Simulates network faults between a store and its server. */
export interface Proxy extends AsyncDisposable {
  readonly url: string
  /** Drops all data from the server, without closing the connection or reporting an error. */
  freeze(): void
  thaw(): void
  /** Forwards nothing in either direction, not even the end of a connection, until `heal`. */
  partition(): void
  heal(): void
  /** Partitions once the server has received this text from a client, before it answers. */
  partitionAfter(text: string): Promise<void>
  /** Drops all data to connections that listen for notifications. */
  dropNotifications(): void
  /** Closes the client's connection once the server has received this text from it. */
  disconnectAfter(text: string): void
}

export async function proxyTo(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let frozen = false
  let partitioned = false
  let partitionText: string | null = null
  let onPartition: () => void = () => {}
  let dropsNotifications = false
  let disconnectText: string | null = null
  const listener = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    let isListening = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        // Behind a partition neither side learns that the other one has closed.
        if (partitioned) return
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (partitioned) return
      if (partitionText !== null && bytes.includes(partitionText)) {
        partitionText = null
        server.write(bytes, () => {
          partitioned = true
          onPartition()
        })
        return
      }
      isListening ||= bytes.includes('LISTEN ')
      const last = disconnectText !== null && bytes.includes(disconnectText)
      if (last) disconnectText = null
      server.write(bytes, () => {
        // The server's answer shows that it has received the text; the client never gets the
        // answer.
        if (last) server.removeAllListeners('data').once('data', () => client.destroy())
      })
    })
    server.on('data', (bytes) => {
      if (!frozen && !partitioned && !(dropsNotifications && isListening)) client.write(bytes)
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = new URL(databaseUrl)
  url.port = String((listener.address() as { port: number }).port)
  return {
    url: url.href,
    freeze: () => {
      frozen = true
    },
    thaw: () => {
      frozen = false
    },
    partition: () => {
      partitioned = true
    },
    heal: () => {
      partitioned = false
      // Dropped bytes never arrive: a real connection would be reset by its first packet.
      for (const socket of sockets) socket.destroy()
    },
    partitionAfter: (text) =>
      new Promise((resolve) => {
        partitionText = text
        onPartition = resolve
      }),
    dropNotifications: () => {
      dropsNotifications = true
    },
    disconnectAfter: (text) => {
      disconnectText = text
    },
    async [Symbol.asyncDispose]() {
      if (!listener.listening) return
      for (const socket of sockets) socket.destroy()
      listener.close()
      await once(listener, 'close')
    },
  }
}
