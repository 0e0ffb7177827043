import { readdir, readFile, readlink } from 'node:fs/promises'
import pg from 'pg'
import { until } from '../../../test/support/app.ts'

/** The session that waits longest for the head of the log, by the port of its client. */
const FIRST_WAITER = `
  SELECT client_port AS port FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%log_head%'
  ORDER BY query_start
  LIMIT 1`

/** Locks the head of the log, on which every write waits, until it is released. */
export class HeldLog implements AsyncDisposable {
  readonly #client: pg.Client

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async hold(databaseUrl: string): Promise<HeldLog> {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    await client.query('BEGIN')
    await client.query('SELECT FROM log_head FOR UPDATE')
    return new HeldLog(client)
  }

  /** Returns which of the processes will get the lock first; null if it is none of them. */
  async firstWaiter(pids: readonly number[]): Promise<number | null> {
    let port: number | null = null
    await until(async () => {
      // A transaction sees one state of the activity; the next look must be a new one.
      await this.#client.query('SELECT pg_stat_clear_snapshot()')
      port = (await this.#client.query<{ port: number }>(FIRST_WAITER)).rows[0]?.port ?? null
      return port !== null
    }, 'a session that waits for the log')
    return processOfPort(port!, pids)
  }

  /** Lets the first waiter have the lock. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.query('ROLLBACK')
    await this.#client.end()
  }
}

/** True if some session holds a transaction open without doing anything in it. */
export async function hasIdleTransaction(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'`,
    )
    return rows.length > 0
  } finally {
    await client.end()
  }
}

/** Finds the process that has a TCP socket with this local port. */
async function processOfPort(port: number, pids: readonly number[]): Promise<number | null> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const line = (await readFile('/proc/net/tcp', 'utf8'))
    .split('\n')
    .find((one) => one.trim().split(/\s+/)[1]?.endsWith(suffix))
  const inode = line?.trim().split(/\s+/)[9]
  for (const pid of pids) {
    for (const file of await readdir(`/proc/${pid}/fd`)) {
      const target = await readlink(`/proc/${pid}/fd/${file}`).catch(() => '')
      if (target === `socket:[${inode}]`) return pid
    }
  }
  return null
}
