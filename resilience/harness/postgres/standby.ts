import { execFile } from 'node:child_process'
import { appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { until } from '../../../test/support/app.ts'
import { freePort, give, newFolder, PostgresServer } from './server.ts'

/** What a backup leaves out: the log comes from the primary, and who runs there is no business of the copy. */
const LEFT_OUT = ['./pg_wal/*', './postmaster.pid', './postmaster.opts']

/**
 * A standby that follows the primary by streaming replication, from a copy made while that goes on. Resolves once no commit
 * of the primary's is answered before the standby has it.
 */
export async function standbyOf(primary: PostgresServer, port?: number): Promise<PostgresServer> {
  const folder = await newFolder()
  const label = await copy(primary, folder)
  for (const [name, text] of [
    ['backup_label', label],
    ['standby.signal', ''],
  ] as const) {
    await writeFile(join(folder, name), text)
    await give(join(folder, name))
  }
  const { hostname, port: at, username, password } = new URL(primary.url)
  const source = `host=${hostname} port=${at} user=${username} password=${password}`
  await appendFile(join(folder, 'postgresql.auto.conf'), `\nprimary_conninfo = '${source}'\n`)
  const standby = await PostgresServer.of(folder, port ?? (await freePort()))
  await setSynchronous(primary, '*')
  await until(async () => {
    const followers = await primary.query('SELECT sync_state FROM pg_stat_replication')
    return followers.some(({ sync_state }) => sync_state === 'sync')
  }, 'a standby that follows')
  return standby
}

/** Whose word a commit waits for: everybody's (`*`), or nobody's. */
export async function setSynchronous(server: PostgresServer, names: '*' | ''): Promise<void> {
  await server.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
  await server.query('SELECT pg_reload_conf()')
}

export async function promote(standby: PostgresServer): Promise<void> {
  const [answer] = await standby.query('SELECT pg_promote() AS promoted')
  if (answer?.promoted !== true) throw new Error('the standby was not promoted within a minute')
}

/** Resolves with the copy's label: where in the log it begins. */
async function copy(primary: PostgresServer, folder: string): Promise<string> {
  const client = new pg.Client({ connectionString: primary.url })
  await client.connect()
  try {
    await client.query(`SELECT pg_backup_start('standby', fast => true)`)
    const except = LEFT_OUT.map((name) => `--exclude='${name}'`).join(' ')
    const command = `tar -C '${primary.folder}' ${except} --warning=no-file-changed -cf - . | tar -C '${folder}' -xpf -`
    await promisify(execFile)('sh', ['-c', command])
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)')
    return rows[0].labelfile
  } finally {
    await client.end()
  }
}
