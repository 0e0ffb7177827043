/**
 * Measures lists and single incidents over HTTP, with a key, with 1,000,000 incidents, against a
 * bare Fastify route that returns the same bytes. Each server is a separate process; the load
 * (autocannon, 16 connections, no compression) comes from this one. After one unmeasured round
 * each, rounds of two seconds alternate between the two; a figure is the median of the rounds'
 * ratios of processor time ("CPU") per response. Rates depend on the load generator, which fills
 * the other core: "busy" shows whether it or the server's main thread was the bottleneck.
 *
 * The service works on a copy of the data, because it writes keys, usage and arrivals to it.
 */
import { copyFileSync } from 'node:fs'
import { startChild } from '../harness/child.ts'
import { dataFile, MILLION, removeDatabase } from '../harness/data.ts'
import { fetchBytes } from '../harness/fetch.ts'
import { neverAskedBefore, ONE, ROTATED, someIds } from '../harness/listing-questions.ts'
import { type Comparison, compare, type Paths, type Server } from '../harness/load.ts'
import type { Row } from '../harness/row.ts'
import { spread, whole } from '../harness/statistics.ts'

/** Of the bare route's processor time. */
const MOST_TIMES = 1.4
const MOST_MICROSECONDS_NEW = 110
const ROUNDS = 9
const ROUNDS_INFORMING = 5

export async function run(): Promise<Row[]> {
  const { path } = await dataFile(MILLION)
  const copy = `${path}.listing-${process.pid}`
  try {
    copyFileSync(path, copy)
    return await measure(copy)
  } finally {
    removeDatabase(copy)
  }
}

async function measure(path: string): Promise<Row[]> {
  await using child = await startChild<{ url: string; key: string }>('servers/service.ts', [path])
  await using bareChild = await startChild<{ url: string }>('servers/bare.ts', [])
  const service: Server = { child, headers: { authorization: `Bearer ${child.hello.key}` } }
  const bare: Server = { child: bareChild, headers: {} }
  const rows: Row[] = []

  const inform = async (name: string, paths: Paths, bodies: ReadonlyMap<string, Uint8Array>, most?: number) => {
    await bareChild.ask('serve', bodies)
    const compared = await compare({ server: service, paths }, { server: bare, paths }, ROUNDS_INFORMING)
    const limit = most === undefined ? '–' : `CPU ≤ ${most} µs`
    rows.push({ name, ...told(compared), limit, ok: most === undefined || compared.ours.cpu <= most })
  }

  const one = await bodiesOf(service, ONE)
  await bareChild.ask('serve', one)
  await assertEqual(service, bare, ONE[0]!)
  const compared = await compare({ server: service, paths: ONE }, { server: bare, paths: ONE }, ROUNDS)
  rows.push({
    name: 'listing: one state, 30 days, 50 rows, of a bare route’s processor time',
    ...told(compared),
    limit: `≤ ${MOST_TIMES} times`,
    ok: compared.ratio <= MOST_TIMES,
  })

  const rotated = await bodiesOf(service, ROTATED)
  await inform('listing: 37 states × 4 spans in turn', ROTATED, rotated)
  await child.ask('arrivals', true)
  await inform('listing: the same, an incident arriving each second', ROTATED, rotated)
  await child.ask('arrivals', false)
  await inform('listing: no question asked twice', neverAskedBefore(), one, MOST_MICROSECONDS_NEW)

  const ids = await someIds(service)
  await inform('listing: one by id, 1,000 in turn', ids, await bodiesOf(service, ids))
  return rows
}

function told({ ratio, ours, theirs, rounds }: Comparison): Pick<Row, 'value' | 'peer'> {
  const details = [
    `CPU ${ours.cpu.toFixed(1)} µs`,
    `${rounds.length} rounds ${spread(rounds, 2)}`,
    `p99 ${ours.p99.toFixed(0)} ms`,
    `${whole(ours.rate)}/s`,
    `busy ${ours.busy.toFixed(2)}`,
  ]
  const peer = `a bare Fastify route: CPU ${theirs.cpu.toFixed(1)} µs (p99 ${theirs.p99.toFixed(0)} ms; ${whole(theirs.rate)}/s; busy ${theirs.busy.toFixed(2)})`
  return { value: `${ratio.toFixed(2)} times (${details.join('; ')})`, peer }
}

async function bodiesOf(server: Server, paths: readonly string[]): Promise<Map<string, Buffer>> {
  const bodies = new Map<string, Buffer>()
  for (const path of paths) bodies.set(path, await fetchBytes(server, path))
  return bodies
}

/** Throws if the bare route returns other bytes, which would make the comparison meaningless. */
async function assertEqual(service: Server, bare: Server, path: string): Promise<void> {
  const [ours, theirs] = [await fetchBytes(service, path), await fetchBytes(bare, path)]
  // The service says when it was last in step with the log, which changes every second.
  const withoutTime = (bytes: Buffer) => bytes.toString().replace(/"in_step_at":"[^"]*"/, '')
  if (withoutTime(ours) !== withoutTime(theirs)) throw new Error('the bare route returns other bytes')
  const { data } = JSON.parse(ours.toString()) as { data: unknown[] }
  if (data.length !== 50) throw new Error(`the page has ${data.length} rows, not 50`)
}
