import { execFile } from 'node:child_process'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { until } from '../../../test/support/app.ts'
import { chownToServer, createDataFolder, freePort, PostgresServer } from './server.ts'

/**
 * Files that a base backup omits: the WAL comes from the primary, the others belong to its process.
 */
const EXCLUDED = ['./pg_wal/*', './postmaster.pid', './postmaster.opts']

/**
 * Starts a standby that follows the primary by streaming replication, from a copy of the running
 * primary. Resolves once replication is synchronous.
 */
export async function standbyOf(primary: PostgresServer, port?: number): Promise<PostgresServer> {
  const folder = await createDataFolder()
  const label = await copyData(primary, folder)
  for (const [name, text] of [
    ['backup_label', label],
    ['standby.signal', ''],
  ] as const) {
    await writeFile(join(folder, name), text)
    await chownToServer(join(folder, name))
  }
  const { hostname, port: primaryPort, username, password } = new URL(primary.url)
  const source = `host=${hostname} port=${primaryPort} user=${username} password=${password}`
  await appendFile(join(folder, 'postgresql.auto.conf'), `\nprimary_conninfo = '${source}'\n`)
  const standby = await PostgresServer.startOn(folder, port ?? (await freePort()))
  await setSynchronous(primary, '*')
  await until(async () => {
    const followers = await primary.query('SELECT sync_state FROM pg_stat_replication')
    return followers.some(({ sync_state }) => sync_state === 'sync')
  }, 'a synchronous standby')
  return standby
}

/** Sets whether commits wait for all standbys (`*`) or for none. */
export async function setSynchronous(server: PostgresServer, names: '*' | ''): Promise<void> {
  await server.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
  await server.query('SELECT pg_reload_conf()')
}

export async function promote(standby: PostgresServer): Promise<void> {
  const [row] = await standby.query('SELECT pg_promote() AS promoted')
  if (row?.promoted !== true) throw new Error('the standby was not promoted within a minute')
}

/** Copies the data directory and returns the backup label, which says where the WAL starts. */
async function copyData(primary: PostgresServer, folder: string): Promise<string> {
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  try {
    await client.query(`SELECT pg_backup_start('standby', fast => true)`)
    const excludes = EXCLUDED.map((name) => `--exclude='${name}'`).join(' ')
    const command = `tar -C '${primary.folder}' ${excludes} --warning=no-file-changed -cf - . | tar -C '${folder}' -xpf -`
    await promisify(execFile)('sh', ['-c', command])
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)')
    return rows[0].labelfile
  } finally {
    await client.end()
  }
}
