/**
 * Measures the way from a confirmation to the endpoints, through the whole service on a SQLite
 * file; the endpoints run in a separate process.
 *
 * - Latency: 10,000 watches of which 100 match, each endpoint on its own port. Reports are
 *   confirmed over HTTP one after the other. A latency is the time from just before the request to
 *   the first bytes at an endpoint. Once all endpoints respond, once one in ten hangs; the row
 *   compares the p99 of those that respond.
 * - Rate: 100 watches at one endpoint and 200 incidents published together, until every delivery is
 *   recorded. For comparison a bare loop over undici's `Pool.request` sends the same number of
 *   POSTs with the same body and concurrency to the same endpoint. "CPU" is the processor time per
 *   delivery of all threads of the service, and per POST of this process for the bare loop.
 * - Reads: the p99 of a listing at 200 requests per second, when idle and while 120,000 deliveries
 *   are sent at full speed, in turn; the row is the median of the rounds' ratios.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { Pool } from 'undici'
import { SETTINGS } from '../../src/config/settings.ts'
import { type Child, startChild, usageOfThis } from '../harness/child.ts'
import type { Row } from '../harness/row.ts'
import { median, percentile, spread, whole } from '../harness/statistics.ts'

const MATCHING = 100
const OTHERS = 9900
const CONFIRMED = 150
const PUBLISHED = 200
const ROUNDS = 3
const BATCHES_MEANWHILE = 6
const ROUNDS_OF_READS = 5
const MOST_MILLISECONDS = { p50: 10, p99: 50 }
const LEAST_SHARE = 0.55
const MOST_TIMES_IDLE = 2
const HISTORY = 20_000
const LISTING = '/v1/incidents?state=kaduna&limit=50'

type Service = Child<{ url: string; key: string }>
type Endpoints = Child<{ urls: string[] }>

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'deliveries-'))
  try {
    const healthy = await latencies(folder, 0)
    const troubled = await latencies(folder, MATCHING / 10)
    return [...latencyRows(healthy, troubled), ...(await rates(folder))]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function start(folder: string, ports: number, hanging: number, words: object): Promise<[Service, Endpoints]> {
  const endpoints = await startChild<{ urls: string[] }>('servers/endpoints.ts', [String(ports), String(hanging)])
  const file = join(folder, `${crypto.randomUUID()}.db`)
  const all = JSON.stringify({ urls: endpoints.hello.urls, incidents: HISTORY, ...words })
  try {
    return [await startChild<{ url: string; key: string }>('servers/watched.ts', [file, all]), endpoints]
  } catch (error) {
    await endpoints[Symbol.asyncDispose]()
    throw error
  }
}

async function latencies(folder: string, hanging: number): Promise<number[]> {
  const [service, endpoints] = await start(folder, MATCHING, hanging, { matching: MATCHING, others: OTHERS })
  await using _service = service
  await using _endpoints = endpoints
  const expected = MATCHING - hanging
  await confirmSome(service, endpoints, 20, expected)
  const confirmedAt = await confirmSome(service, endpoints, CONFIRMED, expected)
  const received = await endpoints.ask('received', null)
  return received.flatMap(([incident, at]) => (confirmedAt.has(incident) ? [at - confirmedAt.get(incident)!] : []))
}

/**
 * Returns the time of each confirmation; waits after each until all responding endpoints have it.
 */
async function confirmSome(service: Service, endpoints: Endpoints, count: number, each: number) {
  const confirmedAt = new Map<string, number>()
  const headers = { authorization: `Bearer ${service.hello.key}`, 'content-type': 'application/json' }
  const call = async (path: string, body: string) => {
    const response = await fetch(service.hello.url + path, { method: 'POST', headers, body })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { id: string }
  }
  let before = await endpoints.ask('receivedCount', null)
  for (let number = 0; number < count; number++) {
    const report = { type: 'riot', occurred_at: '2026-05-01', state: 'Kano', summary: `A riot, number ${number}` }
    const { id } = await call('/v1/reports', JSON.stringify(report))
    confirmedAt.set(id, performance.timeOrigin + performance.now())
    await call(`/v1/desk/incidents/${id}/confirm`, '{}')
    before += each
    await until(async () => (await endpoints.ask('receivedCount', null)) >= before)
  }
  return confirmedAt
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 60_000
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('the deliveries did not arrive within a minute')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

function latencyRows(healthy: readonly number[], troubled: readonly number[]): Row[] {
  const [p50, p99, troubledP99] = [percentile(healthy, 0.5), percentile(healthy, 0.99), percentile(troubled, 0.99)]
  const times = troubledP99 / p99
  return [
    {
      name: 'deliveries: confirmation to first byte, 100 of 10,000 watches match',
      value: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      limit: `p50 ≤ ${MOST_MILLISECONDS.p50} ms, p99 ≤ ${MOST_MILLISECONDS.p99} ms`,
      ok: p50 <= MOST_MILLISECONDS.p50 && p99 <= MOST_MILLISECONDS.p99,
    },
    {
      name: 'deliveries: p99 at healthy endpoints, one in ten hanging, against none',
      value: `${times.toFixed(2)} (${troubledP99.toFixed(1)} ms, p50 ${percentile(troubled, 0.5).toFixed(1)} ms)`,
      limit: '≤ 2',
      ok: times <= 2,
    },
  ]
}

async function rates(folder: string): Promise<Row[]> {
  const [service, endpoints] = await start(folder, 1, 0, { matching: MATCHING, others: 0 })
  await using _service = service
  await using _endpoints = endpoints
  const [url] = endpoints.hello.urls
  const deliver = async (): Promise<Pass> => {
    const cpuBefore = (await service.ask('usage', null)).cpu
    const started = performance.now()
    await service.ask('publishMany', PUBLISHED)
    await until(async () => (await endpoints.ask('receivedCount', null)) >= PUBLISHED * MATCHING)
    await until(async () => (await service.ask('pending', null)) === 0)
    const elapsed = performance.now() - started
    const cpu = (await service.ask('usage', null)).cpu - cpuBefore
    await endpoints.ask('received', null)
    return passOf(PUBLISHED * MATCHING, elapsed, cpu)
  }
  const bareLoop = async (): Promise<Pass> => {
    const pass = await postAll(url!, PUBLISHED * MATCHING)
    await endpoints.ask('received', null)
    return pass
  }
  await deliver()
  await bareLoop()
  const ours: Pass[] = []
  const theirs: Pass[] = []
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await deliver())
    theirs.push(await bareLoop())
  }
  const shares = ours.map(({ rate }, round) => rate / theirs[round]!.rate)
  const share = median(shares)
  const told = (passes: readonly Pass[]) =>
    `${whole(median(passes.map(({ rate }) => rate)))}/s; CPU ${whole(median(passes.map(({ cpu }) => cpu)))} µs`
  return [
    {
      name: 'deliveries: rate, against a bare undici loop',
      value: `${share.toFixed(2)} (${told(ours)}; rounds ${spread(shares, 2)})`,
      limit: `≥ ${LEAST_SHARE}`,
      peer: `a bare undici loop: ${told(theirs)}`,
      ok: share >= LEAST_SHARE,
    },
    await readsMeanwhile(service),
  ]
}

/** `cpu`: microseconds of processor time for each message. */
interface Pass {
  readonly rate: number
  readonly cpu: number
}

function passOf(count: number, elapsedMs: number, cpuMicroseconds: number): Pass {
  return { rate: (count * 1000) / elapsedMs, cpu: cpuMicroseconds / count }
}

async function postAll(url: string, count: number): Promise<Pass> {
  const { origin, pathname: path } = new URL(url)
  const concurrency = Number(SETTINGS.WEBHOOK_CONCURRENCY_PER_HOST.fallback)
  const pool = new Pool(origin, { connections: concurrency })
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ event: 'incident.created', pad: 'x'.repeat(1300) }).replace(
    '"event"',
    '"incident":{"id":"inc_00000000000000000000000000"},"event"',
  )
  let left = count
  const cpuBefore = usageOfThis().cpu
  const started = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (left-- > 0) await (await pool.request({ method: 'POST', path, headers, body })).body.dump()
    }),
  )
  const pass = passOf(count, performance.now() - started, usageOfThis().cpu - cpuBefore)
  await pool.close()
  return pass
}

async function readsMeanwhile(service: Service): Promise<Row> {
  const read = () =>
    autocannon({
      url: service.hello.url + LISTING,
      connections: 8,
      overallRate: 200,
      duration: 4,
      headers: { authorization: `Bearer ${service.hello.key}` },
    })
  await read()
  const rounds: { idle: number; meanwhile: number }[] = []
  for (let round = 0; round < ROUNDS_OF_READS; round++) {
    const idle = (await read()).latency.p99
    // Everything is published before the reads start: the row measures delivering, not publishing.
    for (let batch = 0; batch < BATCHES_MEANWHILE; batch++) await service.ask('publishMany', PUBLISHED)
    await until(async () => (await service.ask('pending', null)) > 0)
    const meanwhile = (await read()).latency.p99
    if ((await service.ask('pending', null)) === 0) throw new Error('the deliveries ended before the reads did')
    await until(async () => (await service.ask('pending', null)) === 0)
    rounds.push({ idle, meanwhile })
  }
  // autocannon counts whole milliseconds, so smaller values are taken as one.
  const ratios = rounds.map(({ idle, meanwhile }) => Math.max(1, meanwhile) / Math.max(1, idle))
  const times = median(ratios)
  const of = (which: 'idle' | 'meanwhile') => median(rounds.map((round) => round[which]))
  return {
    name: 'deliveries: listing p99 meanwhile, against idle',
    value: `${times.toFixed(1)} (${of('meanwhile')} ms, idle ${of('idle')} ms; rounds ${spread(ratios, 1)})`,
    limit: `≤ ${MOST_TIMES_IDLE}`,
    ok: times <= MOST_TIMES_IDLE,
  }
}
