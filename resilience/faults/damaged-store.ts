import { createHash, randomBytes } from 'node:crypto'
import { copyFile, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { runCommand } from '../../test/support/commands.ts'
import { startServer } from '../../test/support/databases/postgres-server.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import type { Check } from '../harness/check.ts'
import type { Counts } from '../harness/counts.ts'
import { Harness } from '../harness/harness.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

const PAGE_BYTES = 4096
const RAISE_SCHEMA_VERSION = 'INSERT INTO schema_version (version) VALUES (999)'
/** One line that names the file, the damage and the remedy. */
const ERROR_LINE = /^incident-feed: \S*\.db: [^\n]*(restore|newer build)[^\n]*\n$/

export const DAMAGES = {
  'that is empty': (file) => truncate(file, 0),
  'truncated within its header': (file) => truncate(file, 50),
  'truncated within its first page': (file) => truncate(file, PAGE_BYTES / 2),
  'truncated after its first page': (file) => truncate(file, PAGE_BYTES),
  'truncated in the middle': (file, size) => truncate(file, Math.floor(size / 2)),
  'without its last page': (file, size) => truncate(file, size - PAGE_BYTES),
  'without its last byte': (file, size) => truncate(file, size - 1),
  'of random bytes': (file, size) => writeFile(file, randomBytes(size)),
  'with random bytes from the second page on': async (file, size) => {
    const whole = await readFile(file)
    randomBytes(size - PAGE_BYTES).copy(whole, PAGE_BYTES)
    await writeFile(file, whole)
  },
  'whose file is gone but not its write-ahead log': (file) => rename(file, `${file}-wal`),
  'of a newer build': async (file) => {
    using database = new DatabaseSync(file)
    database.exec(RAISE_SCHEMA_VERSION)
  },
} as const satisfies Record<string, (file: string, size: number) => Promise<void>>
export type Damage = keyof typeof DAMAGES

/** Damages a copy of the store in each way and starts a service on it, which must refuse it. */
export async function startOnDamagedStore(file: string, damages: readonly Damage[]): Promise<Check[]> {
  const checks: Check[] = []
  const damaged = file.replace(/\.db$/, '-damaged.db')
  for (const name of damages) {
    for (const suffix of ['', '-wal', '-shm']) await rm(damaged + suffix, { force: true })
    await copyFile(file, damaged)
    await DAMAGES[name](damaged, (await stat(file)).size)
    const before = await digestOf(damaged)
    const { code, output } = await runCommand(['serve', '--port', '0'], environmentFor(`sqlite:${damaged}`))
    const unchanged = (await digestOf(damaged)) === before
    const passed = code === 78 && ERROR_LINE.test(output) && unchanged
    checks.push({ name: `a store ${name} is refused`, passed, observed: describeExit(code, output, unchanged) })
  }
  return checks
}

export const damagedStore: Scenario = {
  description: 'a start on a store that is truncated, overwritten or of a newer build',
  rounds: 1,
  async run() {
    return [await onSqlite(), await onPostgres()]
  },
}

async function onSqlite(): Promise<ScenarioResult> {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'feed.db')
  const counts = await confirmTen(`sqlite:${file}`)
  // The killed service leaves a write-ahead log; a backup contains everything in one file.
  const whole = join(folder.path, 'whole.db')
  await runCommand(['backup', whole], environmentFor(`sqlite:${file}`))
  const checks = await startOnDamagedStore(whole, Object.keys(DAMAGES) as Damage[])
  return { setup: 'SQLite', times: checks.length, counts, checks }
}

async function onPostgres(): Promise<ScenarioResult> {
  await using server = await startServer()
  const counts = await confirmTen(server.url)
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(RAISE_SCHEMA_VERSION)
  await client.end()
  const { code, output } = await runCommand(['serve', '--port', '0'], environmentFor(server.url))
  const passed = code === 78 && /^incident-feed: [^\n]* version 999,[^\n]*newer build[^\n]*\n$/.test(output)
  const checks = [{ name: 'a store of a newer build is refused', passed, observed: describeExit(code, output, true) }]
  return { setup: 'PostgreSQL', times: 1, counts, checks }
}

async function confirmTen(databaseUrl: string): Promise<Counts> {
  await using harness = await Harness.open({
    databaseUrl,
    processes: 1,
    maxFailures: 0,
    mayHang: false,
    random: Math.random,
  })
  for (let confirmed = 0; confirmed < 10; confirmed++) await harness.nextConfirmation()
  return await harness.finish()
}

function environmentFor(databaseUrl: string): Record<string, string> {
  return { DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }
}

/** Returns null if there is no file. */
async function digestOf(file: string): Promise<string | null> {
  const bytes = await readFile(file).catch(() => null)
  return bytes === null ? null : createHash('sha256').update(bytes).digest('hex')
}

function describeExit(code: number | null, output: string, unchanged: boolean): string {
  const sentence = output.trim().replace(/\S*[/\\]/g, '')
  return `exit code ${code}, ${unchanged ? 'file unchanged' : 'FILE CHANGED'}: ${sentence}`
}
