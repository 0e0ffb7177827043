import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from '../config.ts'
import { backUp, restore, skipAhead } from '../store/backup/backup.ts'
import type { BackupContents } from '../store/backup/contents.ts'

const USAGE = `incident-feed backup <file> [--force] [--database-url …]
incident-feed restore <file> [--force] [--database-url …]
incident-feed skip-ahead [--database-url …]`

/** For scripts: nothing was done, because the database's own tool has to be run. */
export const RUN_IT_YOURSELF = 3

const PASSWORD = 'It asks for the password, or takes it from PGPASSWORD or ~/.pgpass.'

export async function backupCommand(words: readonly string[]): Promise<void> {
  const { file, force, databaseUrl } = readWords(words, 1)
  const made = await backUp(databaseUrl, file!, force)
  if (!('command' in made)) return console.log(`Backed up to ${file}: ${textOf(made)}.`)
  console.error(`PostgreSQL is backed up by its own tool, of the server's version or later, while the service runs.`)
  console.error(`${PASSWORD} Run:`)
  leaveToUser([made.command])
}

export async function restoreCommand(words: readonly string[]): Promise<void> {
  const { file, force, databaseUrl } = readWords(words, 1)
  const restored = await restore(databaseUrl, file!, force, Date.now())
  if ('command' in restored) {
    console.error(`PostgreSQL is restored by its own tool, of the server's version or later. Stop every node first.`)
    console.error(`${PASSWORD} Run both, one after the other:`)
    return leaveToUser([restored.command, 'incident-feed skip-ahead'])
  }
  console.log(`Restored ${file}: ${textOf(restored.contents)}.`)
  if (restored.kept !== null) console.log(`What was there is kept as ${restored.kept}.`)
  console.log('Whoever has changes from after the backup is told so: docs/operating.md says how.')
}

export async function skipAheadCommand(words: readonly string[]): Promise<void> {
  const { databaseUrl } = readWords(words, 0)
  const { seq } = await skipAhead(databaseUrl)
  console.log(
    `The next event will be ${seq + 1}. Whoever has changes that are gone is told so: docs/operating.md says how.`,
  )
}

function leaveToUser(commands: readonly string[]): void {
  for (const command of commands) console.log(command)
  process.exitCode = RUN_IT_YOURSELF
}

function textOf({ incidents, events, watches, bytes }: BackupContents): string {
  const number = new Intl.NumberFormat('en')
  return `${number.format(incidents)} incidents, ${number.format(events)} events, ${number.format(watches)} watches, ${number.format(bytes)} bytes`
}

function readWords(words: readonly string[], files: 0 | 1) {
  const options = { force: { type: 'boolean' }, 'database-url': { type: 'string' } } as const
  const { values, positionals } = parse()
  const databaseUrl = values['database-url']
  const { DATABASE_URL } = readConfig(process.env, databaseUrl ? ['--database-url', databaseUrl] : [])
  return { file: positionals[0], force: values.force ?? false, databaseUrl: DATABASE_URL }

  function parse() {
    try {
      const parsed = parseArgs({ args: [...words], options, allowPositionals: true })
      if (parsed.positionals.length !== files) throw new Error(files === 1 ? 'name one file' : 'takes no file')
      return parsed
    } catch (error) {
      throw new ConfigError(`${(error as Error).message}\n\n${USAGE}`)
    }
  }
}
