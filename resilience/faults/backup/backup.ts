import { copyFile } from 'node:fs/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { temporaryFolder } from '../../../test/support/folder.ts'
import { Harness } from '../../harness/harness.ts'
import { PostgresServer } from '../../harness/postgres/server.ts'
import { Service } from '../../harness/service.ts'
import { notRun, type Scenario, type ScenarioOptions, type ScenarioResult } from '../../scenario.ts'
import { findTableDifferences, type KeyedTables, type Row } from './compare-tables.ts'
import { findCountDifferences, withoutDeskCounts } from './desk-counts.ts'
import { RepeatedCheck } from './repeated-check.ts'
import { type BackupStore, installedPostgres, postgresBackups, sqliteBackups } from './stores.ts'

export interface BackupOptions {
  readonly rounds: number
  readonly maxFailures: number
  readonly mayHang: boolean
  readonly random: () => number
}

/** Makes backups of a busy service, restores each elsewhere and starts a service on it. */
export async function backUpBusyService(
  store: BackupStore,
  options: BackupOptions,
): Promise<Omit<ScenarioResult, 'setup'>> {
  const { rounds, random } = options
  await using harness = await Harness.open({ ...options, databaseUrl: store.databaseUrl, processes: 1 })
  const isComplete = new RepeatedCheck('a backup contains every incident confirmed before it')
  const isEqual = new RepeatedCheck('every row of every table is in the backup as in the store, and none besides')
  const isRestored = new RepeatedCheck('every row of every table is restored as it is in the backup')
  const isServed = new RepeatedCheck('a service serves the restored store, and refuses positions that are not in it')
  for (let round = 0; round < rounds && harness.isConfirming; round++) {
    await harness.nextConfirmation()
    await wait(random() * 500)
    const confirmed = [...harness.operators.confirmed]
    const before = await store.readTables(store.databaseUrl)
    const backup = await store.backUp(`backup-${round}`)
    const after = await store.readTables(store.databaseUrl)
    const copied = await backup.tables()
    const restoredUrl = await backup.restore()
    const restored = await store.readTables(restoredUrl)
    const events = rowsOf(copied, 'events')
    const ids = new Set(events.map(({ incident_id }) => incident_id))
    isComplete.record(confirmed.filter((id) => !ids.has(id)).map((id) => `${id} is missing`))
    const [first, last, copy] = [before, after, copied].map(withoutDeskCounts) as [
      KeyedTables,
      KeyedTables,
      KeyedTables,
    ]
    isEqual.record([...findTableDifferences(first, last, copy), ...findCountDifferences(copied)])
    isRestored.record(findTableDifferences(withoutFork(copied), withoutFork(copied), withoutFork(restored)))
    isServed.record(
      await findServingProblems(
        restoredUrl,
        harness,
        events.map(({ seq }) => Number(seq)),
      ),
    )
  }
  const counts = await harness.finish()
  const checks = [isComplete, isEqual, isRestored, isServed].map((check) => check.result())
  return { times: rounds, counts, checks }
}

/** Heads of which a restore changes every row: numbers used after the backup are not used again. */
const FORKED = new Set(['log_forks', 'log_head', 'watch_progress', 'watch_head', 'desk_head', 'gazetteer_head'])

function withoutFork(tables: KeyedTables): KeyedTables {
  return new Map([...tables].filter(([table]) => !FORKED.has(table)))
}

function rowsOf(tables: KeyedTables, table: string): Row[] {
  return [...tables.get(table)!.values()].sort((one, other) => Number(one.seq) - Number(other.seq))
}

/**
 * Private addresses are not allowed here, so the endpoints receive no message from the restored
 * store.
 */
async function findServingProblems(databaseUrl: string, harness: Harness, expected: number[]): Promise<string[]> {
  await copySecretsKey(harness.environment.DATABASE_URL!, databaseUrl)
  await using service = new Service({
    ...harness.environment,
    DATABASE_URL: databaseUrl,
    WEBHOOK_ALLOW_PRIVATE: 'false',
  })
  const client = harness.client.withUrl(() => service.url)
  const seqs: number[] = []
  let end = '0'
  for (let hasMore = true; hasMore; ) {
    const { body } = await client.requestUntilAnswered('GET', `/v1/changes?after=${end}&limit=200`)
    seqs.push(...(body.data as { seq: number }[]).map(({ seq }) => seq))
    end = body.next_after as string
    hasMore = body.has_more as boolean
  }
  await harness.nextConfirmation()
  const { body: busy } = await harness.client.requestUntilAnswered('GET', `/v1/changes?after=${end}&limit=200`)
  const lost = await client.requestUntilAnswered('GET', `/v1/changes?after=${busy.next_after}`)
  const isRefused = lost.body.code === 'position_lost' && lost.body.resume_after === end
  return [
    ...(isDeepStrictEqual(seqs, expected) ? [] : [`${seqs.length} events are served, not ${expected.length}`]),
    ...(isRefused ? [] : [`a lost position is answered ${lost.status}: ${JSON.stringify(lost.body)}`]),
  ]
}

/** SQLite keeps the key of the secrets in a file beside the database, which a backup leaves out. */
async function copySecretsKey(from: string, to: string): Promise<void> {
  if (!from.startsWith('sqlite:')) return
  const keyOf = (url: string) => `${url.slice('sqlite:'.length)}.secrets-key`
  await copyFile(keyOf(from), keyOf(to)).catch((error: NodeJS.ErrnoException) => {
    // There is none if the key comes from the environment.
    if (error.code !== 'ENOENT') throw error
  })
}

const FULL = { maxFailures: 1, mayHang: false, random: Math.random }

async function runOnStores(rounds: number, store?: ScenarioOptions['store']): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = []
  await using folder = await temporaryFolder()
  if (store !== 'postgres')
    results.push({ setup: 'SQLite', ...(await backUpBusyService(sqliteBackups(folder.path), { ...FULL, rounds })) })
  if (store !== 'sqlite') {
    const tools = installedPostgres()
    if (tools === null)
      return [
        ...results,
        notRun('PostgreSQL', 'no server with pg_dump and pg_restore is installed (apt-get install postgresql)'),
      ]
    await using server = await PostgresServer.create({ programs: tools })
    const backups = postgresBackups(server.url, folder.path, tools)
    results.push({ setup: 'PostgreSQL', ...(await backUpBusyService(backups, { ...FULL, rounds })) })
  }
  return results
}

export const backup: Scenario = {
  description: 'backups made while incidents are confirmed and delivered, restored elsewhere and compared',
  rounds: 10,
  quick: () => runOnStores(1, 'sqlite'),
  run: (rounds, { store }) => runOnStores(rounds, store),
}
