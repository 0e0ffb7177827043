import pg from 'pg'
import { NOT_BACKED_UP } from '../copy/tables.ts'
import { Servers, useClient } from './servers.ts'

/**
 * The `pg_dump` command: works while nodes write, and asks for the password itself. Only its user
 * can read the file.
 */
export function dumpCommand(databaseUrl: string, file: string): string {
  const without = NOT_BACKED_UP.map((table) => `--exclude-table-data=${table}`)
  const words = ['pg_dump', '--format=custom', ...without, ...connectionOptions(databaseUrl), `--file=${file}`]
  return `(umask 077; ${shellCommand(databaseUrl, words)})`
}

/** With `force` the command replaces existing tables; without it, it fails if there are any. */
export function restoreCommand(databaseUrl: string, file: string, force: boolean): string {
  const replaceOptions = force ? ['--clean', '--if-exists'] : []
  const safeOptions = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges']
  return shellCommand(databaseUrl, [
    'pg_restore',
    ...safeOptions,
    ...replaceOptions,
    ...connectionOptions(databaseUrl),
    file,
  ])
}

function connectionOptions(databaseUrl: string): string[] {
  const clients = new Servers(databaseUrl).urls.map((url) => new pg.Client({ connectionString: url }))
  const { user, database } = clients[0]!
  const hosts = clients.map(({ host }) => host).join(',')
  const ports = clients.map(({ port }) => port).join(',')
  return [`--host=${hosts}`, `--port=${ports}`, `--username=${user}`, `--dbname=${database}`]
}

/** Quotes the words for a shell. Of several servers, the tool must use the primary. */
function shellCommand(databaseUrl: string, words: readonly string[]): string {
  const primary = new Servers(databaseUrl).urls.length > 1 ? ['PGTARGETSESSIONATTRS=read-write'] : []
  return [...primary, ...words.map(quoted)].join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * Counts connections of this service's nodes to the database, those that listen included: an idle
 * node closes all others.
 */
export function countConnections(databaseUrl: string): Promise<number> {
  return useClient(new Servers(databaseUrl), ONE_COMMAND, countOtherConnections)
}

export async function countOtherConnections(client: pg.ClientBase): Promise<number> {
  for (let looks = 1; ; looks++) {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'incident-feed%' AND pid <> pg_backend_pid()`,
    )
    const { count } = rows[0]!
    // The server ends those of a node that has just stopped a moment later.
    if (count === 0 || looks === LOOKS) return count
    await client.query('SELECT pg_sleep(0.1), pg_stat_clear_snapshot()')
  }
}

const LOOKS = 20

export function recordPostgresBackup(databaseUrl: string, takenAt: number): Promise<boolean> {
  return useClient(new Servers(databaseUrl), ONE_COMMAND, async (client) => {
    const { rows } = await client.query("SELECT to_regclass('last_backup') IS NOT NULL AS exists")
    if (!rows[0].exists) return false
    await client.query(
      `INSERT INTO last_backup (taken_at) VALUES ($1)
       ON CONFLICT (single) DO UPDATE SET taken_at = greatest(last_backup.taken_at, excluded.taken_at)`,
      [takenAt],
    )
    return true
  })
}

const ONE_COMMAND = { connectionTimeoutMillis: 3_000 }
