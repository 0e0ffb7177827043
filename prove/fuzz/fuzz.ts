import { join } from 'node:path'
import { startServer } from '../../test/support/postgres-server.ts'
import type { Finding, Promised, Proof } from '../proof.ts'
import { temporaryFolder } from '../world/places.ts'
import { type Fuzzed, fuzz as fuzzOne } from './run.ts'

/** The share that SQLite is sent; the rest goes to PostgreSQL. */
const TO_SQLITE = { both: 0.75, sqlite: 1, postgres: 0 }
/** Bytes a request: a leak of 1 kB in each would break it twice over. */
const MOST_USED = 500
/** What the system counts swings with the allocator; a leak beyond the heap, in the store's thread, shows here. */
const MOST_RESIDENT = 1000
/** Files and sockets; a stream or a download that is not closed holds one each time. */
const MORE_OPEN = 50
const MILLION = 1_000_000

export const fuzz: Proof = {
  what: 'random requests from the OpenAPI document',
  rounds: 200_000,
  async run(requests, { seed = Math.floor(Math.random() * 2 ** 31), store }) {
    console.error(`fuzz: --rounds ${requests} --seed ${seed} draws the same requests again`)
    await using folder = await temporaryFolder()
    await using server = await startServer()
    const toSqlite = Math.ceil(requests * TO_SQLITE[store ?? 'both'])
    const settings = [
      ['SQLite', `sqlite:${join(folder.path, 'feed.db')}`, toSqlite],
      ['PostgreSQL', server.url, requests - toSqlite],
    ] as const
    const findings: Finding[] = []
    for (const [where, databaseUrl, count] of settings.filter(([, , count]) => count > 0)) {
      const onProgress = (sent: number) => console.error(`fuzz, ${where}: ${sent} of ${count}`)
      const fuzzed = await fuzzOne({ databaseUrl, requests: count, seed, onProgress })
      if (fuzzed.faults.count > 0) console.error(`\n${fuzzed.faults}`)
      findings.push({ where, times: count, tally: null, promises: promisesOf(fuzzed) })
    }
    return findings
  },
}

function promisesOf(fuzzed: Fuzzed): Promised[] {
  const { faults, statuses, succeeded, operations, logged, before, after, between, slowest } = fuzzed
  const used = (after.used - before.used) / between
  const resident = (after.resident - before.resident) / between
  const byStatus = [...statuses]
    .toSorted(([one], [other]) => one - other)
    .map(([status, count]) => `${status}: ${count}`)
  return [
    {
      what: 'no 5xx, and every answer is as the document says',
      kept: faults.count === 0,
      seen: `${faults.count} faults; ${succeeded.size} of ${operations} operations succeeded, the slowest answer took ${Math.round(slowest)} ms (${byStatus.join(', ')})`,
    },
    { what: 'no error in the log', kept: logged.length === 0, seen: logged[0] ?? 'none' },
    {
      what: `less than ${MOST_USED} bytes a request stay in use`,
      kept: used < MOST_USED,
      seen: `${Math.round(used)}; ${megabytes(before.used)} MB after a fifth of the requests, ${megabytes(after.used)} after all`,
    },
    {
      what: `less than ${MOST_RESIDENT} bytes a request stay resident`,
      kept: resident < MOST_RESIDENT,
      seen: `${Math.round(resident)}; ${megabytes(before.resident)} MB, then ${megabytes(after.resident)}`,
    },
    {
      what: 'what was opened is closed',
      kept: after.open <= before.open + MORE_OPEN,
      seen: `${before.open} files and sockets, then ${after.open}`,
    },
  ]
}

function megabytes(bytes: number): string {
  return (bytes / MILLION).toFixed(1)
}
