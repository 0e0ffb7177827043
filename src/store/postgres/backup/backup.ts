import pg from 'pg'
import { Servers } from '../connection/servers.ts'

/** The database's own tools do it better, and while nodes write: these name what to run. They ask for the password themselves. */
export function dumpCommand(databaseUrl: string, file: string): string {
  return line(databaseUrl, ['pg_dump', '--format=custom', ...where(databaseUrl), `--file=${file}`])
}

/** `force` replaces what is there; without it, a database with tables in it refuses. */
export function restoreCommand(databaseUrl: string, file: string, force: boolean): string {
  const replacing = force ? ['--clean', '--if-exists'] : []
  const careful = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges']
  return line(databaseUrl, ['pg_restore', ...careful, ...replacing, ...where(databaseUrl), file])
}

function where(databaseUrl: string): string[] {
  const clients = new Servers(databaseUrl).urls.map((url) => new pg.Client({ connectionString: url }))
  const { user, database } = clients[0]!
  const hosts = clients.map(({ host }) => host).join(',')
  const ports = clients.map(({ port }) => port).join(',')
  return [`--host=${hosts}`, `--port=${ports}`, `--username=${user}`, `--dbname=${database}`]
}

/** As a shell takes it. Of several servers the tool is to take the primary. */
function line(databaseUrl: string, words: readonly string[]): string {
  const primary = new Servers(databaseUrl).urls.length > 1 ? ['PGTARGETSESSIONATTRS=read-write'] : []
  return [...primary, ...words.map(quoted)].join(' ')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
