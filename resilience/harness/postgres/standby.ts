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

export interface StandbyOptions {
  readonly port?: number
  /** Whether commits wait for it, as they do by default. */
  readonly synchronous?: boolean
  /** Milliseconds by which it replays each commit late; see `setDelay`. */
  readonly delayMs?: number
}

/**
 * Starts a standby that follows the primary by streaming replication, from a copy of the running
 * primary. Resolves once it streams; a synchronous one, once commits wait for it.
 */
export async function standbyOf(primary: PostgresServer, options: StandbyOptions = {}): Promise<PostgresServer> {
  const { port = await freePort(), synchronous = true, delayMs = 0 } = options
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
  const name = `standby ${port}`
  const source = `host=${hostname} port=${primaryPort} user=${username} password=${password} application_name=''${name}''`
  const settings = [`primary_conninfo = '${source}'`, `recovery_min_apply_delay = ${delayMs}`]
  await appendFile(join(folder, 'postgresql.auto.conf'), `\n${settings.join('\n')}\n`)
  const standby = await PostgresServer.startOn(folder, port)
  if (synchronous) await setSynchronous(primary, '*')
  await until(async () => {
    const rows = await primary.query('SELECT application_name, state, sync_state FROM pg_stat_replication')
    const found = rows.find(({ application_name }) => application_name === name)
    return found?.state === 'streaming' && (!synchronous || found.sync_state === 'sync')
  }, 'a standby that streams')
  return standby
}

/** Sets whether commits wait for all standbys (`*`) or for none. */
export async function setSynchronous(server: PostgresServer, names: '*' | ''): Promise<void> {
  await set(server, 'synchronous_standby_names', names)
}

/** Sets how late a standby replays each commit. A promotion replays what it has at once. */
export async function setDelay(standby: PostgresServer, ms: number): Promise<void> {
  await set(standby, 'recovery_min_apply_delay', String(ms))
}

/**
 * Stops the replication: what the primary commits from here on is lost if the standby is promoted.
 * A synchronous primary waits for it with each commit.
 */
export async function cutOff(standby: PostgresServer): Promise<void> {
  await set(standby, 'primary_conninfo', '')
  await until(async () => (await standby.query('SELECT 1 FROM pg_stat_wal_receiver')).length === 0, 'no replication')
}

async function set(server: PostgresServer, setting: string, value: string): Promise<void> {
  await server.query(`ALTER SYSTEM SET ${setting} = '${value}'`)
  await server.query('SELECT pg_reload_conf()')
}

/** Makes it a primary. */
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
