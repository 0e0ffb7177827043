import type { Check } from '../harness/check.ts'
import { onEmptyDatabase, STORE_NAMES } from '../harness/databases.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'
import { type FuzzReport, fuzzService } from './fuzz-service.ts'
import { RESPONSE_TIMEOUT_MS } from './sender.ts'

/** The share of the requests for each store, if both are tested. */
const SHARES = { sqlite: 0.75, postgres: 0.25 }
/** A leak of 1 kB per request would exceed this twice. */
const MAX_BYTES_PER_REQUEST = 500
/**
 * Resident memory varies by this much with the allocator. It is checked as well because a leak
 * outside the heap, in the store's thread, only shows there.
 */
const RESIDENT_TOLERANCE_BYTES = 40_000_000
/** A stream or a download that is not closed leaves one file or socket open each time. */
const MAX_MORE_OPEN_FILES = 50
const MILLION = 1_000_000

export const fuzz: Scenario = {
  description: 'random requests generated from the OpenAPI document',
  rounds: 200_000,
  async run(requests, { seed = Math.floor(Math.random() * 2 ** 31), store }) {
    console.error(`fuzz: --rounds ${requests} --seed ${seed} sends the same requests again`)
    const results: ScenarioResult[] = []
    for (const kind of store ? [store] : (['sqlite', 'postgres'] as const)) {
      const setup = STORE_NAMES[kind]
      const count = store ? requests : Math.ceil(requests * SHARES[kind])
      const onProgress = (sent: number) => console.error(`fuzz, ${setup}: ${sent} of ${count}`)
      const report = await onEmptyDatabase(kind, (databaseUrl) =>
        fuzzService({ databaseUrl, requests: count, seed, onProgress }),
      )
      if (report.failures.count > 0) console.error(`\n${report.failures}`)
      results.push({ setup, times: count, counts: null, checks: checksOf(report) })
    }
    return results
  },
}

function checksOf(report: FuzzReport): Check[] {
  const { failures, statuses, succeeded, operations, loggedErrors, before, after, requestsBetween, slowest } = report
  const usedGrowth = after.used - before.used
  const residentGrowth = after.resident - before.resident
  const byStatus = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`)
  return [
    {
      name: 'no 5xx, and every response conforms to the OpenAPI document',
      passed: failures.count === 0,
      observed: `${failures.count} failures; ${succeeded.size} of ${operations} operations succeeded, ${byStatus.join(', ')}`,
    },
    {
      name: `every response within ${RESPONSE_TIMEOUT_MS / 1000} s`,
      // A request without any response is a failure of the first check.
      passed: slowest.ms < RESPONSE_TIMEOUT_MS,
      observed: `the slowest after ${Math.round(slowest.ms)} ms: ${slowest.request.slice(0, 100)}`,
    },
    { name: 'no error in the log', passed: loggedErrors.length === 0, observed: loggedErrors[0] ?? 'none' },
    {
      name: `memory in use grows by less than ${MAX_BYTES_PER_REQUEST} bytes per request`,
      passed: usedGrowth < MAX_BYTES_PER_REQUEST * requestsBetween,
      observed: `${Math.round(usedGrowth / requestsBetween)}; ${megabytes(before.used)} after a fifth of the requests, ${megabytes(after.used)} after all`,
    },
    {
      name: `resident memory grows by less than that plus ${megabytes(RESIDENT_TOLERANCE_BYTES)}`,
      passed: residentGrowth < MAX_BYTES_PER_REQUEST * requestsBetween + RESIDENT_TOLERANCE_BYTES,
      observed: `${megabytes(before.resident)}, then ${megabytes(after.resident)}`,
    },
    {
      name: 'files and sockets are closed',
      passed: after.openFiles <= before.openFiles + MAX_MORE_OPEN_FILES,
      observed: `${before.openFiles} open, then ${after.openFiles}`,
    },
  ]
}

function megabytes(bytes: number): string {
  return `${(bytes / MILLION).toFixed(1)} MB`
}
