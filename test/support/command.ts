import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { requireSlowTier } from './tier.ts'

/** `incident-feed` as a separate process. */
export interface RunningCommand {
  readonly child: ChildProcess
  /** Resolves to the exit code. */
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
): RunningCommand {
  requireSlowTier('another process')
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), ...words], {
    // With the compile cache of the test run, a start costs a sixth of the processor time.
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
    stdio: [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  })
  started.add(child)
  child.once('exit', () => started.delete(child))
  child.stdin?.end(input)
  let output = ''
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  return { child, ended: once(child, 'close').then(([code]) => code as number | null), output: () => output }
}

/** Runs the command and waits until it exits. */
export async function runCommand(words: readonly string[], environment: Record<string, string> = {}) {
  const { ended, output } = startCommand(words, environment)
  const code = await ended
  return { code, output: output() }
}
