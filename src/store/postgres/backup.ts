import pg from 'pg'

/** The database's own tools do it better, and while nodes write: these name what to run. They ask for the password themselves. */
export function dumpCommand(databaseUrl: string, file: string): string {
  return line(['pg_dump', '--format=custom', ...where(databaseUrl), `--file=${file}`])
}

/** `force` replaces what is there; without it, a database with tables in it refuses. */
export function restoreCommand(databaseUrl: string, file: string, force: boolean): string {
  const replacing = force ? ['--clean', '--if-exists'] : []
  const careful = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges']
  return line(['pg_restore', ...careful, ...replacing, ...where(databaseUrl), file])
}

function where(databaseUrl: string): string[] {
  const { host, port, user, database } = new pg.Client({ connectionString: databaseUrl })
  return [`--host=${host}`, `--port=${port}`, `--username=${user}`, `--dbname=${database}`]
}

/** As a shell takes it. */
function line(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ')
}
