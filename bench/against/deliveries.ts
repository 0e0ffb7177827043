import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, fetch } from 'undici'
import { type Child, startChild } from '../harness/child.ts'
import { mainThreadSeconds, storeThreadSeconds } from '../harness/processor-time.ts'
import { median } from '../harness/statistics.ts'
import { aReport } from '../suites/desk.ts'
import type { Difference } from './differences.ts'

const WATCHES = 100
const PUBLISHED = 200
const DELIVERIES = WATCHES * PUBLISHED
const ROUNDS = 6

/** One service with its own endpoint. */
interface Side {
  readonly service: Child<unknown>
  readonly endpoint: Child<{ urls: string[] }>
}

/** Microseconds of processor time for each delivery or confirmation. */
interface Pass {
  readonly all: number
  readonly main: number
  readonly store: number
}

/** From the log of events to the recorded result: 20,000 deliveries a round to one endpoint. */
export async function deliveriesOf(theirBench: URL): Promise<Difference[]> {
  console.error('deliveries …')
  const folder = mkdtempSync(join(tmpdir(), 'against-deliveries-'))
  await using sides = new AsyncDisposableStack()
  sides.defer(() => rmSync(folder, { recursive: true }))
  const start = async (name: string, bench?: URL): Promise<Side> => {
    const endpoint = sides.use(await startChild<Side['endpoint']['hello']>('servers/endpoints.ts', ['1', '0'], bench))
    const words = JSON.stringify({ urls: endpoint.hello.urls, matching: WATCHES, others: 0, incidents: 0 })
    const service = sides.use(await startChild('servers/watched.ts', [join(folder, name), words], bench))
    return { service, endpoint }
  }
  const theirs = await start('before.db', theirBench)
  const ours = await start('after.db')
  for (const side of [theirs, ours]) await deliver(side)
  return await compare(
    'a delivery',
    () => deliver(theirs),
    () => deliver(ours),
  )
}

async function deliver({ service, endpoint }: Side): Promise<Pass> {
  const pass = await measured(service, DELIVERIES, async () => {
    await service.ask('publishMany', PUBLISHED)
    while ((await endpoint.ask('receivedCount', null)) < DELIVERIES) await shortly()
    while ((await service.ask('pending', null)) > 0) await shortly()
  })
  await endpoint.ask('received', null)
  return pass
}

const REPORTS = 250

/** Confirmations at the desk, one after the other, of incidents reported before. */
export async function confirmationsOf(theirBench: URL): Promise<Difference[]> {
  console.error('confirmations …')
  const folder = mkdtempSync(join(tmpdir(), 'against-confirmations-'))
  await using sides = new AsyncDisposableStack()
  sides.defer(() => rmSync(folder, { recursive: true }))
  const start = async (name: string, bench?: URL): Promise<Desk> =>
    sides.use(await startChild<Desk['hello']>('servers/desk.ts', [`sqlite:${join(folder, name)}`], bench))
  const theirs = await start('before.db', theirBench)
  const ours = await start('after.db')
  for (const desk of [theirs, ours]) await confirmMany(desk)
  return await compare(
    'a confirmation',
    () => confirmMany(theirs),
    () => confirmMany(ours),
  )
}

type Desk = Child<{ url: string; operatorKey: string }>
let reported = 0

async function confirmMany(desk: Desk): Promise<Pass> {
  const { url, operatorKey } = desk.hello
  // Connections of its own: the server closes idle ones while the other service is measured.
  const dispatcher = new Agent()
  const post = async (path: string, body: unknown): Promise<unknown> => {
    const headers = { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body), dispatcher })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const reports = Array.from({ length: REPORTS }, () => aReport(reported++))
  const { data } = (await post('/v1/reports', reports)) as { data: { incident: { id: string } }[] }
  const pass = await measured(desk, REPORTS, async () => {
    for (const { incident } of data) await post(`/v1/desk/incidents/${incident.id}/confirm`, {})
  })
  await dispatcher.close()
  return pass
}

async function compare(name: string, theirs: () => Promise<Pass>, ours: () => Promise<Pass>): Promise<Difference[]> {
  const [before, after]: [Pass[], Pass[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) after.push(await ours())
    before.push(await theirs())
    if (round % 2 === 1) after.push(await ours())
  }
  const difference = (threads: string, of: (pass: Pass) => number): Difference => ({
    name: `${name}, ${threads}`,
    before: median(before.map(of)),
    after: median(after.map(of)),
    ratios: after.map((pass, round) => of(pass) / of(before[round]!)),
  })
  return [
    difference('all threads', ({ all }) => all),
    difference('main thread', ({ main }) => main),
    difference('SQLite thread', ({ store }) => store),
  ]
}

async function measured(service: Child<unknown>, count: number, work: () => Promise<void>): Promise<Pass> {
  const { pid } = service
  const [main, store] = [mainThreadSeconds(pid), storeThreadSeconds(pid)]
  const all = (await service.ask('usage', null)).cpu
  await work()
  return {
    all: ((await service.ask('usage', null)).cpu - all) / count,
    main: ((mainThreadSeconds(pid) - main) * 1e6) / count,
    store: ((storeThreadSeconds(pid) - store) * 1e6) / count,
  }
}

function shortly(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
