import type { Check } from '../harness/check.ts'
import { Reader } from '../harness/clients/reader.ts'
import { floodWrongKeys, type WrongKeyResponses } from '../harness/clients/wrong-keys.ts'
import { onEachStore } from '../harness/databases.ts'
import { Harness } from '../harness/harness.ts'
import { INSPECTED, readUsage } from '../harness/process-usage.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

const CONCURRENCY = 50
/** The share of requests sent before memory is first measured; they fill the shared caches. */
const WARM_UP_SHARE = 0.2
/** Measured after a garbage collection; the incidents confirmed during the flood are part of it. */
const MAX_GROWTH_MB = 20

/** Sends wrong keys as fast as the service responds, while operators and a reader continue. */
export async function floodWithWrongKeys(
  setup: string,
  databaseUrl: string,
  requests: number,
): Promise<ScenarioResult> {
  const random = Math.random
  const options = { processes: 1, maxFailures: 0, mayHang: false, random, environment: INSPECTED }
  await using harness = await Harness.open({ ...options, databaseUrl })
  await harness.nextConfirmation()
  const service = harness.services[0]!
  const url = service.url!
  const readUsedMegabytes = async () => (await readUsage(service.output)).used / 1_000_000
  const reader = await Reader.start(harness.client.key, () => url)
  await floodWrongKeys(url, requests * WARM_UP_SHARE, CONCURRENCY)
  const before = await readUsedMegabytes()
  const startedAt = performance.now()
  const responses = await floodWrongKeys(url, requests, CONCURRENCY)
  const seconds = (performance.now() - startedAt) / 1000
  const growth = (await readUsedMegabytes()) - before
  await reader[Symbol.asyncDispose]()
  harness.check()
  const memory: Check = {
    name: `memory grows by no more than ${MAX_GROWTH_MB} MB`,
    passed: growth <= MAX_GROWTH_MB,
    observed: `from ${Math.round(before)} MB by ${Math.round(growth)} MB`,
  }
  const counts = await harness.finish()
  const checks = [checkResponses(responses, seconds), reader.check, harness.responses.check, memory]
  return { setup, times: requests, counts, checks }
}

function checkResponses({ byStatus, malformed }: WrongKeyResponses, seconds: number): Check {
  const statuses = [...byStatus].map(([status, count]) => `${status}: ${count}`).join(', ')
  return {
    name: 'every wrong key is answered 401, or 429 with Retry-After',
    passed: malformed === 0 && byStatus.has(401),
    observed: `${statuses} in ${seconds.toFixed(1)} s`,
  }
}

export const wrongKeyFlood: Scenario = {
  description: 'a flood of wrong keys',
  rounds: 10_000,
  run: (requests) => onEachStore((setup, databaseUrl) => floodWithWrongKeys(setup, databaseUrl, requests)),
}
