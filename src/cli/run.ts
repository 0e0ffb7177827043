import { inspect } from 'node:util'
import { OperatorKeyRefused } from '../accounts/keys.ts'
import { misspelledSettings } from '../config/misspelled-settings.ts'
import { readConfig } from '../config/read-config.ts'
import { ConfigError, SettingError, SettingUnavailable } from '../config/setting-kinds.ts'
import { readEnvironment, takeSettingsFile } from '../config/settings-file.ts'
import { PlacesRefused } from '../desk/gazetteer/import-places.ts'
import { UnreadableFile } from '../desk/importing/formats/format.ts'
import { UnwritableFile } from '../desk/importing/rejected-rows.ts'
import { BoundariesFormatError } from '../geo/boundaries.ts'
import { BoundariesFetchError } from '../geo/install-boundaries.ts'
import { RoadsFormatError } from '../geo/roads.ts'
import { keepCompiledCode } from '../startup/compiled-code.ts'
import { BackupRefused, CopyRefused } from '../store/interface/maintenance.ts'
import { StoreUnavailable, StoreUnusable } from '../store/store.ts'
import { COMMIT, SCHEMA, VERSION } from '../version.ts'
import type { Command, Terminal } from './terminal.ts'

/** Loaded on demand: creating a key needs no web server. */
const COMMANDS: Readonly<Record<string, (args: readonly string[], terminal: Terminal) => Promise<Command>>> = {
  serve: prepareService,
  import: async () => (await import('./import.ts')).importCommand,
  imports: async () => (await import('./imports.ts')).importsCommand,
  extract: async () => (await import('./extract.ts')).extractCommand,
  boundaries: async () => (await import('./boundaries.ts')).boundariesCommand,
  places: async () => (await import('./places.ts')).placesCommand,
  accounts: async () => (await import('./accounts.ts')).accountsCommand,
  keys: async () => (await import('./keys.ts')).keysCommand,
  sources: async () => (await import('./sources.ts')).sourcesCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./backup.ts')).restoreCommand,
  doctor: async () => (await import('./doctor/doctor.ts')).doctorCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  copy: async () => (await import('./copy.ts')).copyCommand,
  secrets: async () => (await import('./secrets.ts')).secretsCommand,
  'skip-ahead': async () => (await import('./backup.ts')).skipAheadCommand,
}

/** The service is a thousand modules: what is compiled from them is kept for its next start. */
async function prepareService(args: readonly string[], { env }: Terminal): Promise<Command> {
  const notKept = keepCompiledCode(readConfig(env, args))
  const { serveCommand } = await import('./serve.ts')
  return () => serveCommand(args, env, notKept)
}

const USAGE = `incident-feed [serve] [--setting value …]   run the service
incident-feed keys create --scope operate   create a key in the database
incident-feed keys generate                 generate a key for OPERATOR_KEY
incident-feed keys list|revoke              list keys, or revoke one
incident-feed accounts list                 list accounts
incident-feed accounts block|unblock|role|delete   change or delete an account
incident-feed accounts create               open an account for a person
incident-feed accounts sign-in-link         print a link that signs in
incident-feed import <format> <file|->       import historical incidents; see import --help
incident-feed imports list|show|undo        what was imported; take an import back
incident-feed extract [--json] < story.txt   propose the reports that a story contains
incident-feed sources add|list|test           read the news: feeds that are polled
incident-feed sources pause|resume|remove    change a news source
incident-feed boundaries install [file|url] install LGA boundaries beside the database
incident-feed places import <file|->         add places from GeoNames or GeoJSON
incident-feed backup <file> [--force]       copy the database while the service runs
incident-feed backup --record               note a backup made by other tools
incident-feed restore <file> [--force]      replace the database with a backup
incident-feed skip-ahead                    run after restoring the database by other means
incident-feed doctor [--json]               check settings, database, mail, DNS, proxy … and say what to mend
incident-feed verify [--position …]         check that nobody has changed the log
incident-feed copy --from … --to …          move the database, from SQLite to PostgreSQL or back
incident-feed secrets replace-lost          give watches new secrets after SECRETS_KEY was lost
incident-feed --version                     print version, commit and schema

Every command takes --settings-file FILE (or INCIDENT_FEED_SETTINGS; by default /etc/incident-feed/settings, if it is
there). Settings are described in docs/settings.md.`

const REFUSED = 1
/** As sysexits.h numbers them: a supervisor need not try again after the second. */
const UNAVAILABLE = 69
const WRONG_CONFIGURATION = 78

/** Printed as one sentence, because a person can correct them; others with a stack trace. */
const USER_ERRORS = [
  [SettingError, WRONG_CONFIGURATION],
  [OperatorKeyRefused, WRONG_CONFIGURATION],
  [StoreUnusable, WRONG_CONFIGURATION],
  [BoundariesFormatError, WRONG_CONFIGURATION],
  [RoadsFormatError, WRONG_CONFIGURATION],
  [SettingUnavailable, UNAVAILABLE],
  [StoreUnavailable, UNAVAILABLE],
  [ConfigError, REFUSED],
  [BackupRefused, REFUSED],
  [CopyRefused, REFUSED],
  [BoundariesFetchError, REFUSED],
  [UnreadableFile, REFUSED],
  [PlacesRefused, REFUSED],
  [UnwritableFile, REFUSED],
] as const

const WITH_OWN_HELP = ['import']

/** Runs what the arguments of `incident-feed` say; returns the exit code. */
export async function runCommand(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const { file, words: args } = takeSettingsFile(words)
    await runNamed(args, file, terminal)
    return terminal.exitCode
  } catch (error) {
    const [, code] = USER_ERRORS.find(([kind]) => error instanceof kind) ?? []
    // Errors of the system, such as that of a file, name what they are about.
    const isExpected = code !== undefined || (error instanceof Error && 'syscall' in error)
    terminal.printError(isExpected ? `incident-feed: ${(error as Error).message}` : inspect(error))
    return code ?? REFUSED
  }
}

async function runNamed(args: readonly string[], file: string | null, terminal: Terminal): Promise<void> {
  const isCommand = args[0] !== undefined && !args[0].startsWith('--')
  const name = isCommand ? args[0]! : 'serve'
  const given = isCommand ? args.slice(1) : args
  if (name === 'help' || (args.includes('--help') && !WITH_OWN_HELP.includes(name))) return terminal.print(USAGE)
  if (args.includes('--version'))
    return terminal.print(`incident-feed ${VERSION} (commit ${COMMIT ?? 'unknown'}, schema ${SCHEMA})`)
  if (!Object.hasOwn(COMMANDS, name)) throw new ConfigError(`${name} is not a command\n\n${USAGE}`)
  readSettings(file, name, terminal)
  await (await COMMANDS[name]!(given, terminal))(given, terminal)
}

/** The doctor has the misspelled names among its findings. */
function readSettings(file: string | null, command: string, terminal: Terminal): void {
  const warn = (message: string) => terminal.printError(`incident-feed: warning: ${message}`)
  const own = Object.keys(terminal.env)
  const { environment, fileNames } = readEnvironment(terminal.env, file, warn)
  terminal.env = environment
  terminal.misspelled = misspelledSettings(own, fileNames)
  if (command !== 'doctor') for (const { message, mend } of terminal.misspelled) warn(`${message}. ${mend}`)
}
