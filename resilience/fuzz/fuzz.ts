import { onEmptyDatabase, STORE_NAMES } from '../harness/empty-database.ts'
import type { Finding, Promised, Proof } from '../proof.ts'
import { type Fuzzed, fuzz as fuzzOne } from './run.ts'
import { PATIENCE } from './send.ts'

/** What each is sent where both are asked. */
const SHARES = { sqlite: 0.75, postgres: 0.25 }
/** Bytes a request: a leak of 1 kB in each would break it twice over. */
const MOST_KEPT = 500
/** What the system counts swings with the allocator, by so much; a leak beyond the heap, in the store's thread, shows there. */
const SWING = 40_000_000
/** Files and sockets; a stream or a download that is not closed holds one each time. */
const MORE_OPEN = 50
const MILLION = 1_000_000

export const fuzz: Proof = {
  what: 'random requests from the OpenAPI document',
  rounds: 200_000,
  async run(requests, { seed = Math.floor(Math.random() * 2 ** 31), store }) {
    console.error(`fuzz: --rounds ${requests} --seed ${seed} draws the same requests again`)
    const findings: Finding[] = []
    for (const kind of store ? [store] : (['sqlite', 'postgres'] as const)) {
      const where = STORE_NAMES[kind]
      const count = store ? requests : Math.ceil(requests * SHARES[kind])
      const onProgress = (sent: number) => console.error(`fuzz, ${where}: ${sent} of ${count}`)
      const fuzzed = await onEmptyDatabase(kind, (databaseUrl) =>
        fuzzOne({ databaseUrl, requests: count, seed, onProgress }),
      )
      if (fuzzed.faults.count > 0) console.error(`\n${fuzzed.faults}`)
      findings.push({ where, times: count, tally: null, promises: promisesOf(fuzzed) })
    }
    return findings
  },
}

function promisesOf(fuzzed: Fuzzed): Promised[] {
  const { faults, statuses, succeeded, operations, logged, before, after, between, slowest } = fuzzed
  const used = after.used - before.used
  const resident = after.resident - before.resident
  const byStatus = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`)
  return [
    {
      what: 'no 5xx, and every answer is as the document says',
      kept: faults.count === 0,
      seen: `${faults.count} faults; ${succeeded.size} of ${operations} operations succeeded, ${byStatus.join(', ')}`,
    },
    {
      what: `every answer within ${PATIENCE / 1000} s`,
      // Where none comes in time, that is a fault above.
      kept: slowest.took < PATIENCE,
      seen: `the slowest after ${Math.round(slowest.took)} ms: ${slowest.what.slice(0, 100)}`,
    },
    { what: 'no error in the log', kept: logged.length === 0, seen: logged[0] ?? 'none' },
    {
      what: `less than ${MOST_KEPT} bytes a request stay in use`,
      kept: used < MOST_KEPT * between,
      seen: `${Math.round(used / between)}; ${megabytes(before.used)} after a fifth of the requests, ${megabytes(after.used)} after all`,
    },
    {
      what: `resident memory grows by less than that and ${megabytes(SWING)}`,
      kept: resident < MOST_KEPT * between + SWING,
      seen: `${megabytes(before.resident)}, then ${megabytes(after.resident)}`,
    },
    {
      what: 'what was opened is closed',
      kept: after.open <= before.open + MORE_OPEN,
      seen: `${before.open} files and sockets, then ${after.open}`,
    },
  ]
}

function megabytes(bytes: number): string {
  return `${(bytes / MILLION).toFixed(1)} MB`
}
