import { setTimeout as wait } from 'node:timers/promises'
import { openStore } from '../../../src/store/open.ts'
import { until } from '../../../test/support/app.ts'
import type { Check } from '../../harness/check.ts'
import { onEachStore } from '../../harness/databases.ts'
import { Harness } from '../../harness/harness.ts'
import type { Service } from '../../harness/service.ts'
import { HangingEndpoints } from '../../harness/webhooks/hanging-endpoints.ts'
import type { Scenario, ScenarioResult } from '../../scenario.ts'
import { HostileSockets } from './hostile-sockets.ts'

const MAX_STOP_SECONDS = 10
const MAX_START_MS = 120_000
const HANGING_ENDPOINTS = 100
const CONNECTIONS_OF_EACH_KIND = 100

/** Sends SIGTERM while every kind of hostile client is connected and endpoints hang. */
async function stopUnderFire(setup: string, databaseUrl: string, ofEach: number): Promise<ScenarioResult> {
  const environment = {
    STREAMS_PER_KEY: '100000',
    CONNECTIONS_PER_ADDRESS: '100000',
    WATCHES_PER_ACCOUNT: String(HANGING_ENDPOINTS + 100),
  }
  const base = { processes: 1, maxFailures: 0, mayHang: false, random: Math.random, maxPauseMs: 100 }
  await using harness = await Harness.open({ ...base, databaseUrl, environment })
  const service = harness.services[0]!
  await harness.nextConfirmation()
  await using hanging = await HangingEndpoints.open(harness.client, HANGING_ENDPOINTS)
  await until(() => hanging.connected > 0, 'a delivery that hangs')
  using _sockets = new HostileSockets(service.url!, harness.client.key, ofEach)
  await until(async () => (await openStreams(service.url!)) >= ofEach, 'the hostile clients')
  const startedAt = performance.now()
  const code = await service.terminate()
  const seconds = (performance.now() - startedAt) / 1000
  const checks: Check[] = [
    {
      name: `the process ends within ${MAX_STOP_SECONDS} s`,
      passed: code === 0 && seconds < MAX_STOP_SECONDS,
      observed: `${seconds.toFixed(1)} s, exit code ${code}`,
    },
  ]
  checks.push(await checkLeases(databaseUrl))
  service.restart()
  // A busy machine may take longer to start than `finish` waits for the next incident.
  for (const end = performance.now() + MAX_START_MS; performance.now() < end && !(await isReady(service)); )
    await wait(200)
  const counts = await harness.finish()
  return { setup, times: 1, counts, checks }
}

async function isReady(service: Service): Promise<boolean> {
  service.check()
  return service.url !== null && (await fetch(`${service.url}/readyz`)).ok
}

async function openStreams(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^incident_feed_streams_open (\d+)$/m.exec(text)?.[1] ?? 0)
}

async function checkLeases(databaseUrl: string): Promise<Check> {
  await using store = await openStore(databaseUrl)
  const { leased, waiting } = await store.deliveries.queueDepth(10_000)
  return {
    name: 'every lease of a delivery is given back',
    passed: leased === 0 && waiting > 0,
    observed: `${leased} leased, ${waiting} waiting`,
  }
}

export const stopping: Scenario = {
  description: 'a stop while clients hold connections and endpoints hang',
  rounds: CONNECTIONS_OF_EACH_KIND,
  run: (ofEach) => onEachStore((setup, databaseUrl) => stopUnderFire(setup, databaseUrl, ofEach)),
}
