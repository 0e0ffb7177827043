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
  /** The time for which incidents are confirmed. */
  readonly durationMs: number
  /** The maximum pause of an operator between two incidents. */
  readonly maxPauseMs: number
}

/** Twice the 15 s that an attempt may take, so that many endpoints get a second attempt. */
const FULL = { durationMs: 30_000, maxPauseMs: 2000 }
/** A delivery that waited for a hanging endpoint would take longer. */
const MAX_DELIVERY_MS = 15_000
/** Measured after a garbage collection: one socket per endpoint, and the pending deliveries. */
const MAX_GROWTH_MB = 80
const INSPECTED_WATCHES = 50
/** The attempts of an account that hang are limited, so not all endpoints are reached in time. */
const MIN_CONNECTED = 200

/** Runs hanging endpoints beside those that respond. */
export async function hangEndpoints(
  setup: string,
  databaseUrl: string,
  options: HangingEndpointsOptions,
): Promise<ScenarioResult> {
  const environment = { ...INSPECTED, WATCHES_PER_ACCOUNT: String(options.endpoints + 100) }
  const base = { processes: 1, maxFailures: 0, mayHang: false, random: Math.random }
  await using harness = await Harness.open({ ...options, ...base, databaseUrl, environment })
  const service = harness.services[0]!
  const readUsedMegabytes = async () => (await readUsage(service.output)).used / 1_000_000
  await harness.nextConfirmation()
  const before = await readUsedMegabytes()
  await using hanging = await HangingEndpoints.open(harness.client, options.endpoints)
  const reader = await Reader.start(harness.client.key, () => service.url)
  await wait(options.durationMs)
  const growth = (await readUsedMegabytes()) - before
  const startedAt = performance.now()
  const counts = await harness.finish()
  const deliveryMs = performance.now() - startedAt
  await reader[Symbol.asyncDispose]()
  harness.check()
  const checks: Check[] = [
    {
      name: `at least ${Math.min(MIN_CONNECTED, options.endpoints)} of them hang`,
      passed: hanging.connected >= Math.min(MIN_CONNECTED, options.endpoints),
      observed: `the service connected to ${hanging.connected} of ${options.endpoints}`,
    },
    {
      name: `the other endpoints receive the last incident within ${MAX_DELIVERY_MS / 1000} s`,
      passed: deliveryMs <= MAX_DELIVERY_MS,
      observed: `${(deliveryMs / 1000).toFixed(1)} s`,
    },
    await checkPending(harness.client, hanging.watchIds.slice(0, INSPECTED_WATCHES)),
    reader.check,
    harness.responses.check,
    {
      name: `memory grows by no more than ${MAX_GROWTH_MB} MB`,
      passed: growth <= MAX_GROWTH_MB,
      observed: `from ${Math.round(before)} MB by ${Math.round(growth)} MB`,
    },
  ]
  return { setup, times: options.endpoints, counts, checks }
}

/** Checks that all deliveries of hanging endpoints are pending and that attempts are recorded. */
async function checkPending(client: Client, watchIds: readonly string[]): Promise<Check> {
  let pending = 0
  let notPending = 0
  let withoutAttempt = 0
  for (const id of watchIds) {
    const { body } = await client.requestUntilAnswered('GET', `/v1/watches/${id}/deliveries?limit=100`)
    const deliveries = body.data as { status: string; attempts: number }[]
    const open = deliveries.filter(({ status }) => status === 'pending')
    pending += open.length
    notPending += deliveries.length - open.length
    if (!open.some(({ attempts }) => attempts > 0)) withoutAttempt++
  }
  return {
    name: 'all deliveries to hanging endpoints stay pending, and attempts are recorded',
    passed: notPending === 0 && withoutAttempt < watchIds.length,
    observed: `${watchIds.length} watches: ${pending} pending, ${notPending} not; ${withoutAttempt} watches without an attempt`,
  }
}

export const hangingEndpoints: Scenario = {
  description: 'endpoints that accept connections and never respond',
  rounds: 1000,
  run: (endpoints) => onEachStore((setup, databaseUrl) => hangEndpoints(setup, databaseUrl, { ...FULL, endpoints })),
}
