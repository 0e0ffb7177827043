#!/usr/bin/env node
import { ConfigError } from './config.ts'
import { BoundariesFetchError } from './geo/boundaries/fetch.ts'
import { BoundariesFormatError } from './geo/boundaries/geojson.ts'
import { UnreadableFile } from './intake/importing/formats/format.ts'
import { UnwritableFile } from './intake/importing/rejected-rows.ts'
import { BackupRefused } from './store/backup/contents.ts'
import { StoreUnavailable, StoreUnusable } from './store/store.ts'

type Command = (words: readonly string[]) => Promise<void>

/** Loaded when asked for: making a key needs no web server. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./cli/serve.ts')).serveCommand,
  import: async () => (await import('./cli/import.ts')).importCommand,
  boundaries: async () => (await import('./cli/boundaries.ts')).boundariesCommand,
  keys: async () => (await import('./cli/keys.ts')).keysCommand,
  backup: async () => (await import('./cli/backup.ts')).backupCommand,
  restore: async () => (await import('./cli/backup.ts')).restoreCommand,
  'skip-ahead': async () => (await import('./cli/backup.ts')).skipAheadCommand,
}

const USAGE = `incident-feed [serve] [--setting value …]   run the service
incident-feed keys create --scope operate   make a key in the database
incident-feed keys generate                 make a key for OPERATOR_KEY
incident-feed import <format> <file|->       bring history into the archive; import --help says more
incident-feed boundaries install [file|url] put LGA boundaries beside the database
incident-feed backup <file> [--force]       copy the database while the service runs
incident-feed restore <file> [--force]      put a backup in the database's place
incident-feed skip-ahead                    after the database was put back to an earlier state by other means

Settings are described in docs/settings.md.`

/** What a person can put right; anything else is ours, and comes with its trace. */
const EXPECTED = [
  ConfigError,
  StoreUnusable,
  StoreUnavailable,
  BackupRefused,
  BoundariesFormatError,
  BoundariesFetchError,
  UnreadableFile,
  UnwritableFile,
]

/** Commands with help of their own. */
const SPEAK_FOR_THEMSELVES = ['import']

const words = process.argv.slice(2)
const isCommand = words[0] !== undefined && !words[0].startsWith('--')
const name = isCommand ? words[0]! : 'serve'

try {
  if (name === 'help' || (words.includes('--help') && !SPEAK_FOR_THEMSELVES.includes(name))) console.log(USAGE)
  else if (!Object.hasOwn(COMMANDS, name)) throw new ConfigError(`${name} is not a command\n\n${USAGE}`)
  else await (await COMMANDS[name]!())(isCommand ? words.slice(1) : words)
} catch (error) {
  const expected = EXPECTED.some((kind) => error instanceof kind)
  console.error(expected ? `incident-feed: ${(error as Error).message}` : error)
  process.exitCode = 1
}
