import { EventEmitter } from 'node:events'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Worker } from 'node:worker_threads'
import pino from 'pino'
import { type App, start } from '../src/app.ts'
import { readConfig } from '../src/config/read-config.ts'
import type { StoreOptions } from '../src/store/open.ts'
import type { DatabaseThreads, WorkerReply, WorkerRequest } from '../src/store/sqlite/connection.ts'
import { openCopied } from '../src/store/sqlite/database.ts'
import { migrate } from '../src/store/sqlite/migrate.ts'
import { ServedDatabase } from '../src/store/sqlite/served-database.ts'
import { openSqlite, type SqliteOptions } from '../src/store/sqlite/store.ts'
import type { Store } from '../src/store/store.ts'
import type { Network } from './network.ts'
import { Machine, type World } from './world.ts'

/** The behaviour of the way to the database for one call. */
export type StoreFault = 'none' | 'lost before' | 'lost within' | 'lost after' | 'slow'

const MEMORY = ':memory:'
export const PROMOTION = "UPDATE log_head SET branch = branch || 'x'"
/** SQLite's own limit of pages. */
const NO_LIMIT = 0xfffffffe

/** The database of all nodes, behind a network that takes time and fails. */
export interface SharedDatabase {
  readonly url: string
  /** Chosen for every call of a node. */
  faultOf: (machine: Machine) => StoreFault
  /** By how much its clock, which all nodes follow, is ahead of the true time. */
  clockOffset: number
  /** The connections of a node's store, and its clock. */
  storeOptions(machine: Machine): StoreOptions
  /** The store as a command opens it, on a machine of its own. */
  openStore(): Promise<Store>
  /** While it is full, nothing can be written that needs more space. */
  setFull(isFull: boolean): void
  /** The number of rows of a query that begins with FROM. */
  count(from: string): Promise<number>
  /** All that is stored as text, and where. */
  texts(): AsyncIterable<{ readonly table: string; readonly text: string }>
  /** Copies all content; the result brings it back, and loses what was under way. */
  copy(): Promise<() => Promise<void>>
  /** Makes it another database, as a promoted standby is: the log goes on on its own branch. */
  promote(): Promise<void>
}

/** One SQLite in memory. */
export class SqliteDatabase implements SharedDatabase {
  readonly url = 'sqlite:/simulated/feed.db'
  readonly #world: World
  #connection!: DatabaseSync
  #served!: ServedDatabase
  #statementsLeft = Number.POSITIVE_INFINITY
  faultOf: (machine: Machine) => StoreFault = () => 'none'
  clockOffset = 0

  constructor(world: World) {
    this.#world = world
    this.#open(null)
  }

  async copy(): Promise<() => Promise<void>> {
    const content = this.#connection.serialize()
    return async () => this.#open(content)
  }

  async promote(): Promise<void> {
    this.#connection.exec(PROMOTION)
  }

  #open(content: Uint8Array | null): void {
    this.#connection = new DatabaseSync(MEMORY)
    const connection = this.#connection
    const prepare = connection.prepare.bind(connection)
    connection.prepare = (sql) => this.#interrupted(prepare(sql))
    const database = openCopied(connection, content)
    migrate(database)
    this.#served = new ServedDatabase({ path: MEMORY, busyTimeout: 0 }, () => database)
  }

  /** The process may end before any statement of a call: what was not committed is lost. */
  #interrupted(statement: StatementSync): StatementSync {
    for (const name of ['run', 'all', 'get'] as const) {
      const execute = statement[name] as (...values: never[]) => unknown
      statement[name] = (...values: never[]) => {
        if (this.#statementsLeft-- === 0) throw new Error('The process has ended')
        return execute.apply(statement, values) as never
      }
    }
    return statement
  }

  #answer(request: WorkerRequest, fault: StoreFault): WorkerReply {
    const { random } = this.#world
    this.#statementsLeft = fault === 'lost within' ? Math.floor(random() * MOST_STATEMENTS) : Number.POSITIVE_INFINITY
    const { reply } = this.#served.replyTo(request)
    this.#statementsLeft = Number.POSITIVE_INFINITY
    return reply
  }

  setFull(isFull: boolean): void {
    const { page_count } = this.#connection.prepare('PRAGMA page_count').get() as { page_count: number }
    this.#connection.exec(`PRAGMA max_page_count = ${isFull ? page_count : NO_LIMIT}`)
  }

  async count(from: string): Promise<number> {
    return Number(this.#connection.prepare(`SELECT count(*) AS rows ${from}`).get()!.rows)
  }

  async *texts() {
    const columns = this.#connection
      .prepare(
        `SELECT tables.name AS "table", columns.name AS "column"
         FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
         WHERE tables.type = 'table' AND columns.type = 'TEXT'`,
      )
      .all() as { table: string; column: string }[]
    for (const { table, column } of columns)
      for (const { text } of this.#connection.prepare(`SELECT ${column} AS text FROM ${table}`).iterate())
        if (text !== null) yield { table, text: String(text) }
  }

  openStore(): Promise<Store> {
    const machine = new Machine('command', this.#world)
    return openSqlite('/simulated/feed.db', this.#optionsOf(machine))
  }

  storeOptions(machine: Machine): StoreOptions {
    return { sqlite: { ...this.#optionsOf(machine), pollInterval: 1000 } }
  }

  #optionsOf(machine: Machine): SqliteOptions {
    const readTime = async () => Math.floor(this.#world.now) + this.clockOffset
    return { threads: this.#connectionsOf(machine), readTime, leaveModes: true, runtime: machine }
  }

  /** In place of threads. */
  #connectionsOf(machine: Machine): DatabaseThreads {
    const world = this.#world
    const answer = (request: WorkerRequest, fault: StoreFault) => this.#answer(request, fault)
    return {
      start: () => new DatabaseThread(world, machine, () => this.faultOf(machine), answer) as unknown as Worker,
      stop: async (thread) => (thread as unknown as DatabaseThread).close(),
    }
  }
}

/** Of a call, before which its process may end. */
const MOST_STATEMENTS = 16
const LEAST_MS = 0.05
const MOST_MS = 0.6
const SLOW_MS = 2500

/** The time of a call on its way to the database. */
export function delayOf(fault: StoreFault, world: World): number {
  return LEAST_MS + world.random() * (fault === 'slow' ? SLOW_MS : MOST_MS - LEAST_MS)
}

/** Answers in the order of the requests, as a thread would. */
class DatabaseThread extends EventEmitter {
  readonly #world: World
  readonly #machine: Machine
  readonly #faultOf: () => StoreFault
  readonly #answer: (request: WorkerRequest, fault: StoreFault) => WorkerReply
  #arrivesAt = 0
  #isClosed = false

  constructor(
    world: World,
    machine: Machine,
    faultOf: () => StoreFault,
    answer: (request: WorkerRequest, fault: StoreFault) => WorkerReply,
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
    this.#arrivesAt = Math.max(this.#arrivesAt, world.now + delayOf(fault, world))
    world.after(this.#arrivesAt - world.now, () => {
      if (this.#isClosed) return
      const reply = fault === 'lost before' ? null : this.#answer(request, fault)
      if (fault.startsWith('lost')) this.#isClosed = true
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
  /** The address of the client. */
  readonly from?: string
}

export interface OpenStream {
  readonly status: number
  close(): void
}

/** A process that runs the whole service on a machine. */
export class Node {
  readonly machine: Machine
  readonly #start: (lostEvents: number) => Promise<App>
  #app: App
  /** Told when the process ends: connections are lost. */
  readonly #connections = new Set<() => void>()
  isReady = false
  /** Since when it remembers each event of the log. */
  readyAt = Number.POSITIVE_INFINITY
  #isListening = true
  #isStopping = false

  constructor(machine: Machine, start: (lostEvents: number) => Promise<App>, app: App) {
    this.machine = machine
    this.#start = start
    this.#app = app
  }

  /** As the command does: starts anew whenever the database has lost events that it had. */
  async keepServing(): Promise<void> {
    for (let lostEvents = 0; ; ) {
      lostEvents += await this.#app.lost.catch((error: unknown) => {
        if (!this.#isStopping) throw error
        return 0
      })
      if (this.#isStopping) return
      await this.#close()
      this.#app = await this.#start(lostEvents)
      this.#isListening = true
      await this.whenReady()
    }
  }

  /**
   * Null if the connection was refused or lost: whether the request was carried out is not known.
   */
  async request({ method, path, key, body, headers = {}, from }: Request): Promise<Answer | null> {
    if (!this.#isListening) return null
    const lost = Promise.withResolvers<null>()
    const lose = () => lost.resolve(null)
    this.#connections.add(lose)
    const answered = this.#app.server.inject({
      method: method as 'GET',
      url: path,
      ...(from === undefined ? {} : { remoteAddress: from }),
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
    if (!this.#isListening) return null
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
    this.#isStopping = true
    await this.#close()
    this.kill()
  }

  async #close(): Promise<void> {
    this.isReady = false
    this.#isListening = false
    await this.#app[Symbol.asyncDispose]()
    for (const lose of [...this.#connections]) lose()
  }

  whenReady(): Promise<void> {
    return this.#app.ready.then(() => {
      this.isReady = true
      this.readyAt = this.machine.elapsed()
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
  const config = readConfig({ DATABASE_URL: database.url, CACHE_DIR: 'none', ...settings }, [])
  const startApp = (lostEvents: number) =>
    start(config, {
      lostEvents,
      logger: pino({ level: 'silent' }),
      runtime: machine,
      edges: network.edgesOf(machine),
      keeping: { threadsFrom: Number.POSITIVE_INFINITY },
      lookup: (_, options, done) =>
        options.all ? done(null, [PUBLIC_ADDRESS]) : done(null, PUBLIC_ADDRESS.address, 4),
      ...database.storeOptions(machine),
    })
  return new Node(machine, startApp, await startApp(0))
}
