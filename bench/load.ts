import autocannon from 'autocannon'
import type { Child } from './child.ts'
import { median, spread } from './statistics.ts'

const CONNECTIONS = 16

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

export interface Comparison {
  readonly ratio: number
  readonly text: string
}

/** Loads both in turn, the first one changing, so that whatever else the machine does falls on both alike. */
export async function compare(service: Server, bare: Server, paths: Paths, rounds: number): Promise<Comparison> {
  const seconds = 2
  await loadFor(service, paths, seconds)
  await loadFor(bare, paths, seconds)
  const ours: Round[] = []
  const theirs: Round[] = []
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) ours.push(await loadFor(service, paths, seconds))
    theirs.push(await loadFor(bare, paths, seconds))
    if (round % 2 === 1) ours.push(await loadFor(service, paths, seconds))
  }
  const rate = middle(ours, 'rate')
  const bareRate = middle(theirs, 'rate')
  const ratio = rate / bareRate
  const each = ours.map((round, index) => round.rate / theirs[index]!.rate)
  const details = [
    `${whole(rate)}/s of ${whole(bareRate)}/s`,
    `rounds ${spread(each, 2)}`,
    `p99 ${middle(ours, 'p99').toFixed(0)} ms`,
    `CPU ${whole(middle(ours, 'cpu'))} of ${whole(middle(theirs, 'cpu'))} µs`,
    `busy ${middle(ours, 'busy').toFixed(2)} and ${middle(theirs, 'busy').toFixed(2)}`,
  ]
  return { ratio, text: `${ratio.toFixed(2)} (${details.join('; ')})` }
}

function middle(rounds: readonly Round[], figure: keyof Round): number {
  return median(rounds.map((round) => round[figure]))
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}
