import type { Check } from '../harness/check.ts'
import { onEmptyDatabase, STORE_NAMES } from '../harness/databases.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'
import { type Fuzzed, fuzz as fuzzOne } from './fuzz-service.ts'
import { PATIENCE } from './sender.ts'

/** What each is sent where both are asked. */
const SHARES = { sqlite: 0.75, postgres: 0.25 }
/** Bytes a request: a leak of 1 kB in each would break it twice over. */
const MOST_KEPT = 500
/** What the system counts swings with the allocator, by so much; a leak beyond the heap, in the store's thread, shows there. */
const SWING = 40_000_000
/** Files and sockets; a stream or a download that is not closed holds one each time. */
const MORE_OPEN = 50
const MILLION = 1_000_000

export const fuzz: Scenario = {
  description: 'random requests from the OpenAPI document',
  rounds: 200_000,
  async run(requests, { seed = Math.floor(Math.random() * 2 ** 31), store }) {
    console.error(`fuzz: --rounds ${requests} --seed ${seed} draws the same requests again`)
    const results: ScenarioResult[] = []
    for (const kind of store ? [store] : (['sqlite', 'postgres'] as const)) {
      const setup = STORE_NAMES[kind]
      const count = store ? requests : Math.ceil(requests * SHARES[kind])
      const onProgress = (sent: number) => console.error(`fuzz, ${setup}: ${sent} of ${count}`)
      const fuzzed = await onEmptyDatabase(kind, (databaseUrl) =>
        fuzzOne({ databaseUrl, requests: count, seed, onProgress }),
      )
      if (fuzzed.faults.count > 0) console.error(`\n${fuzzed.faults}`)
      results.push({ setup, times: count, counts: null, checks: promisesOf(fuzzed) })
    }
    return results
  },
}

function promisesOf(fuzzed: Fuzzed): Check[] {
  const { faults, statuses, succeeded, operations, logged, before, after, between, slowest } = fuzzed
  const used = after.used - before.used
  const resident = after.resident - before.resident
  const byStatus = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`)
  return [
    {
      name: 'no 5xx, and every answer is as the document says',
      passed: faults.count === 0,
      observed: `${faults.count} faults; ${succeeded.size} of ${operations} operations succeeded, ${byStatus.join(', ')}`,
    },
    {
      name: `every answer within ${PATIENCE / 1000} s`,
      // Where none comes in time, that is a fault above.
      passed: slowest.took < PATIENCE,
      observed: `the slowest after ${Math.round(slowest.took)} ms: ${slowest.what.slice(0, 100)}`,
    },
    { name: 'no error in the log', passed: logged.length === 0, observed: logged[0] ?? 'none' },
    {
      name: `less than ${MOST_KEPT} bytes a request stay in use`,
      passed: used < MOST_KEPT * between,
      observed: `${Math.round(used / between)}; ${megabytes(before.used)} after a fifth of the requests, ${megabytes(after.used)} after all`,
    },
    {
      name: `resident memory grows by less than that and ${megabytes(SWING)}`,
      passed: resident < MOST_KEPT * between + SWING,
      observed: `${megabytes(before.resident)}, then ${megabytes(after.resident)}`,
    },
    {
      name: 'name was opened is closed',
      passed: after.open <= before.open + MORE_OPEN,
      observed: `${before.open} files and sockets, then ${after.open}`,
    },
  ]
}

function megabytes(bytes: number): string {
  return `${(bytes / MILLION).toFixed(1)} MB`
}
