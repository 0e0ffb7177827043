import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from '../harness/child.ts'
import { mainThreadSeconds } from '../harness/processor-time.ts'
import { median } from '../harness/statistics.ts'
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

/** Microseconds of processor time for each delivery. */
interface Pass {
  readonly all: number
  readonly main: number
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
  const [before, after]: [Pass[], Pass[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) after.push(await deliver(ours))
    before.push(await deliver(theirs))
    if (round % 2 === 1) after.push(await deliver(ours))
  }
  const difference = (name: string, of: (pass: Pass) => number): Difference => ({
    name,
    before: median(before.map(of)),
    after: median(after.map(of)),
    ratios: after.map((pass, round) => of(pass) / of(before[round]!)),
  })
  return [
    difference('a delivery, all threads', ({ all }) => all),
    difference('a delivery, main thread', ({ main }) => main),
  ]
}

async function deliver({ service, endpoint }: Side): Promise<Pass> {
  const [all, main] = [(await service.ask('usage', null)).cpu, mainThreadSeconds(service.pid)]
  await service.ask('publishMany', PUBLISHED)
  while ((await endpoint.ask('receivedCount', null)) < DELIVERIES) await shortly()
  while ((await service.ask('pending', null)) > 0) await shortly()
  await endpoint.ask('received', null)
  return {
    all: ((await service.ask('usage', null)).cpu - all) / DELIVERIES,
    main: ((mainThreadSeconds(service.pid) - main) * 1e6) / DELIVERIES,
  }
}

function shortly(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}
