import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import type pg from 'pg'
import type { StoreOptions } from '../src/store/open.ts'
import { openPostgres, type PostgresOptions } from '../src/store/postgres/store.ts'
import type { Store } from '../src/store/store.ts'
import { poolAt, startServer, withDatabase } from '../test/support/databases/postgres-server.ts'
import { delayOf, PROMOTION, type SharedDatabase, type StoreFault } from './nodes.ts'
import { Machine, type Outside, type Task, type World } from './world.ts'

const SETTINGS = [
  ...['synchronous_commit=off', 'wal_level=minimal', 'max_wal_senders=0', 'checkpoint_timeout=1h', 'autovacuum=off'],
  // Two that wait for each other are found before time goes on.
  ...['deadlock_timeout=2ms', 'io_method=sync', 'jit=off', 'scram_iterations=1'],
]
const TEMPLATE = 'feed_template'

/** Limits of `pg` and of the server count real time: none ends before the simulation does. */
const NO_LIMIT_MS = 3_600_000
/** Limits of a session as the service sets them, in virtual time. */
const MOST_WAITING_MS = 4000
const MOST_IDLE_IN_TRANSACTION_MS = 5000
/** The way of a statement is long now and then: transactions of several nodes overlap. */
const MOST_EXTRA_MS = 100

/** Starts a server, with a database of each run. */
export async function startPostgres(): Promise<(world: World) => SharedDatabase> {
  const { url } = await startServer({ settings: SETTINGS })
  const administration = poolAt(url, 2)
  await administration.query(`ALTER ROLE postgres PASSWORD 'postgres'`)
  await administration.query(`CREATE DATABASE ${TEMPLATE}`)
  const store = await openPostgres(withDatabase(url, TEMPLATE))
  await store[Symbol.asyncDispose]()
  let runs = 0
  return (world) => new PostgresDatabase(world, url, `feed_${++runs}`, administration)
}

/** The database of all nodes on a real server. Time waits for it, as long as it works. */
class PostgresDatabase implements SharedDatabase, Outside {
  readonly url: string
  faultOf: (machine: Machine) => StoreFault = () => 'none'
  clockOffset = 0
  /** Once the database is there. */
  readonly ready: Promise<unknown>
  readonly #world: World
  readonly #administration: pg.Pool
  readonly #pool: pg.Pool
  readonly #sessions = new Set<Session>()
  /** The work that is under way at the server. */
  readonly #busy = new Set<Work>()
  #progress = Promise.withResolvers<void>()
  #finished = 0
  #copies = 0

  constructor(world: World, url: string, name: string, administration: pg.Pool) {
    this.url = withDatabase(url, name)
    this.#world = world
    this.#administration = administration
    this.#pool = poolAt(this.url, 1)
    this.ready = this.#during(administration.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`))
    world.outside = this
  }

  storeOptions(machine: Machine): StoreOptions {
    return { postgres: this.#optionsOf(machine) }
  }

  openStore(): Promise<Store> {
    return openPostgres(this.url, this.#optionsOf(new Machine('command', this.#world)))
  }

  /** Without its rights nobody can make a disk full. */
  setFull(): void {}

  async count(from: string): Promise<number> {
    return (await this.#query<{ rows: number }>(`SELECT count(*)::int AS rows ${from}`))[0]!.rows
  }

  async *texts() {
    for (const table of await this.#tables())
      for (const { text } of await this.#query<{ text: string }>(`SELECT ${table}::text AS text FROM ${table}`))
        yield { table, text }
  }

  /** Of one moment, while nodes write: in a schema of its own. */
  async copy(): Promise<() => Promise<void>> {
    const schema = `copy_${++this.#copies}`
    const tables = await this.#tables()
    const copied = tables.map((name) => `CREATE TABLE ${schema}.${name} AS TABLE ${name}`)
    const begin = `BEGIN ISOLATION LEVEL REPEATABLE READ; CREATE SCHEMA ${schema}`
    await this.#query([begin, ...copied, 'COMMIT'].join('; '))
    // Without the triggers that check references between tables.
    const restored = [
      'BEGIN; SET LOCAL session_replication_role = replica',
      ...tables.map((name) => `DELETE FROM ${name}`),
      ...tables.map((name) => `INSERT INTO ${name} OVERRIDING SYSTEM VALUE SELECT * FROM ${schema}.${name}`),
      'COMMIT',
    ]
    return async () => {
      await this.#query(
        `SELECT pg_terminate_backend(pid, ${NO_LIMIT_MS}) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
      )
      await this.#query(restored.join('; '))
    }
  }

  async promote(): Promise<void> {
    await this.#query(PROMOTION)
  }

  /** Begins a work; the server has finished it when the result is called. */
  begin(pid: number): () => void {
    const work = { pid, isBlocked: false }
    this.#busy.add(work)
    return () => {
      if (!this.#busy.delete(work)) return
      this.#finished++
      this.#progress.resolve()
      this.#progress = Promise.withResolvers()
    }
  }

  /** Ends the statement, as the server does if it waits too long for a lock. */
  cancel(pid: number): void {
    this.#query('SELECT pg_cancel_backend($1)', [pid]).catch(() => {})
  }

  /**
   * Waits until all work is finished, but for that which waits for the lock of another node: that
   * node's own statements arrive in virtual time, which must go on.
   */
  async settle(): Promise<boolean> {
    const before = this.#finished
    while (this.#busy.size > 0) {
      const isKnown = [...this.#busy].every(({ isBlocked }) => isBlocked)
      if (!isKnown && (await this.#isProgressWithin(PATIENCE_MS))) continue
      if (await this.#areAllBlocked()) break
    }
    return this.#finished > before
  }

  [Symbol.dispose](): void {
    for (const session of this.#sessions) session.abandon()
    this.#pool.end().catch(() => {})
  }

  #optionsOf(machine: Machine): PostgresOptions {
    return {
      connectTimeout: NO_LIMIT_MS,
      statementTimeout: NO_LIMIT_MS,
      runtime: machine,
      readTime: async () => Math.floor(this.#world.now) + this.clockOffset,
      stream: () => {
        const session = new Session(this.#world, machine, this)
        this.#sessions.add(session)
        session.once('close', () => this.#sessions.delete(session))
        return session
      },
    }
  }

  async #isProgressWithin(ms: number): Promise<boolean> {
    const late = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => late.resolve(false), ms)
    const isProgress = await Promise.race([this.#progress.promise.then(() => true), late.promise])
    clearTimeout(timer)
    return isProgress
  }

  async #areAllBlocked(): Promise<boolean> {
    const { rows } = await this.#administration.query<{ pid: number }>('SELECT pid FROM pg_locks WHERE NOT granted')
    const blocked = new Set(rows.map(({ pid }) => pid))
    for (const work of this.#busy) work.isBlocked = blocked.has(work.pid)
    return [...this.#busy].every(({ isBlocked }) => isBlocked)
  }

  #tables(): Promise<string[]> {
    const sql = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`
    return this.#query<{ name: string }>(sql).then((rows) => rows.map(({ name }) => name))
  }

  async #query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    await this.ready
    return (await this.#during(this.#pool.query<Row>(sql, values))).rows
  }

  #during<Result>(work: Promise<Result>): Promise<Result> {
    const finished = this.begin(0)
    return work.finally(finished)
  }
}

const PATIENCE_MS = 3

interface Work {
  /** Of the process at the server; 0 if it never waits for a node. */
  readonly pid: number
  isBlocked: boolean
}

const TYPES = { query: 0x51, terminate: 0x58, sync: 0x53, ready: 0x5a, key: 0x4b }
const SYNC = Buffer.from([TYPES.sync, 0, 0, 0, 4])
const OUTSIDE_TRANSACTION = 0x49

/**
 * A connection of `pg`. Real is the server; virtual are the time on the way, and its faults. All
 * messages of a statement travel together, and so does all that answers them.
 */
class Session extends Duplex {
  readonly #world: World
  readonly #machine: Machine
  readonly #database: PostgresDatabase
  readonly #server = new Socket()
  #unsent: Buffer[] = []
  #arrivesAt = 0
  #received: Buffer = Buffer.alloc(0)
  #answer: Buffer[] = []
  #pid = 0
  #phase: 'connecting' | 'open' | 'cut' = 'connecting'
  #finish: (() => void) | null = null
  #isAnswerLost = false
  #limit: Task | null = null

  constructor(world: World, machine: Machine, database: PostgresDatabase) {
    super({ autoDestroy: false })
    this.#world = world
    this.#machine = machine
    this.#database = database
    machine.onKilled.add(this.#cut)
    this.#server.on('data', (bytes) => this.#onData(bytes as Buffer))
    this.#server.on('error', () => {})
    this.#server.on('close', () => this.#onClosed())
  }

  /** Called by `pg`. Until the server is ready for statements, messages pass at once. */
  connect(port: number): void {
    this.#after((fault) => {
      if (fault !== 'none' && fault !== 'slow') return this.#cut()
      this.#begin()
      this.#server.once('connect', () => this.emit('connect'))
      this.#database.ready.then(() => this.#server.connect(port, '127.0.0.1'))
    }, this.#machine)
  }

  override _write(bytes: Buffer, _: string, done: () => void): void {
    done()
    this.#write(bytes)
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: () => void): void {
    done()
    this.#write(Buffer.concat(chunks.map(({ chunk }) => chunk)))
  }

  override _read(): void {}

  override _final(done: () => void): void {
    done()
    this.#after(this.#cut)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#cut()
    done(error)
  }

  setNoDelay(): void {}
  setKeepAlive(): void {}
  ref(): void {}
  unref(): void {}

  /** Nobody is interested in it any more. */
  abandon(): void {
    this.#server.destroy()
  }

  #write(bytes: Buffer): void {
    if (this.#phase === 'connecting') return void this.#server.write(bytes)
    this.#unsent.push(bytes)
    const [type] = this.#unsent[0]!
    // `_final` follows.
    if (type === TYPES.terminate) return
    const isWhole = type === TYPES.query || bytes.subarray(-SYNC.length).equals(SYNC)
    if (!isWhole) return
    const message = Buffer.concat(this.#unsent.splice(0))
    this.#after((fault) => {
      if (this.#phase === 'cut') return
      // A transaction has several messages: it ends within it.
      if (fault === 'lost before' || fault === 'lost within') return this.#cut()
      this.#isAnswerLost = fault === 'lost after'
      this.#begin()
      this.#limitTo(MOST_WAITING_MS, () => this.#database.cancel(this.#pid))
      this.#server.write(message)
    })
  }

  /** After the time on the way; in the order of the calls. */
  #after(arrive: (fault: StoreFault) => void, machine: Machine | null = null): void {
    if (this.#machine.isDead) return
    const fault = this.#database.faultOf(this.#machine)
    const takes = delayOf(fault, this.#world) + this.#world.random() ** 4 * MOST_EXTRA_MS
    this.#arrivesAt = Math.max(this.#arrivesAt, this.#world.now + takes)
    this.#world.after(this.#arrivesAt - this.#world.now, () => arrive(fault), machine)
  }

  #begin(): void {
    this.#finish = this.#database.begin(this.#pid)
  }

  #limitTo(ms: number, end: () => void): void {
    if (this.#limit !== null) this.#limit.isCancelled = true
    this.#limit = this.#world.after(ms, end)
  }

  #onData(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes])
    for (;;) {
      if (this.#received.length < 5) return
      const length = 1 + this.#received.readInt32BE(1)
      if (this.#received.length < length) return
      this.#onMessage(this.#received.subarray(0, length))
      this.#received = this.#received.subarray(length)
    }
  }

  #onMessage(message: Buffer): void {
    const isReady = message[0] === TYPES.ready
    if (message[0] === TYPES.key) this.#pid = message.readInt32BE(5)
    if (isReady) this.#finished()
    if (this.#phase === 'open') {
      this.#answer.push(message)
      if (isReady && this.#isAnswerLost) this.#cut()
      // Notifications come at any time.
      else if (this.#finish === null) this.#deliver()
      if (isReady && message[5] !== OUTSIDE_TRANSACTION) this.#limitTo(MOST_IDLE_IN_TRANSACTION_MS, this.#cut)
    } else if (this.#phase === 'connecting') {
      if (isReady) this.#phase = 'open'
      this.push(message)
    } else if (isReady) this.#hangUp()
  }

  #finished(): void {
    if (this.#limit !== null) this.#limit.isCancelled = true
    this.#finish?.()
    this.#finish = null
  }

  #deliver(): void {
    const bytes = Buffer.concat(this.#answer.splice(0))
    this.#world.after(0, () => this.destroyed || this.push(bytes), this.#machine)
  }

  /** The server ends what it has begun, then it notices. */
  readonly #cut = (): void => {
    if (this.#phase === 'cut') return
    const wasOpen = this.#phase === 'open'
    this.#phase = 'cut'
    this.#answer = []
    if (!wasOpen) {
      this.#server.destroy()
      this.#onClosed()
    } else if (this.#finish === null) this.#hangUp()
  }

  /** Its transaction is over when the server has closed its side. */
  #hangUp(): void {
    this.#finished()
    this.#begin()
    this.#server.end()
  }

  #onClosed(): void {
    this.#finished()
    this.#machine.onKilled.delete(this.#cut)
    if (this.#phase !== 'cut' && this.#answer.length > 0) this.#deliver()
    this.#phase = 'cut'
    this.#world.after(0, () => this.destroy(), this.#machine)
  }
}
