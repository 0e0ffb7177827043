import type { Writable } from 'node:stream'
import type { World } from '../command.ts'
import { table } from './table.ts'

/** Writes and waits while the reader is slower. */
export async function write(stream: Writable, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())))
}

/** A note to the user, which is no result: on stderr, so that a pipe holds results only. */
export function say(world: World, text: string): Promise<void> {
  return write(world.stderr, `${text}\n`)
}

/** One JSON value a line. */
export function printJson(world: World, value: unknown): Promise<void> {
  return write(world.stdout, `${JSON.stringify(value)}\n`)
}

export function printTable(world: World, head: readonly string[], rows: readonly (readonly string[])[]): Promise<void> {
  return write(world.stdout, table(head, rows, terminalWidth(world)))
}

/** People at a terminal get tables, programs behind a pipe JSON. */
export function isForPeople(world: World): boolean {
  return world.stdout.isTTY === true
}

/** A terminal without a size, or none at all, counts as a wide one. */
export function terminalWidth({ stdout }: World): number {
  return stdout.columns || 120
}
