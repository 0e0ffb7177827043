import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { RESTORE_GAP } from '../../src/store/shared/restore-gap.ts'
import { finished } from '../../test/support/command.ts'
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

/** Backs a busy service up, so often, and restores each backup elsewhere; then waits, and counts. */
export async function backUpBusy(options: BackupOptions): Promise<Omit<ScenarioResult, 'setup'>> {
  const { folder, rounds, random } = options
  const live = join(folder, 'feed.db')
  await using harness = await Harness.open({ ...options, databaseUrl: `sqlite:${live}`, processes: 1 })
  const whole = new Count('a backup has all that was confirmed before it, and every event as the service has it')
  const restored = new Count('restored, every row of every table is as in the backup')
  const answers = new Count('a service answers from the restored store, and goes on after the gap')
  for (let round = 0; round < rounds && harness.isWorking; round++) {
    await harness.nextConfirmation()
    await wait(random() * 500)
    const confirmed = [...harness.operators.confirmed]
    const copy = join(folder, `backup-${round}.db`)
    const elsewhere = join(folder, `restored-${round}.db`)
    const made = await finished(['backup', copy], { DATABASE_URL: `sqlite:${live}` })
    const restoring = await finished(['restore', copy], { DATABASE_URL: `sqlite:${elsewhere}` })
    if (made.code !== 0 || restoring.code !== 0) throw new Error(made.output + restoring.output)
    const [now, then, again] = [tablesOf(live), tablesOf(copy), tablesOf(elsewhere)]
    const events = then.events!
    const has = new Set(events.map(({ incident_id }) => incident_id))
    whole.add(confirmed.every((id) => has.has(id)) && isDeepStrictEqual(events, now.events!.slice(0, events.length)))
    restored.add(isDeepStrictEqual(again, skippedAhead(then)))
    answers.add(await answersFrom(elsewhere, harness, events))
  }
  const counts = await harness.counts()
  return { times: rounds, counts, checks: [whole, restored, answers].map((count) => count.promised()) }
}

/** What a restore changes: nothing that was given out after the backup is given out again. */
export function skippedAhead(tables: Tables): Tables {
  const later = (rows: Tables[string], column: string) =>
    rows.map((row) => ({ ...row, [column]: Number(row[column]) + RESTORE_GAP }))
  return {
    ...tables,
    log_head: later(tables.log_head!, 'seq'),
    watch_progress: later(tables.watch_progress!, 'sequence'),
  }
}

/** Its endpoints lie in a private network, which this one may not reach: nobody is told anything twice. */
async function answersFrom(file: string, harness: Harness, events: Tables[string]): Promise<boolean> {
  await using service = new Service({
    ...harness.environment,
    DATABASE_URL: `sqlite:${file}`,
    WEBHOOK_ALLOW_PRIVATE: 'false',
  })
  const client = harness.client.at(() => service.url)
  const seqs: number[] = []
  for (let after = 0, hasMore = true; hasMore; ) {
    const { body } = await client.requestUntilAnswered('GET', `/v1/changes?after=${after}&limit=200`)
    seqs.push(...(body.data as { seq: number }[]).map(({ seq }) => seq))
    after = body.next_after as number
    hasMore = body.has_more as boolean
  }
  const lost = await client.requestUntilAnswered('GET', `/v1/changes?after=${events.length + 1}`)
  return (
    isDeepStrictEqual(
      seqs,
      events.map(({ seq }) => seq),
    ) && lost.body.code === 'position_lost'
  )
}

/** How often something held. */
class Count {
  readonly #name: string
  #held = 0
  #all = 0

  constructor(name: string) {
    this.#name = name
  }

  add(held: boolean): void {
    this.#all++
    if (held) this.#held++
  }

  promised(): Check {
    return {
      name: this.#name,
      passed: this.#all > 0 && this.#held === this.#all,
      observed: `${this.#held} of ${this.#all}`,
    }
  }
}

const LONG = { maxFailures: 1, mayHang: false, random: Math.random }

export const backup: Scenario = {
  description: 'backups are made while incidents are confirmed and delivered, and restored elsewhere',
  rounds: 10,
  async run(rounds) {
    await using folder = await temporaryFolder()
    return [{ setup: 'SQLite', ...(await backUpBusy({ ...LONG, folder: folder.path, rounds })) }]
  },
}
