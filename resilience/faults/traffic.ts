import { setTimeout as wait } from 'node:timers/promises'
import type { Check } from '../harness/check.ts'
import { onEachStore, onEmptyDatabase } from '../harness/databases.ts'
import { Harness } from '../harness/harness.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

const QUICK_MS = 4000
const SECOND_MS = 1000

const BASE = { processes: 2, maxFailures: 1, mayHang: false, random: Math.random, deliveryTimeoutMs: 60_000 }

/** Runs the service without any fault, so that a wrong answer is the fault of the service alone. */
export async function runTraffic(setup: string, databaseUrl: string, durationMs: number): Promise<ScenarioResult> {
  await using harness = await Harness.open({ ...BASE, databaseUrl })
  await harness.nextConfirmation()
  await wait(durationMs)
  harness.check()
  const counts = await harness.finish()
  const repeated: Check = {
    name: 'no message is sent again after its endpoint has accepted it',
    passed: counts.repeated === 0,
    observed: `${counts.repeated} of ${counts.delivered}`,
  }
  return { setup: `${setup}, two processes`, times: 1, counts, checks: [repeated, harness.responses.check] }
}

export const traffic: Scenario = {
  description: 'reports, corrections and retractions without any fault',
  rounds: 20,
  quick: () => onEmptyDatabase('sqlite', async (url) => [await runTraffic('SQLite', url, QUICK_MS)]),
  run: (seconds) => onEachStore((setup, url) => runTraffic(setup, url, seconds * SECOND_MS)),
}
