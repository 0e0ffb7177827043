import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { run as runIncidents } from '../../client/cli/run.ts'
import { runCommand as runInProcess } from '../../src/cli/run.ts'
import { openTestStore } from './databases/stores.ts'
import { requireSlowTier } from './tier.ts'

const ROOT = join(import.meta.dirname, '../..')
const SERVER = join(ROOT, 'src/main.ts')
const CLIENT = join(ROOT, 'client/cli/main.ts')

/** A machine may have one. */
const NO_SETTINGS_FILE = { INCIDENT_FEED_SETTINGS: 'none' }

/** `incident-feed` as a separate process. */
export interface RunningCommand {
  readonly child: ChildProcess
  /** Resolves to the exit code, once everything printed is read. */
  readonly ended: Promise<number | null>
  /** Returns everything printed so far. */
  output(): string
}

const started = new Set<ChildProcess>()

/**
 * For `after`: a test that fails before it ends its command must not keep the run waiting for it.
 */
export function endCommands(): void {
  for (const child of started) child.kill('SIGKILL')
}

export function startCommand(
  words: readonly string[],
  environment: Record<string, string> = {},
  input: string | null = null,
  user: User = {},
  main = SERVER,
): RunningCommand {
  let output = ''
  const { child, ended } = startProcess(
    process.execPath,
    [main, ...words],
    { ...NO_SETTINGS_FILE, ...environment },
    {
      stdin: input === null ? 'ignore' : 'pipe',
      user,
      onText: (text) => {
        output += text
      },
    },
  )
  child.stdin?.end(input)
  started.add(child)
  child.once('exit', () => started.delete(child))
  return { child, ended, output: () => output }
}

/** Runs `incident-feed` as a separate process, and waits until it exits. */
export async function runProcess(
  words: readonly string[],
  environment: Record<string, string> = {},
  input: string | null = null,
  user: User = {},
) {
  const { ended, output } = startCommand(words, environment, input, user)
  const code = await ended
  return { code, output: output() }
}

/** Runs `incident-feed` in this process, which saves most of the time that a command takes. */
export async function runCommand(words: readonly string[], environment: Record<string, string> = {}, input = '') {
  let output = ''
  const write = (text: string) => {
    output += text
  }
  const code = await runInProcess(words, {
    env: { ...NO_SETTINGS_FILE, ...environment },
    misspelled: [],
    stdin: Readable.from([Buffer.from(input)]),
    openStore: openTestStore,
    stderr: { write },
    print: (line) => write(`${line}\n`),
    printError: (line) => write(`${line}\n`),
    exitCode: 0,
    onSignal: () => {},
  })
  return { code, output }
}

/** The command `incidents`. */
export interface ClientCommand extends AsyncDisposable {
  /** Resolves to the exit code, once everything printed is read. */
  readonly ended: Promise<number | null>
  stdout(): string
  stderr(): string
}

export interface ClientProcess extends ClientCommand {
  readonly child: ChildProcess
}

export interface ClientHome {
  /** The folder that takes the place of the user's own. */
  readonly home: string
  readonly env?: Readonly<Record<string, string>>
  /** Given to the command through a pipe; null leaves the pipe open. */
  readonly input?: string | null
}

/** Runs the command in this process. `interrupt` does what Ctrl-C does. */
export function startClient(
  words: readonly string[],
  { home, env = {}, input = '' }: ClientHome,
): ClientCommand & { interrupt(): void } {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const printed = { stdout: '', stderr: '' }
  stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text
  })
  stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text
  })
  if (input !== null) stdin.end(input)
  const interrupted = new AbortController()
  const world = { stdin, stdout, stderr, env, home, platform: process.platform, signal: interrupted.signal }
  const ended = runIncidents(words, world, 'of a test')
  return {
    ended,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    interrupt: () => interrupted.abort(),
    async [Symbol.asyncDispose]() {
      interrupted.abort()
      await ended
    },
  }
}

export function startClientProcess(words: readonly string[], given: ClientHome): ClientProcess {
  return startIncidents(process.execPath, [CLIENT, ...words], given)
}

/** On a pseudo-terminal, which mixes both outputs. `command.child.stdin` is the keyboard. */
export function startOnTerminal(words: readonly string[], given: ClientHome): ClientProcess {
  const line = [process.execPath, CLIENT, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  return startIncidents('script', ['-qec', line, '/dev/null'], { input: null, ...given })
}

/** Runs the command in this process, or as `start` does, and waits until it ends. */
export async function runClient(
  words: readonly string[],
  given: ClientHome,
  start: (words: readonly string[], given: ClientHome) => ClientCommand = startClient,
) {
  await using command = start(words, given)
  const code = await command.ended
  return { code, stdout: command.stdout(), stderr: command.stderr() }
}

function startIncidents(program: string, args: string[], { home, env = {}, input = '' }: ClientHome): ClientProcess {
  const printed = { stdout: '', stderr: '' }
  const environment = { HOME: home, TERM: 'xterm', SHELL: '/bin/sh', ...env }
  const { child, ended } = startProcess(program, args, environment, {
    stdin: 'pipe',
    onText: (text, stream) => {
      printed[stream] += text
    },
  })
  if (input !== null) child.stdin!.end(input)
  return {
    child,
    ended,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Another user than that of the tests. */
export type User = { readonly uid?: number; readonly gid?: number }

interface Streams {
  readonly user?: User
  readonly stdin: 'ignore' | 'pipe'
  readonly onText: (text: string, stream: 'stdout' | 'stderr') => void
}

function startProcess(
  program: string,
  args: string[],
  environment: Record<string, string>,
  { stdin, user, onText }: Streams,
) {
  requireSlowTier('another process')
  const child: ChildProcess = spawn(program, args, {
    // Nothing balances their load, and tests read their metrics.
    // With the compile cache of the test run, a start costs a sixth of the processor time.
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DRAIN_SECONDS: '0',
      METRICS_PUBLIC: 'true',
      ...environment,
    },
    stdio: [stdin, 'pipe', 'pipe'],
    ...user,
  })
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream]!.setEncoding('utf8').on('data', (text: string) => onText(text, stream))
  return { child, ended: once(child, 'close').then(([code]) => code as number | null) }
}
