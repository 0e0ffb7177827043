import type { Readable } from 'node:stream'
import type { MisspelledSetting } from '../config/misspelled-settings.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'

/** The surroundings of a command: its settings, its database, and the streams of its caller. */
export interface Terminal {
  /** With the settings of the file of settings, once a command runs. */
  env: NodeJS.ProcessEnv
  /** Names in the environment and in the file that are probably meant to be settings. */
  misspelled: readonly MisspelledSetting[]
  readonly stdin: Readable
  readonly openStore: (url: string) => Promise<Store>
  /** For lines that are rewritten. */
  readonly stderr: Screen
  print(line: string): void
  printError(line: string): void
  /** 0 unless the command sets another. */
  exitCode: number
  /** For the first of them: a second one ends the process at once. */
  onSignal(signal: 'SIGINT' | 'SIGTERM', call: () => void): void
}

export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export type Command = (args: readonly string[], terminal: Terminal) => Promise<void>

/** The terminal, pipes and signals of this process. */
export function ownTerminal(): Terminal {
  return {
    env: process.env,
    misspelled: [],
    get stdin() {
      return process.stdin
    },
    openStore: (url) => openStore(url),
    stderr: process.stderr,
    print: console.log,
    printError: console.error,
    exitCode: 0,
    onSignal: (signal, call) => void process.once(signal, call),
  }
}
