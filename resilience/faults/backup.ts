import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { RESTORE_GAP } from '../../src/store/shared/restore-gap.ts'
import { runCommand } from '../../test/support/command.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import { type Tables, tablesOf } from '../../test/support/tables.ts'
import type { Check } from '../harness/check.ts'
import { Harness } from '../harness/harness.ts'
import { Service } from '../harness/service.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

export interface BackupOptions {
  readonly folder: string
  readonly rounds: number
  readonly maxFailures: number
  readonly mayHang: boolean
  readonly random: () => number
}

/** Makes backups of a busy service, restores each into a new file and starts a service on it. */
export async function backUpBusyService(options: BackupOptions): Promise<Omit<ScenarioResult, 'setup'>> {
  const { folder, rounds, random } = options
  const live = join(folder, 'feed.db')
  await using harness = await Harness.open({ ...options, databaseUrl: `sqlite:${live}`, processes: 1 })
  const isComplete = new RepeatedCheck(
    'a backup contains every incident confirmed before it, and every event as the service has it',
  )
  const isRestored = new RepeatedCheck('every row of every table is restored as it is in the backup')
  const isServed = new RepeatedCheck('a service serves the restored store and continues after the gap')
  for (let round = 0; round < rounds && harness.isConfirming; round++) {
    await harness.nextConfirmation()
    await wait(random() * 500)
    const confirmed = [...harness.operators.confirmed]
    const backupFile = join(folder, `backup-${round}.db`)
    const restoredFile = join(folder, `restored-${round}.db`)
    const made = await runCommand(['backup', backupFile], { DATABASE_URL: `sqlite:${live}` })
    const restored = await runCommand(['restore', backupFile], { DATABASE_URL: `sqlite:${restoredFile}` })
    if (made.code !== 0 || restored.code !== 0) throw new Error(made.output + restored.output)
    const [liveTables, backupTables, restoredTables] = [live, backupFile, restoredFile].map(tablesOf)
    const events = backupTables!.events!
    const ids = new Set(events.map(({ incident_id }) => incident_id))
    isComplete.record(
      confirmed.every((id) => ids.has(id)) && isDeepStrictEqual(events, liveTables!.events!.slice(0, events.length)),
    )
    isRestored.record(isDeepStrictEqual(restoredTables, withRestoreGap(backupTables!)))
    isServed.record(await servesRestoredStore(restoredFile, harness, events))
  }
  const counts = await harness.finish()
  return { times: rounds, counts, checks: [isComplete, isRestored, isServed].map((check) => check.result()) }
}

/** Applies what a restore changes: it skips numbers that may have been used after the backup. */
export function withRestoreGap(tables: Tables): Tables {
  const later = (rows: Tables[string], column: string) =>
    rows.map((row) => ({ ...row, [column]: Number(row[column]) + RESTORE_GAP }))
  return {
    ...tables,
    log_head: later(tables.log_head!, 'seq'),
    watch_progress: later(tables.watch_progress!, 'sequence'),
  }
}

/**
 * Private addresses are not allowed here, so the endpoints receive no message from the restored
 * store.
 */
async function servesRestoredStore(file: string, harness: Harness, events: Tables[string]): Promise<boolean> {
  await using service = new Service({
    ...harness.environment,
    DATABASE_URL: `sqlite:${file}`,
    WEBHOOK_ALLOW_PRIVATE: 'false',
  })
  const client = harness.client.withUrl(() => service.url)
  const seqs: number[] = []
  for (let after = 0, hasMore = true; hasMore; ) {
    const { body } = await client.requestUntilAnswered('GET', `/v1/changes?after=${after}&limit=200`)
    seqs.push(...(body.data as { seq: number }[]).map(({ seq }) => seq))
    after = body.next_after as number
    hasMore = body.has_more as boolean
  }
  const inGap = await client.requestUntilAnswered('GET', `/v1/changes?after=${events.length + 1}`)
  return (
    isDeepStrictEqual(
      seqs,
      events.map(({ seq }) => seq),
    ) && inGap.body.code === 'position_lost'
  )
}

/** A check that is made in every round and passes if it passed in all of them. */
class RepeatedCheck {
  readonly #name: string
  #passed = 0
  #rounds = 0

  constructor(name: string) {
    this.#name = name
  }

  record(passed: boolean): void {
    this.#rounds++
    if (passed) this.#passed++
  }

  result(): Check {
    return {
      name: this.#name,
      passed: this.#rounds > 0 && this.#passed === this.#rounds,
      observed: `${this.#passed} of ${this.#rounds}`,
    }
  }
}

const FULL = { maxFailures: 1, mayHang: false, random: Math.random }

export const backup: Scenario = {
  description: 'backups made while incidents are confirmed and delivered, and restored into new files',
  rounds: 10,
  async run(rounds) {
    await using folder = await temporaryFolder()
    return [{ setup: 'SQLite', ...(await backUpBusyService({ ...FULL, folder: folder.path, rounds })) }]
  },
}
