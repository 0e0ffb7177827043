import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import pino from 'pino'
import { type App, start } from '../src/app.ts'
import { readConfig } from '../src/config/read-config.ts'
import type { Edges } from '../src/startup/environment.ts'
import type { DatabaseThreads, WorkerRequest } from '../src/store/sqlite/connection.ts'
import { ServedDatabase } from '../src/store/sqlite/served-database.ts'
import { Machine, type World } from './world.ts'

const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64')

/** How the way to the database behaves for one call. */
export type StoreFault = 'none' | 'lost before' | 'lost after'

/** The database of all nodes, behind a network that takes time and can fail. */
export class SharedDatabase {
  readonly #world: World
  readonly #served = new ServedDatabase({ path: ':memory:', busyTimeout: 0 })
  /** Chosen for every call of a node. */
  faultOf: () => StoreFault = () => 'none'

  constructor(world: World) {
    this.#world = world
  }

  /** The connections of a node's store, in place of threads. */
  connectionsOf(machine: Machine): DatabaseThreads {
    return {
      start: () => new DatabaseThread(this.#world, machine, (request) => this.#answer(request)) as unknown as Worker,
      stop: async (thread) => (thread as unknown as DatabaseThread).close(),
    }
  }

  #answer(request: WorkerRequest) {
    const fault = this.faultOf()
    if (fault === 'lost before') return null
    const { reply } = this.#served.replyTo(request)
    return fault === 'lost after' ? null : reply
  }
}

/** Of every name in the simulated network. */
const PUBLIC_ADDRESS = { address: '93.184.215.14', family: 4 }

const LEAST_MS = 0.05
const MOST_MS = 0.6

/** Answers in the order of the requests, as a thread would. */
class DatabaseThread extends EventEmitter {
  readonly #world: World
  readonly #machine: Machine
  readonly #answer: (request: WorkerRequest) => object | null
  #arrivesAt = 0
  #isClosed = false

  constructor(world: World, machine: Machine, answer: (request: WorkerRequest) => object | null) {
    super()
    this.#world = world
    this.#machine = machine
    this.#answer = answer
  }

  postMessage(request: WorkerRequest): void {
    const world = this.#world
    this.#arrivesAt = Math.max(this.#arrivesAt, world.now + LEAST_MS + world.random() * (MOST_MS - LEAST_MS))
    world.after(this.#arrivesAt - world.now, () => {
      if (this.#isClosed) return
      const reply = this.#answer(request)
      if (reply === null) this.#isClosed = true
      world.after(0, () => (reply === null ? this.emit('exit') : this.emit('message', reply)), this.#machine)
    })
  }

  close(): void {
    this.#isClosed = true
    this.emit('exit')
  }
}

/** A running node: the whole service on a machine. */
export interface Node {
  readonly machine: Machine
  readonly app: App
}

export async function startNode(
  name: string,
  world: World,
  database: SharedDatabase,
  edges: Edges,
  settings: Record<string, string> = {},
): Promise<Node> {
  const machine = new Machine(name, world)
  const config = readConfig(
    {
      DATABASE_URL: 'sqlite:/simulated/feed.db',
      CACHE_DIR: 'none',
      SECRETS_KEY,
      RATE_LIMIT: '1000000',
      SMTP_URL: 'smtp://mail.example.org',
      PUBLIC_URL: 'https://feed.example.org',
      ...settings,
    },
    [],
  )
  const app = await start(config, {
    logger: pino({ level: 'silent' }),
    runtime: machine,
    edges,
    lookup: (_, options, done) => (options.all ? done(null, [PUBLIC_ADDRESS]) : done(null, PUBLIC_ADDRESS.address, 4)),
    sqlite: { threads: database.connectionsOf(machine), leaveModes: true, pollInterval: 1000 },
  })
  return { machine, app }
}
