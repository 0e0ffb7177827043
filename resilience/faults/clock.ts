import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../../test/support/app.ts'
import { temporaryFolder } from '../../test/support/folder.ts'
import { Clock } from '../harness/clock.ts'
import { onEachStore } from '../harness/empty-database.ts'
import { type Change, Newsroom } from '../harness/newsroom.ts'
import { Reader } from '../harness/reader.ts'
import { StreamReader } from '../harness/stream-reader.ts'
import type { Finding, Promised, Proof } from '../proof.ts'

export interface ClockOptions {
  readonly rounds: number
  /** A round ends at a random moment within so many milliseconds. */
  readonly longestRound: number
  readonly random: () => number
}

const LONG = { longestRound: 4000, random: Math.random }
/** From a clock that was set to the next incident at an endpoint. */
const DELIVERED_WITHIN = 10_000
const HOURS = 1

/** Sets the service's clock back and forward by an hour, in turn, while it runs; lastly back. */
export async function setClock(
  where: string,
  databaseUrl: string,
  clock: Clock,
  options: ClockOptions,
): Promise<Finding> {
  const { rounds, random } = options
  const manners = { processes: 1, mostFailures: 1, mayHang: false, environment: clock.environment }
  await using newsroom = await Newsroom.open({ ...options, ...manners, databaseUrl })
  await newsroom.oneMore()
  const url = () => newsroom.services[0]!.url
  const reader = await Reader.start(newsroom.client.key, url)
  await using stream = new StreamReader(newsroom.client.key, url, 0)
  const cursor = await nextCursor(newsroom)
  let longest = 0
  let refused = 0
  for (let round = 0; round < rounds && newsroom.isWorking; round++) {
    await newsroom.oneMore()
    await wait(random() * options.longestRound)
    await clock.move((rounds - round) % 2 === 1 ? -HOURS : HOURS)
    const set = performance.now()
    await newsroom.oneMore()
    await nextArrival(newsroom)
    longest = Math.max(longest, performance.now() - set)
    const page = await newsroom.client.insist('GET', `/v1/incidents?limit=1&cursor=${cursor}`)
    if (page.status !== 200) refused++
    newsroom.check()
  }
  await reader[Symbol.asyncDispose]()
  const tally = await newsroom.tally()
  const changes = await newsroom.changes()
  const promises: Promised[] = [
    {
      what: `the next incident is delivered within ${DELIVERED_WITHIN / 1000} s`,
      kept: longest <= DELIVERED_WITHIN,
      seen: `${(longest / 1000).toFixed(1)} s at most`,
    },
    inOrder(changes),
    await streamed(stream, changes),
    { what: 'a cursor from before leads on', kept: refused === 0, seen: `refused ${refused} of ${rounds} times` },
    reader.promise,
    newsroom.replies.promise,
  ]
  return { where, times: rounds, tally, promises }
}

async function nextCursor({ client }: Newsroom): Promise<string> {
  let cursor: unknown = null
  await until(async () => {
    cursor = (await client.insist('GET', '/v1/incidents?limit=1')).body.next_cursor
    return cursor !== null
  }, 'a second page')
  return encodeURIComponent(String(cursor))
}

/** Something that is in the log only now has come to an endpoint. */
async function nextArrival(newsroom: Newsroom): Promise<void> {
  const { body } = await newsroom.client.insist('GET', '/v1/incidents?limit=1')
  const { seq: head } = body.meta as { seq: number }
  await until(() => newsroom.arrivals.some(({ seq, answered }) => answered && seq >= head), 'the next delivery')
}

function inOrder(changes: readonly Change[]): Promised {
  const back = changes.filter(({ at }, index) => index > 0 && at < changes[index - 1]!.at).length
  const gaps = changes.filter(({ seq }, index) => seq !== index + 1).length
  return {
    what: "the log's numbers have no gap and its times never go back",
    kept: back === 0 && gaps === 0,
    seen: `${changes.length} changes, ${gaps} gaps, ${back} times back`,
  }
}

async function streamed(stream: StreamReader, changes: readonly Change[]): Promise<Promised> {
  const seqs = changes.map(({ seq }) => seq)
  // What has not come by then is told by what was seen.
  await until(() => stream.seqs.length >= seqs.length, 'the end of the stream').catch(() => {})
  const kept = stream.seqs.join() === seqs.join()
  return {
    what: 'a stream tells of every change once, in order',
    kept,
    seen: `${stream.seqs.length} of ${seqs.length}`,
  }
}

/** A proof that was not made is no proof. */
const NOT_DONE: Finding = {
  where: 'nowhere',
  times: 0,
  tally: null,
  promises: [
    { what: 'the clock is set', kept: false, seen: 'libfaketime is not installed (apt-get install faketime)' },
  ],
}

export const clock: Proof = {
  what: 'the clock set back and forward by an hour',
  rounds: 5,
  async run(rounds) {
    await using folder = await temporaryFolder()
    const set = await Clock.in(folder.path)
    if (set === null) return [NOT_DONE]
    return await onEachStore((where, databaseUrl) => setClock(where, databaseUrl, set, { ...LONG, rounds }))
  },
}
