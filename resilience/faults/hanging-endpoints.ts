import { setTimeout as wait } from 'node:timers/promises'
import type { Check } from '../harness/check.ts'
import type { Client } from '../harness/clients/client.ts'
import { Reader } from '../harness/clients/reader.ts'
import { onEachStore } from '../harness/databases.ts'
import { Harness } from '../harness/harness.ts'
import { INSPECTED, readUsage } from '../harness/process-usage.ts'
import { HangingEndpoints } from '../harness/webhooks/hanging-endpoints.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

export interface HangingEndpointsOptions {
  readonly endpoints: number
  /** How long incidents are confirmed for, in milliseconds. */
  readonly duration: number
  /** Of each operator, between two incidents. */
  readonly maxPauseMs: number
}

/** An attempt is given 15 s; then as long again, so that many a second one has been made. */
const LONG = { duration: 30_000, maxPauseMs: 2000 }
/** Who had to wait for one of them would wait longer. */
const DELIVERED_WITHIN = 15_000
/** In MB, with the garbage collected: a socket for each, and what waits for them. */
const MOST_GROWTH = 80
const LOOKED_AT = 50

/** Endpoints that never answer, beside those that do. */
export async function hangAll(
  setup: string,
  databaseUrl: string,
  options: HangingEndpointsOptions,
): Promise<ScenarioResult> {
  const environment = { ...INSPECTED, WATCHES_PER_ACCOUNT: String(options.endpoints + 100) }
  const base = { processes: 1, maxFailures: 0, mayHang: false, random: Math.random }
  await using harness = await Harness.open({ ...options, ...base, databaseUrl, environment })
  const service = harness.services[0]!
  const usedMemory = async () => (await readUsage(service.output)).used / 1_000_000
  await harness.nextConfirmation()
  const before = await usedMemory()
  await using hanging = await HangingEndpoints.open(harness.client, options.endpoints)
  const reader = await Reader.start(harness.client.key, () => service.url)
  await wait(options.duration)
  const growth = (await usedMemory()) - before
  const began = performance.now()
  const counts = await harness.counts()
  const took = performance.now() - began
  await reader[Symbol.asyncDispose]()
  harness.check()
  const checks: Check[] = [
    {
      name: 'all of them hang',
      passed: hanging.called === options.endpoints,
      observed: `${hanging.called} of ${options.endpoints} have been called`,
    },
    {
      name: `the others are told of the last incident within ${DELIVERED_WITHIN / 1000} s`,
      passed: took <= DELIVERED_WITHIN,
      observed: `${(took / 1000).toFixed(1)} s`,
    },
    await stillOwed(harness.client, hanging.watchIds.slice(0, LOOKED_AT)),
    reader.promise,
    harness.responses.promise,
    {
      name: `memory grows by no more than ${MOST_GROWTH} MB`,
      passed: growth <= MOST_GROWTH,
      observed: `from ${Math.round(before)} MB by ${Math.round(growth)} MB`,
    },
  ]
  return { setup, times: options.endpoints, counts, checks }
}

/** Everything that they were owed is still on its way, and it is written down that it was tried. */
async function stillOwed(client: Client, watchIds: readonly string[]): Promise<Check> {
  let pending = 0
  let ended = 0
  let untried = 0
  for (const id of watchIds) {
    const { body } = await client.requestUntilAnswered('GET', `/v1/watches/${id}/deliveries?limit=100`)
    const deliveries = body.data as { status: string; attempts: number }[]
    const open = deliveries.filter(({ status }) => status === 'pending')
    pending += open.length
    ended += deliveries.length - open.length
    if (!open.some(({ attempts }) => attempts > 0)) untried++
  }
  return {
    name: 'those that hang are still expected everything, and their attempts are written down',
    passed: ended === 0 && untried === 0,
    observed: `at ${watchIds.length} of them ${pending} pending, ${ended} not; ${untried} without an attempt`,
  }
}

export const hangingEndpoints: Scenario = {
  description: 'endpoints that accept and never answer',
  rounds: 1000,
  run: (endpoints) => onEachStore((setup, databaseUrl) => hangAll(setup, databaseUrl, { ...LONG, endpoints })),
}
