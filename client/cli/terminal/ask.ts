import { createInterface } from 'node:readline/promises'
import { type Readable, Writable } from 'node:stream'
import type { World } from '../command.ts'

/** Asks on a terminal, and shows nothing of what is typed. */
export async function askSecret(world: World, question: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: world.stdin, output: silent, terminal: true })
  // Asked only now: before, the terminal itself would show what is typed at once.
  world.stderr.write(question)
  try {
    return await lines.question('', { signal: world.signal })
  } finally {
    lines.close()
    world.stderr.write('\n')
  }
}

export async function askYesNo(world: World, question: string): Promise<boolean> {
  const lines = createInterface({ input: world.stdin, output: world.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `, { signal: world.signal })).trim())
  } finally {
    lines.close()
  }
}

export async function readAll(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += String(chunk)
  return text
}
