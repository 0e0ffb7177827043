import autocannon from 'autocannon'
import type { Child } from './child.ts'
import { median } from './statistics.ts'

const CONNECTIONS = 16
const SECONDS = 2

export interface Server {
  readonly child: Child<{ readonly url: string }>
  readonly headers: Readonly<Record<string, string>>
}

/** What is asked: a list of paths in turn, or for ever new ones. */
export type Paths = readonly string[] | (() => string)

export interface Round {
  /** Answers a second. */
  readonly rate: number
  /** Of a request, in milliseconds. */
  readonly p99: number
  /** The server's processor time for one answer, all threads, in microseconds. */
  readonly cpu: number
  /** The share of the time that the server's main thread was busy: far below 1, the load generator was the brake. */
  readonly busy: number
}

/** Asks as fast as the server answers, over 16 connections that stay open. Throws where any answer is not a 200. */
export async function loadFor(server: Server, paths: Paths, seconds: number): Promise<Round> {
  const { child, headers } = server
  const before = await child.ask('usage', null)
  const started = performance.now()
  const result = await autocannon({
    url: child.hello.url,
    connections: CONNECTIONS,
    duration: seconds,
    headers,
    requests: typeof paths === 'function' ? [fresh(paths)] : paths.map((path) => ({ path })),
  })
  const elapsed = performance.now() - started
  const after = await child.ask('usage', null)
  const answers = result['2xx']
  if (result.non2xx + result.errors + result.timeouts + result.resets > 0 || answers === 0)
    throw new Error(`${result.non2xx} answers were not 200, ${result.errors + result.timeouts} requests failed`)
  return {
    rate: answers / result.duration,
    p99: result.latency.p99,
    cpu: (after.cpu - before.cpu) / answers,
    busy: (after.busy - before.busy) / 1000 / elapsed,
  }
}

function fresh(next: () => string): autocannon.Request {
  return { setupRequest: (request) => ({ ...request, path: next() }) }
}

/** A server, and what it is asked. */
export interface Contestant {
  readonly server: Server
  readonly paths: Paths
}

/** The medians of each, and the ratio of rates in every round. */
export interface Comparison {
  readonly ratio: number
  readonly ours: Round
  readonly theirs: Round
  readonly rounds: readonly number[]
}

/** Loads both in turn, the first one changing, so that whatever else the machine does falls on both alike. */
export async function compare(one: Contestant, other: Contestant, rounds: number): Promise<Comparison> {
  const load = ({ server, paths }: Contestant) => loadFor(server, paths, SECONDS)
  await load(one)
  await load(other)
  const ours: Round[] = []
  const theirs: Round[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) ours.push(await load(one))
    theirs.push(await load(other))
    if (round % 2 === 1) ours.push(await load(one))
  }
  return {
    ratio: middle(ours, 'rate') / middle(theirs, 'rate'),
    ours: middles(ours),
    theirs: middles(theirs),
    rounds: ours.map((round, index) => round.rate / theirs[index]!.rate),
  }
}

function middles(rounds: readonly Round[]): Round {
  const [rate, p99, cpu, busy] = (['rate', 'p99', 'cpu', 'busy'] as const).map((figure) => middle(rounds, figure))
  return { rate: rate!, p99: p99!, cpu: cpu!, busy: busy! }
}

function middle(rounds: readonly Round[], figure: keyof Round): number {
  return median(rounds.map((round) => round[figure]))
}
