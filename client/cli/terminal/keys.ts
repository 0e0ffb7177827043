import type { World } from '../command.ts'

/** The action of a single key. */
export type KeyActions = Readonly<Record<string, () => void>>

/** Calls an action at each key on a terminal; returns how to stop. Does nothing behind a pipe. */
export function onKeys({ stdin, stdout }: World, actions: KeyActions, interrupt: () => void): () => void {
  if (!stdin.isTTY || !stdout.isTTY || stdin.setRawMode === undefined) return () => {}
  const listen = (chunk: Buffer) => {
    for (const key of chunk.toString()) {
      // Raw mode takes Ctrl-C away from the terminal, which would have made a signal of it.
      if (key === '\u0003') interrupt()
      else actions[key]?.()
    }
  }
  stdin.setRawMode(true)
  stdin.on('data', listen)
  stdin.resume()
  return () => {
    stdin.off('data', listen)
    stdin.setRawMode!(false)
    stdin.pause()
  }
}
