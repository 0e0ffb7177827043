import { createHash, randomBytes } from 'node:crypto'
import { copyFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { finished } from '../../test/support/command.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import { startServer } from '../../test/support/postgres-server.ts'
import type { Check } from '../harness/check.ts'
import { type Counts, Harness } from '../harness/harness.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

const PAGE = 4096
const NEWER = 'INSERT INTO schema_version (version) VALUES (999)'
/** One sentence, which names the file, what is wrong with it and what to do. */
const REFUSAL = /^incident-feed: \S*\.db: [^\n]*(restore|newer build)[^\n]*\n$/

export const DAMAGES = {
  'of no bytes': (file) => truncate(file, 0),
  'cut off within its header': (file) => truncate(file, 50),
  'cut off within its first page': (file) => truncate(file, PAGE / 2),
  'cut off after its first page': (file) => truncate(file, PAGE),
  'cut off in the middle': (file, size) => truncate(file, Math.floor(size / 2)),
  'without its last page': (file, size) => truncate(file, size - PAGE),
  'without its last byte': (file, size) => truncate(file, size - 1),
  'all noise': (file, size) => writeFile(file, randomBytes(size)),
  'noise from the second page on': async (file, size) => {
    const whole = await readFile(file)
    randomBytes(size - PAGE).copy(whole, PAGE)
    await writeFile(file, whole)
  },
  'gone, with its log left behind': (file) => rename(file, `${file}-wal`),
  'of a newer build': async (file) => {
    using database = new DatabaseSync(file)
    database.exec(NEWER)
  },
} as const satisfies Record<string, (file: string, size: number) => Promise<void>>
export type Damage = keyof typeof DAMAGES

/** Damages a copy of a store in each way, and starts a service on it. */
export async function damage(file: string, ways: readonly Damage[]): Promise<Check[]> {
  const checks: Check[] = []
  const damaged = file.replace(/\.db$/, '-damaged.db')
  for (const name of ways) {
    for (const suffix of ['', '-wal', '-shm']) await rm(damaged + suffix, { force: true })
    await copyFile(file, damaged)
    await DAMAGES[name](damaged, (await stat(file)).size)
    const before = await digestOf(damaged)
    const { code, output } = await finished(['serve', '--port', '0'], environmentFor(`sqlite:${damaged}`))
    const unchanged = (await digestOf(damaged)) === before
    const passed = code === 1 && REFUSAL.test(output) && unchanged
    checks.push({ name: `a store ${name} is refused`, passed, observed: observed(code, output, unchanged) })
  }
  return checks
}

export const damagedStore: Scenario = {
  description: 'a service is started on a store that is cut off, overwritten or of a newer build',
  rounds: 1,
  async run() {
    return [await onSqlite(), await onPostgres()]
  },
}

async function onSqlite(): Promise<ScenarioResult> {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'feed.db')
  const counts = await happen(`sqlite:${file}`)
  // A service that was killed leaves its log: a backup has all of it in one file.
  const whole = join(folder.path, 'whole.db')
  await finished(['backup', whole], environmentFor(`sqlite:${file}`))
  const checks = await damage(whole, Object.keys(DAMAGES) as Damage[])
  return { setup: 'SQLite', times: checks.length, counts, checks }
}

async function onPostgres(): Promise<ScenarioResult> {
  await using server = await startServer()
  const counts = await happen(server.url)
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(NEWER)
  await client.end()
  const { code, output } = await finished(['serve', '--port', '0'], environmentFor(server.url))
  const passed = code === 1 && /^incident-feed: [^\n]* version 999,[^\n]*newer build[^\n]*\n$/.test(output)
  const checks = [{ name: 'a store of a newer build is refused', passed, observed: observed(code, output, true) }]
  return { setup: 'PostgreSQL', times: 1, counts, checks }
}

async function happen(databaseUrl: string): Promise<Counts> {
  await using harness = await Harness.open({
    databaseUrl,
    processes: 1,
    maxFailures: 0,
    mayHang: false,
    random: Math.random,
  })
  for (let confirmed = 0; confirmed < 10; confirmed++) await harness.nextConfirmation()
  return await harness.counts()
}

function environmentFor(databaseUrl: string): Record<string, string> {
  return { DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }
}

/** Null for none. */
async function digestOf(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch(() => null)
  return bytes === null ? null : createHash('sha256').update(bytes).digest('hex')
}

function observed(code: number | null, output: string, unchanged: boolean): string {
  const sentence = output.trim().replace(/\S*[/\\]/g, '')
  return `ended with ${code}, ${unchanged ? 'nothing written' : 'THE FILE WAS CHANGED'}: ${sentence}`
}
