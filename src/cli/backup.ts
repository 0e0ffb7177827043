import { ConfigError } from '../config/setting-kinds.ts'
import { backUp, forkLog, recordBackup, restore } from '../store/backup.ts'
import { type BackupContents, BackupRefused } from '../store/interface/maintenance.ts'
import { DATABASE_OPTION, databaseUrlFrom, parseArguments } from './arguments.ts'
import type { Terminal } from './terminal.ts'

const USAGE = `incident-feed backup <file> [--force] [--database-url …]
incident-feed backup --record [--database-url …]
incident-feed restore <file> [--force] [--database-url …]
incident-feed skip-ahead [--database-url …]`

/** Exit code for scripts: nothing was done, because the database's own tool must be run. */
export const EXIT_MANUAL_STEP = 3

const PASSWORD_NOTE = 'It asks for the password, or takes it from PGPASSWORD or ~/.pgpass.'

export async function backupCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  if (args.includes('--record'))
    return recordCommand(
      args.filter((argument) => argument !== '--record'),
      terminal,
    )
  const { file, force, databaseUrl } = readOptions(args, 1, terminal)
  const startedAt = Date.now()
  const made = await backUp(databaseUrl, file!, force)
  if (!('command' in made)) {
    terminal.print(`Backed up to ${file}: ${contentsText(made)}.`)
    return noteBackup(databaseUrl, startedAt, terminal)
  }
  terminal.printError(
    `PostgreSQL is backed up by its own tool, of the server's version or later, while the service runs.`,
  )
  terminal.printError(`${PASSWORD_NOTE} Run both, the second one if the first succeeds:`)
  printCommands([made.command, 'incident-feed backup --record'], terminal)
}

/** For backups by other means than this command, such as `pg_dump` and snapshots. */
async function recordCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { databaseUrl, force } = readOptions(args, 0, terminal)
  if (force) throw new ConfigError(`--record takes no --force\n\n${USAGE}`)
  if (await recordBackup(databaseUrl, Date.now())) return terminal.print('Noted that a backup was made just now.')
  throw new BackupRefused('The database has the schema of an older version, which does not note backups')
}

/** The backup is complete: that its time cannot be noted makes it no failure, but is said. */
async function noteBackup(databaseUrl: string, takenAt: number, terminal: Terminal): Promise<void> {
  try {
    if (await recordBackup(databaseUrl, takenAt)) return
    terminal.printError('Its time is not noted for /metrics: the database has the schema of an older version.')
  } catch (error) {
    terminal.printError(`Its time could not be noted for /metrics: ${(error as Error).message}`)
  }
}

export async function restoreCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { file, force, databaseUrl } = readOptions(args, 1, terminal)
  const restored = await restore(databaseUrl, file!, force, Date.now())
  if ('command' in restored) {
    terminal.printError(
      `PostgreSQL is restored by its own tool, of the server's version or later. Stop every node first.`,
    )
    terminal.printError(`${PASSWORD_NOTE} Run both, one after the other:`)
    return printCommands([restored.command, 'incident-feed skip-ahead'], terminal)
  }
  terminal.print(`Restored ${file}: ${contentsText(restored.contents)}.`)
  if (restored.kept !== null) terminal.print(`The previous database is kept as ${restored.kept}.`)
  terminal.print('Clients that have changes from after the backup receive an error (410): see docs/operating.md.')
}

export async function skipAheadCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const { databaseUrl } = readOptions(args, 0, terminal)
  const { seq } = await forkLog(databaseUrl, Date.now())
  terminal.print(
    `The log goes on after event ${seq}. Clients that have lost changes receive an error (410): see docs/operating.md.`,
  )
}

function printCommands(commands: readonly string[], terminal: Terminal): void {
  for (const command of commands) terminal.print(command)
  terminal.exitCode = EXIT_MANUAL_STEP
}

function contentsText({ incidents, events, watches, bytes }: BackupContents): string {
  return Object.entries({ incidents, events, watches, bytes })
    .map(([unit, count]) => `${count.toLocaleString('en')} ${unit}`)
    .join(', ')
}

function readOptions(args: readonly string[], files: 0 | 1, terminal: Terminal) {
  const { values, positionals } = parseArguments(args, { ...DATABASE_OPTION, force: { type: 'boolean' } }, USAGE)
  if (positionals.length !== files)
    throw new ConfigError(`${files === 1 ? 'name one file' : 'this command takes no file'}\n\n${USAGE}`)
  return { file: positionals[0], force: values.force ?? false, databaseUrl: databaseUrlFrom(values, terminal) }
}
