import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from '../test/support/postgres-server.ts'
import { type Killed, killAtRandom } from './kill/run.ts'

const LONGEST_ROUND = 3000
const MOST_FAILURES = 2

const HEADINGS: Readonly<Record<keyof Killed, string>> = {
  rounds: 'rounds',
  confirmed: 'confirmed',
  owed: 'owed',
  delivered: 'delivered',
  repeated: 'repeated',
  forgotten: 'confirmed, not in the log',
  lost: 'lost',
  uncalledFor: 'uncalled for',
  renamed: 'repeated under another id',
  outOfSequence: 'out of sequence',
}
const MUST_BE_ZERO = ['forgotten', 'lost', 'uncalledFor', 'renamed', 'outOfSequence'] as const

/** Kills the service on each kind of store. Whether nothing was lost. */
export async function proveKill(rounds: number): Promise<boolean> {
  await using scope = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'incident-feed-prove-'))
  scope.defer(() => rm(folder, { recursive: true, force: true }))
  const server = scope.use(await startServer())
  const pair = new URL(server.url)
  pair.pathname = '/template1'
  const settings = [
    ['SQLite', `sqlite:${join(folder, 'feed.db')}`, 1],
    ['PostgreSQL', server.url, 1],
    ['PostgreSQL, one of two processes', pair.href, 2],
  ] as const
  let sound = true
  for (const [name, databaseUrl, processes] of settings) {
    const common = { longestRound: LONGEST_ROUND, mostFailures: MOST_FAILURES, mayHang: true, random: Math.random }
    const killed = await killAtRandom({ databaseUrl, processes, rounds, ...common })
    console.log(`\n${name}`)
    for (const [count, heading] of Object.entries(HEADINGS))
      console.log(`  ${heading.padEnd(26)} ${String(killed[count as keyof Killed]).padStart(7)}`)
    sound &&= MUST_BE_ZERO.every((count) => killed[count] === 0)
  }
  return sound
}
