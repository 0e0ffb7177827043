import { openStore } from '../../../src/store/open.ts'
import type { Check } from '../../harness/check.ts'
import { onEachStore, onEmptyDatabase } from '../../harness/databases.ts'
import { DropProxy } from '../../harness/drop-proxy.ts'
import { Harness } from '../../harness/harness.ts'
import type { Service } from '../../harness/service.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { HangingEndpoints } from '../../harness/webhooks/hanging-endpoints.ts'
import type { Scenario, ScenarioResult } from '../../scenario.ts'
import { HostileSockets } from './hostile-sockets.ts'

const MAX_STOP_SECONDS = 10
const HANGING_ENDPOINTS = 100
const CONNECTIONS_OF_EACH_KIND = 100

interface StopOptions {
  readonly setup: string
  readonly databaseUrl: string
  /** If given, the service reaches the database through it, and it is cut off before the signal. */
  readonly proxy?: DropProxy
  /** Connections of each kind of hostile client. */
  readonly ofEach: number
}

/** Sends SIGTERM while every kind of hostile client is connected and endpoints hang. */
async function stopUnderFire({ setup, databaseUrl, proxy, ofEach }: StopOptions): Promise<ScenarioResult> {
  const environment = {
    STREAMS_PER_KEY: '100000',
    CONNECTIONS_PER_ADDRESS: '100000',
    WATCHES_PER_ACCOUNT: String(HANGING_ENDPOINTS + 100),
  }
  const base = { processes: 1, maxFailures: 0, mayHang: false, random: Math.random, maxPauseMs: 100 }
  await using harness = await Harness.open({ ...base, databaseUrl: proxy?.url ?? databaseUrl, environment })
  const service = harness.services[0]!
  await harness.nextConfirmation()
  await using hanging = await HangingEndpoints.open(harness.client, HANGING_ENDPOINTS)
  await waitFor(() => hanging.connected > 0, 'a delivery that hangs')
  using _sockets = new HostileSockets(service.url!, harness.client.key, ofEach)
  await waitFor(async () => (await openStreams(service.url!)) >= ofEach, 'the hostile clients')
  proxy?.partition('both')
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
  proxy?.heal('connections are reset')
  // A database that does not answer cannot be told; the next process finds the missing heartbeat.
  if (proxy === undefined) checks.push(await checkLeases(databaseUrl))
  service.restart()
  await waitFor(() => isReady(service), 'the next process')
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

async function stopOnEachStore(ofEach: number): Promise<ScenarioResult[]> {
  const results = await onEachStore((setup, databaseUrl) => stopUnderFire({ setup, databaseUrl, ofEach }))
  const cutOff = await onEmptyDatabase('postgres', async (databaseUrl) => {
    await using proxy = await DropProxy.open(databaseUrl)
    return await stopUnderFire({ setup: 'PostgreSQL that does not answer', databaseUrl, proxy, ofEach })
  })
  return [...results, cutOff]
}

export const stopping: Scenario = {
  description: 'a stop while clients hold connections and endpoints hang',
  rounds: CONNECTIONS_OF_EACH_KIND,
  run: stopOnEachStore,
}
