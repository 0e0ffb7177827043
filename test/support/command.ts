import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The program itself, as a process of its own. */
export interface Run {
  readonly child: ChildProcess
  readonly ended: Promise<number | null>
  /** Everything printed so far. */
  output(): string
}

export function run(words: readonly string[], environment: Record<string, string> = {}): Run {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), ...words], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  return { child, ended: once(child, 'close').then(([code]) => code as number | null), output: () => output }
}

/** Runs the program to its end. */
export async function finished(words: readonly string[], environment: Record<string, string> = {}) {
  const { ended, output } = run(words, environment)
  const code = await ended
  return { code, output: output() }
}
