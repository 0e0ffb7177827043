import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import pg from 'pg'
import { type Cluster, createDatabase, dropDatabase, poolAt, startCluster, withDatabase } from './postgres-server.ts'

let own: Promise<Cluster> | null = null

/** Returns the cluster of `global-setup.ts`, or starts one if a file runs without it. */
function cluster(): Promise<Pick<Cluster, 'url' | 'template'>> {
  const { TEST_CLUSTER_URL: url, TEST_CLUSTER_TEMPLATE: template } = process.env
  if (url && template) return Promise.resolve({ url, template })
  own ??= startCluster()
  return own
}

// Registered at the top level: inside a test it would be a hook of that test only.
after(async () => (await own)?.[Symbol.asyncDispose]())

export interface TestDatabase extends AsyncDisposable {
  readonly url: string
}

/** Returns a database for one test: migrated or empty. */
export async function testDatabase(kind: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
  const { url, template } = await cluster()
  if (kind === 'migrated') return keptDatabase(url, template)
  const name = await createDatabase(url, 'template0', nameAfter(template))
  return { url: withDatabase(url, name), [Symbol.asyncDispose]: () => dropDatabase(url, name) }
}

/** A migrated database, and the statements that make it again what it was. */
interface KeptDatabase {
  readonly name: string
  readonly pool: pg.Pool
  readonly catalog: string
  readonly restoring: string
}

const idle: KeptDatabase[] = []

/**
 * A migrated database that serves the next test of this process when one is done: emptying it takes
 * a tenth of what it takes to make one and to connect to it for the first time. One whose tables
 * are not what they were is not used again.
 */
async function keptDatabase(url: string, template: string): Promise<TestDatabase> {
  const kept = idle.pop() ?? (await makeKept(url, template))
  return {
    url: withDatabase(url, kept.name),
    async [Symbol.asyncDispose]() {
      if (await restore(kept).catch(() => false)) idle.push(kept)
      else {
        await kept.pool.end()
        await dropDatabase(url, kept.name)
      }
    },
  }
}

async function makeKept(url: string, template: string): Promise<KeptDatabase> {
  const name = await createDatabase(url, template, nameAfter(template))
  // One connection, which knows all tables already when it empties them.
  const pool = poolAt(withDatabase(url, name), 1)
  return { name, pool, catalog: await catalogOf(pool), restoring: await restoringStatements(pool) }
}

async function restore({ pool, catalog, restoring }: KeptDatabase): Promise<boolean> {
  // A connection that a test has left may hold locks.
  await pool.query(
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  )
  if ((await catalogOf(pool)) !== catalog) return false
  await pool.query(restoring)
  return true
}

/** Differs if a table, a column, a trigger, a function or a setting was made or changed. */
async function catalogOf(pool: pg.Pool): Promise<string> {
  const changes = [
    ...['pg_class', 'pg_attribute', 'pg_constraint', 'pg_trigger'].map(
      (table) => `(SELECT sum(xmin::text::bigint) FROM ${table})`,
    ),
    '(SELECT count(*) FROM pg_proc)',
    '(SELECT xmin FROM pg_database WHERE datname = current_database())',
    `(SELECT string_agg(setconfig::text, ' ') FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
      WHERE datname = current_database())`,
  ]
  const { rows } = await pool.query({ text: `SELECT ${changes.join(', ')}`, rowMode: 'array' })
  return rows.join()
}

/** Empties every table but for the rows of the migrations, and starts the sequences again. */
async function restoringStatements(pool: pg.Pool): Promise<string> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  )
  // Without the triggers that check references between tables.
  const statements = ['BEGIN', 'SET LOCAL session_replication_role = replica']
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string | null }>(
      `SELECT quote_literal(json_agg(t)::text) AS text FROM ${name} t`,
    )
    statements.push(`DELETE FROM ${name}`)
    const text = rows[0]!.text
    if (text !== null)
      statements.push(
        `INSERT INTO ${name} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${name}, ${text})`,
      )
  }
  const { rows: sequences } = await pool.query<{ statement: string }>(
    `SELECT format('SELECT setval(%L, %s, %L)', format('%I.%I', schemaname, sequencename),
                   coalesce(last_value, start_value), last_value IS NOT NULL) AS statement
     FROM pg_sequences`,
  )
  return [...statements, ...sequences.map(({ statement }) => statement), 'COMMIT'].join(';\n')
}

/** Runs one statement without the store. */
export async function execute(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

const nameAfter = (template: string) => `${template}_${randomBytes(6).toString('hex')}`
