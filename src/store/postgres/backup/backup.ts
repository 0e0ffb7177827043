import pg from 'pg'
import { NOT_BACKED_UP } from '../../backup/contents.ts'
import { Servers } from '../connection/servers.ts'

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
