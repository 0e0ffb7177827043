import type { Check } from '../harness/check.ts'
import { onEmptyDatabase, STORE_NAMES } from '../harness/databases.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'
import { type FuzzReport, fuzzService } from './fuzz-service.ts'

/** The share of the requests for each store, if both are tested. */
const SHARES = { sqlite: 0.75, postgres: 0.25 }
const INCIDENTS = 100_000
const MAX_RESPONSE_MS = 1000
/**
 * Memory may grow while bounded caches fill and code is compiled; after the first fifth of the
 * requests that was 3 to 9 MB, whatever their number. A leak grows with the number of requests
 * instead.
 */
const CACHES_BYTES = 12_000_000
const MAX_BYTES_PER_REQUEST = 100
/** The same from the third fifth to the last, when most caches are full: that was 0.2 to 4.8 MB. */
const SETTLED_BYTES = 8_000_000
/**
 * Resident memory varies by this much with the allocator. It is checked as well because a leak
 * outside the heap, in the store's thread, only shows there.
 */
const RESIDENT_TOLERANCE_BYTES = 40_000_000
/**
 * SQLite keeps pages in memory up to its cache_size of 64 MiB, and takes them while it reads. With
 * a cache of 4 MiB, resident memory stayed at 380 MB over the same requests that took it from 457
 * to 512.
 */
const PAGE_CACHE_BYTES = { sqlite: 67_000_000, postgres: 0 } as const
/** A stream or a download that is not closed leaves one file or socket open each time. */
const MAX_MORE_OPEN_FILES = 50
const MILLION = 1_000_000

export const fuzz: Scenario = {
  description: 'random requests generated from the OpenAPI document',
  rounds: 100_000,
  async run(requests, { seed = Math.floor(Math.random() * 2 ** 31), store, operation }) {
    const aim = operation?.split(',') ?? []
    const aimed = operation === undefined ? '' : ` --operation ${operation}`
    console.error(`fuzz: --rounds ${requests} --seed ${seed}${aimed} sends the same requests again`)
    const results: ScenarioResult[] = []
    for (const kind of store ? [store] : (['sqlite', 'postgres'] as const)) {
      const setup = STORE_NAMES[kind]
      const count = store ? requests : Math.ceil(requests * SHARES[kind])
      const onProgress = (sent: number) => console.error(`fuzz, ${setup}: ${sent} of ${count}`)
      const report = await onEmptyDatabase(kind, (databaseUrl) =>
        fuzzService({
          databaseUrl,
          requests: count,
          seed,
          incidents: INCIDENTS,
          maxResponseMs: MAX_RESPONSE_MS,
          aim,
          onProgress,
        }),
      )
      if (report.failures.count > 0) console.error(`\n${report.failures}`)
      results.push({
        setup,
        times: count,
        counts: null,
        checks: [...checksOf(report, PAGE_CACHE_BYTES[kind]), ...aimChecks(report, aim)],
      })
    }
    return results
  },
}

function checksOf(report: FuzzReport, pageCacheBytes: number): Check[] {
  const { failures, statuses, succeeded, operations, loggedErrors, usages, requestsBetween, slowest, spoiled, closed } =
    report
  const [before, settled, after] = [usages[0]!, usages.at(-3)!, usages.at(-1)!]
  const usedGrowth = after.used - before.used
  const residentGrowth = after.resident - before.resident
  const maxGrowth = CACHES_BYTES + MAX_BYTES_PER_REQUEST * requestsBetween * (usages.length - 1)
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
      name: `every response within ${MAX_RESPONSE_MS / 1000} s, sent alone if it took longer beside others`,
      // A slower one is a failure of the first check.
      passed: slowest.ms <= MAX_RESPONSE_MS,
      observed: `the slowest after ${Math.round(slowest.ms)} ms: ${slowest.request.slice(0, 100)}`,
    },
    {
      name: 'NUL, half of a surrogate pair and overlong text, in each string of each operation, are let in and get no 5xx',
      passed: closed.length === 0 && spoiled > operations,
      observed: `${spoiled} requests; never let in: ${closed.join(', ') || 'none'}`,
    },
    { name: 'no error in the log', passed: loggedErrors.length === 0, observed: loggedErrors[0] ?? 'none' },
    {
      name: `memory in use grows by less than ${megabytes(CACHES_BYTES)} plus ${MAX_BYTES_PER_REQUEST} bytes per request`,
      passed: usedGrowth < maxGrowth,
      observed: `${usages.map(({ used }) => megabytes(used)).join(', ')} after each ${requestsBetween} requests`,
    },
    {
      name: `and from the third fifth on by less than ${megabytes(SETTLED_BYTES)} plus ${MAX_BYTES_PER_REQUEST} bytes per request`,
      passed: after.used - settled.used < SETTLED_BYTES + MAX_BYTES_PER_REQUEST * requestsBetween * 2,
      observed: `${megabytes(after.used - settled.used)} in ${2 * requestsBetween} requests`,
    },
    {
      name: `resident memory grows by less than ${megabytes(CACHES_BYTES)}, ${MAX_BYTES_PER_REQUEST} bytes per request, ${megabytes(RESIDENT_TOLERANCE_BYTES)} of the allocator and ${megabytes(pageCacheBytes)} of the database's page cache`,
      passed: residentGrowth < maxGrowth + RESIDENT_TOLERANCE_BYTES + pageCacheBytes,
      observed: `${usages.map(({ resident }) => megabytes(resident)).join(', ')} after each ${requestsBetween} requests`,
    },
    {
      name: 'files and sockets are closed',
      passed: after.openFiles <= before.openFiles + MAX_MORE_OPEN_FILES,
      observed: `${before.openFiles} open, then ${after.openFiles}`,
    },
  ]
}

/** A request that is always refused tests little of its operation. */
function aimChecks({ succeeded }: FuzzReport, aim: readonly string[]): Check[] {
  if (aim.length === 0) return []
  const missing = aim.filter((id) => !succeeded.has(id))
  const observed = missing.length === 0 ? `all ${aim.length}` : `never: ${missing.join(', ')}`
  return [{ name: 'every operation aimed at succeeds at least once', passed: missing.length === 0, observed }]
}

function megabytes(bytes: number): string {
  return `${(bytes / MILLION).toFixed(1)} MB`
}
