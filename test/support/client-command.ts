import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { requireSlowTier } from './tier.ts'

/** The command `incidents` as a separate process. */
export interface ClientCommand extends AsyncDisposable {
  readonly child: ChildProcess
  /** Resolves to the exit code, once everything printed is read. */
  readonly ended: Promise<number | null>
  stdout(): string
  stderr(): string
}

export interface ClientHome {
  /** The folder that takes the place of the user's own. */
  readonly home: string
  readonly env?: Readonly<Record<string, string>>
  /** Given to the command through a pipe; null leaves the pipe open. */
  readonly input?: string | null
}

const MAIN = join(import.meta.dirname, '../../client/cli/main.ts')

export function startClient(words: readonly string[], given: ClientHome): ClientCommand {
  return start(process.execPath, [MAIN, ...words], given)
}

/** On a pseudo-terminal, which mixes both outputs. `command.child.stdin` is the keyboard. */
export function startOnTerminal(words: readonly string[], given: ClientHome): ClientCommand {
  const line = [process.execPath, MAIN, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  return start('script', ['-qec', line, '/dev/null'], { input: null, ...given })
}

function start(program: string, args: readonly string[], { home, env = {}, input = '' }: ClientHome): ClientCommand {
  requireSlowTier('another process')
  const child = spawn(program, args, {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOME: home,
      TERM: 'xterm',
      SHELL: '/bin/sh',
      ...env,
    },
    stdio: 'pipe',
  })
  if (input !== null) child.stdin!.end(input)
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]!.setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text
    })
  const ended = once(child, 'close').then(([code]) => code as number | null)
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

/** Runs the command and waits until it exits. */
export async function runClient(words: readonly string[], given: ClientHome) {
  await using command = startClient(words, given)
  const code = await command.ended
  return { code, stdout: command.stdout(), stderr: command.stderr() }
}
