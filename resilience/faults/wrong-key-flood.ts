import type { Check } from '../harness/check.ts'
import { Reader } from '../harness/clients/reader.ts'
import { floodWrongKeys, type Refusals } from '../harness/clients/wrong-keys.ts'
import { onEachStore } from '../harness/databases.ts'
import { Harness } from '../harness/harness.ts'
import { INSPECTED, readUsage } from '../harness/process-usage.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

const AT_A_TIME = 50
/** Before the memory is first looked at: the first requests fill what is passed for all. */
const WARM_UP = 0.2
/** In MB, once the garbage is collected; the incidents confirmed meanwhile are in it. */
const MOST_GROWTH = 20

/** Strangers try wrong keys as fast as they are answered, while everybody else goes on. */
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
  const usedMemory = async () => (await readUsage(service.output)).used / 1_000_000
  const reader = await Reader.start(harness.client.key, () => url)
  await floodWrongKeys(url, requests * WARM_UP, AT_A_TIME)
  const before = await usedMemory()
  const began = performance.now()
  const refusals = await floodWrongKeys(url, requests, AT_A_TIME)
  const seconds = (performance.now() - began) / 1000
  const growth = (await usedMemory()) - before
  await reader[Symbol.asyncDispose]()
  harness.check()
  const flat: Check = {
    name: `memory grows by no more than ${MOST_GROWTH} MB`,
    passed: growth <= MOST_GROWTH,
    observed: `from ${Math.round(before)} MB by ${Math.round(growth)} MB`,
  }
  const counts = await harness.counts()
  const checks = [refused(refusals, seconds), reader.promise, harness.responses.promise, flat]
  return { setup, times: requests, counts, checks }
}

function refused({ counts, unclear }: Refusals, seconds: number): Check {
  const observed = [...counts].map(([status, count]) => `${status}: ${count}`).join(', ')
  return {
    name: 'every wrong key is answered 401, or 429 with Retry-After',
    passed: unclear === 0 && counts.has(401),
    observed: `${observed} in ${seconds.toFixed(1)} s`,
  }
}

export const wrongKeyFlood: Scenario = {
  description: 'a flood of wrong keys',
  rounds: 10_000,
  run: (requests) => onEachStore((setup, databaseUrl) => floodWithWrongKeys(setup, databaseUrl, requests)),
}
