import { EventEmitter } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import pino from 'pino'
import { type App, start } from '../src/app.ts'
import { readConfig } from '../src/config/read-config.ts'
import type { DatabaseThreads, WorkerReply, WorkerRequest } from '../src/store/sqlite/connection.ts'
import { openCopied } from '../src/store/sqlite/database.ts'
import { migrate } from '../src/store/sqlite/migrate.ts'
import { ServedDatabase } from '../src/store/sqlite/served-database.ts'
import { openSqlite } from '../src/store/sqlite/store.ts'
import type { Store } from '../src/store/store.ts'
import type { Network } from './network.ts'
import { Machine, type World } from './world.ts'

/** The behaviour of the way to the database for one call. */
export type StoreFault = 'none' | 'lost before' | 'lost after' | 'slow'

const MEMORY = ':memory:'
/** SQLite's own limit of pages. */
const NO_LIMIT = 0xfffffffe

/** The database of all nodes: one SQLite in memory, behind a network that takes time and fails. */
export class SharedDatabase {
  readonly #world: World
  #connection!: DatabaseSync
  #served!: ServedDatabase
  /** Chosen for every call of a node. */
  faultOf: () => StoreFault = () => 'none'

  constructor(world: World) {
    this.#world = world
    this.restore(null)
  }

  /** All content, to be restored later. */
  copy(): Uint8Array {
    return this.#connection.serialize()
  }

  restore(content: Uint8Array | null): void {
    this.#connection = new DatabaseSync(MEMORY)
    const connection = this.#connection
    this.#served = new ServedDatabase({ path: MEMORY, busyTimeout: 0 }, () => {
      const database = openCopied(connection, content)
      migrate(database)
      return database
    })
  }

  /** While it is full, nothing can be written that needs more space. */
  setFull(isFull: boolean): void {
    const { page_count } = this.#connection.prepare('PRAGMA page_count').get() as { page_count: number }
    this.#connection.exec(`PRAGMA max_page_count = ${isFull ? page_count : NO_LIMIT}`)
  }

  query<Row>(sql: string, ...values: string[]): Row[] {
    return this.#connection.prepare(sql).all(...values) as Row[]
  }

  /** The tables with their columns of text. */
  textColumns(): { readonly name: string; readonly columns: readonly string[] }[] {
    const tables = this.query<{ name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table'`)
    return tables.flatMap(({ name }) => {
      const columns = this.query<{ name: string; type: string }>(`SELECT name, type FROM pragma_table_info('${name}')`)
      const ofText = columns.filter(({ type }) => type === 'TEXT').map((column) => column.name)
      return ofText.length === 0 ? [] : [{ name, columns: ofText }]
    })
  }

  /** The store as a command opens it, on a machine of its own. */
  openStore(world: World): Promise<Store> {
    const machine = new Machine('command', world)
    return openSqlite('/simulated/feed.db', {
      threads: this.connectionsOf(machine),
      leaveModes: true,
      runtime: machine,
    })
  }

  /** The connections of a node's store, in place of threads. */
  connectionsOf(machine: Machine): DatabaseThreads {
    const world = this.#world
    const answer = (request: WorkerRequest) => this.#served.replyTo(request).reply
    return {
      start: () => new DatabaseThread(world, machine, () => this.faultOf(), answer) as unknown as Worker,
      stop: async (thread) => (thread as unknown as DatabaseThread).close(),
    }
  }
}

const LEAST_MS = 0.05
const MOST_MS = 0.6
const SLOW_MS = 2500

/** Answers in the order of the requests, as a thread would. */
class DatabaseThread extends EventEmitter {
  readonly #world: World
  readonly #machine: Machine
  readonly #faultOf: () => StoreFault
  readonly #answer: (request: WorkerRequest) => WorkerReply
  #arrivesAt = 0
  #isClosed = false

  constructor(
    world: World,
    machine: Machine,
    faultOf: () => StoreFault,
    answer: (request: WorkerRequest) => WorkerReply,
  ) {
    super()
    this.#world = world
    this.#machine = machine
    this.#faultOf = faultOf
    this.#answer = answer
  }

  postMessage(request: WorkerRequest): void {
    const world = this.#world
    if (this.#machine.isDead) return
    const fault = this.#faultOf()
    const takes = LEAST_MS + world.random() * (fault === 'slow' ? SLOW_MS : MOST_MS - LEAST_MS)
    this.#arrivesAt = Math.max(this.#arrivesAt, world.now + takes)
    world.after(this.#arrivesAt - world.now, () => {
      if (this.#isClosed) return
      const reply = fault === 'lost before' ? null : this.#answer(request)
      if (fault === 'lost before' || fault === 'lost after') this.#isClosed = true
      const told = this.#isClosed ? () => this.emit('exit') : () => this.emit('message', reply)
      world.after(0, told, this.#machine)
    })
  }

  close(): void {
    this.#isClosed = true
    this.emit('exit')
  }
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

export interface Request {
  readonly method: string
  readonly path: string
  readonly key?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface OpenStream {
  readonly status: number
  close(): void
}

/** A process that runs the whole service on a machine. */
export class Node {
  readonly machine: Machine
  readonly #app: App
  /** Told when the process ends: connections are lost. */
  readonly #connections = new Set<() => void>()
  isReady = false

  constructor(machine: Machine, app: App) {
    this.machine = machine
    this.#app = app
  }

  /** Null if the connection was lost: whether the request was carried out is not known. */
  async request({ method, path, key, body, headers = {} }: Request): Promise<Answer | null> {
    const lost = Promise.withResolvers<null>()
    const lose = () => lost.resolve(null)
    this.#connections.add(lose)
    const answered = this.#app.server.inject({
      method: method as 'GET',
      url: path,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    try {
      const answer = await Promise.race([answered, lost.promise])
      return answer && { status: answer.statusCode, headers: answer.headers, text: answer.body }
    } finally {
      this.#connections.delete(lose)
    }
  }

  /** Reads an event stream until either side closes it. */
  async stream(
    path: string,
    headers: Readonly<Record<string, string>>,
    onText: (text: string) => void,
    onClosed: () => void,
  ): Promise<OpenStream | null> {
    const lost = Promise.withResolvers<null>()
    let lose = () => lost.resolve(null)
    const losing = () => lose()
    this.#connections.add(losing)
    const answer = await Promise.race([
      this.#app.server.inject({ method: 'GET', url: path, headers, payloadAsStream: true }),
      lost.promise,
    ])
    if (answer === null) return null
    let isClosed = false
    const close = () => {
      if (isClosed) return
      isClosed = true
      this.#connections.delete(losing)
      answer.raw.res.destroy()
      onClosed()
    }
    lose = close
    const stream = answer.stream()
    stream.setEncoding('utf8')
    stream.on('data', (text: string) => isClosed || onText(text))
    stream.on('end', close)
    stream.on('error', close)
    answer.raw.res.on('close', close)
    return { status: answer.statusCode, close }
  }

  /** Ends at once, as after a power failure. */
  kill(): void {
    this.machine.kill()
    this.isReady = false
    for (const lose of [...this.#connections]) lose()
  }

  /** Ends as an operator would have it: drained. */
  async stop(): Promise<void> {
    this.isReady = false
    await this.#app[Symbol.asyncDispose]()
    this.kill()
  }

  whenReady(): Promise<void> {
    return this.#app.ready.then(() => {
      this.isReady = true
    })
  }
}

/** Of every name in the simulated network. */
const PUBLIC_ADDRESS = { address: '93.184.215.14', family: 4 }

/** Starts a node; it is ready when its archive is loaded. */
export async function startNode(
  name: string,
  world: World,
  database: SharedDatabase,
  network: Network,
  settings: Readonly<Record<string, string>>,
): Promise<Node> {
  const machine = new Machine(name, world)
  const app = await start(
    readConfig({ DATABASE_URL: 'sqlite:/simulated/feed.db', CACHE_DIR: 'none', ...settings }, []),
    {
      logger: pino({ level: 'silent' }),
      runtime: machine,
      edges: network.edgesOf(machine),
      lookup: (_, options, done) =>
        options.all ? done(null, [PUBLIC_ADDRESS]) : done(null, PUBLIC_ADDRESS.address, 4),
      sqlite: {
        threads: database.connectionsOf(machine),
        readTime: async () => Math.floor(world.now),
        leaveModes: true,
        pollInterval: 1000,
      },
    },
  )
  return new Node(machine, app)
}
