import autocannon from 'autocannon'
import type { Child } from './child.ts'
import { median } from './statistics.ts'

const CONNECTIONS = 16
const SECONDS = 2

export interface Server {
  readonly child: Child<{ readonly url: string }>
  readonly headers: Readonly<Record<string, string>>
}

/** The requested paths: a list in turn, or a function that returns another one each time. */
export type Paths = readonly string[] | (() => string)

export interface Round {
  /** Responses per second. */
  readonly rate: number
  /** The p99 latency in milliseconds. */
  readonly p99: number
  /** The server's processor time per response, of all threads, in microseconds. */
  readonly cpu: number
  /**
   * The busy share of the server's main thread; far below 1 the load generator is the bottleneck.
   */
  readonly busy: number
}

/**
 * Sends requests as fast as the server responds, over 16 connections. Throws if a status is not
 * 2xx.
 */
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
    throw new Error(`${result.non2xx} responses were not 2xx, ${result.errors + result.timeouts} requests failed`)
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

/** A server and the paths requested from it. */
export interface Contestant {
  readonly server: Server
  readonly paths: Paths
}

/**
 * The medians of both servers, and our processor time of an answer divided by theirs in every
 * round. Not the rates: these depend on the load generator, which fills the other core.
 */
export interface Comparison {
  /** The median of the rounds. */
  readonly ratio: number
  readonly ours: Round
  readonly theirs: Round
  readonly rounds: readonly number[]
}

/** Loads both in turn, in changing order, so that other load on the machine affects both alike. */
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
  const ratios = ours.map((round, index) => round.cpu / theirs[index]!.cpu)
  return { ratio: median(ratios), ours: mediansOf(ours), theirs: mediansOf(theirs), rounds: ratios }
}

function mediansOf(rounds: readonly Round[]): Round {
  const [rate, p99, cpu, busy] = (['rate', 'p99', 'cpu', 'busy'] as const).map((figure) => medianOf(rounds, figure))
  return { rate: rate!, p99: p99!, cpu: cpu!, busy: busy! }
}

function medianOf(rounds: readonly Round[], figure: keyof Round): number {
  return median(rounds.map((round) => round[figure]))
}
