import type { Readable, Writable } from 'node:stream'

/** One option of a command, written `--name value` or, without `value`, `--name`. */
export interface Option {
  readonly name: string
  /** Names the value in the help; an option without one is a switch. */
  readonly value?: string
  /** All that it may be; completion offers them. */
  readonly values?: readonly string[]
  /** May be given several times. */
  readonly several?: true
  /** May be given several times, and a comma is part of a value. */
  readonly repeated?: true
  readonly about: string
}

/** The words of the user after the command. */
export interface Given {
  readonly args: readonly string[]
  text(name: string): string | undefined
  list(name: string): readonly string[]
  /** Each value as it was written, commas included. */
  each(name: string): readonly string[]
  has(name: string): boolean
}

/** The world of a command: its streams, environment and the user who may interrupt it. */
export interface World {
  readonly stdin: Readable & { isTTY?: boolean; setRawMode?(on: boolean): unknown }
  readonly stdout: Writable & { isTTY?: boolean; columns?: number }
  readonly stderr: Writable & { isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  readonly home: string
  /** Aborted when the user interrupts. */
  readonly signal: AbortSignal
}

export interface Command {
  /** Such as `list` or `watch create`. */
  readonly name: string
  readonly about: string
  /** The arguments, such as `<id>`; one in brackets may be left out. */
  readonly args: readonly string[]
  readonly options: readonly Option[]
  /** Shown by `--help` below the options. */
  readonly details?: string
  /** Returns the exit code, 0 unless something else is said. */
  run(world: World, given: Given): Promise<number | undefined>
}

export const EXIT = { done: 0, failed: 1, usage: 2, key: 3, notFound: 4, interrupted: 130 } as const
