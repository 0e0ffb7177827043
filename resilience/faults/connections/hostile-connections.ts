import { randomBytes } from 'node:crypto'
import { Agent, get } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { generateKey } from '../../../src/domain/keys.ts'
import { until } from '../../../test/support/app.ts'
import type { Check } from '../../harness/check.ts'
import { Reader } from '../../harness/clients/reader.ts'
import { onEmptyDatabase, writeHistory } from '../../harness/databases.ts'
import { INSPECTED, readUsage } from '../../harness/process-usage.ts'
import { Service } from '../../harness/service.ts'
import type { Scenario, ScenarioResult } from '../../scenario.ts'
import { HostileSockets, type ReadingKind } from './hostile-sockets.ts'

const INCIDENTS = 2000
/** Each kind has as many connections as the others; together they stay below the total. */
const CONNECTIONS = 600
const QUICK_CONNECTIONS = 60
/**
 * The times of `CONNECTION_TIMEOUTS`, the interval of the check, and two seconds for a busy
 * machine.
 */
const CLOSED_WITHIN: readonly [ReadingKind, number][] = [
  ['silent', 27],
  ['half headers', 27],
  ['half a body', 32],
  ['not HTTP', 5],
]
/** Twice `silenceMs`: the timeout starts again if the last byte was sent within it. */
const UNREAD_CLOSED_WITHIN = 97
/** Kept-alive connections of the clients that behave. */
const OTHER_CONNECTIONS = 8
const MAX_GROWTH_MB = 150
const FLOOD_SECONDS = 20
const FLOOD_CONCURRENCY = 20
const FLOOD_ADDRESS = '127.0.0.3'
/** More than the pages that the reader asks for in a minute. */
const ADDRESS_LIMIT = 2000

/** Holds connections in every useless way, while a client reads and probes are sent. */
export async function holdConnections(connections: number): Promise<ScenarioResult> {
  return onEmptyDatabase('sqlite', async (databaseUrl) => {
    await writeHistory(databaseUrl, INCIDENTS, 1)
    const key = generateKey('live', randomBytes)
    const limits = { RATE_LIMIT: '100000000', STREAMS_PER_KEY: '100000', CONNECTIONS_PER_ADDRESS: '100000' }
    const settings = { ...INSPECTED, ...limits, RATE_LIMIT_ADDRESS: String(ADDRESS_LIMIT), OPERATOR_KEY: key }
    await using service = new Service({ ...settings, DATABASE_URL: databaseUrl })
    await until(() => isReady(service), 'the service')
    const url = service.url!
    const before = (await readUsage(service.output)).used
    await using reader = await Reader.start(key, () => url)
    using sockets = new HostileSockets(url, key, Math.ceil(connections / 6))
    await wait(5000)
    const growthMb = ((await readUsage(service.output)).used - before) / 1_000_000
    const startedAt = performance.now()
    const seconds = () => (performance.now() - startedAt) / 1000 + 5
    let connected = Number.POSITIVE_INFINITY
    while (connected > OTHER_CONNECTIONS && seconds() < UNREAD_CLOSED_WITHIN + 10) {
      await wait(1000)
      connected = await connectionsWithoutStreams(url)
    }
    const unreadSeconds = seconds()
    await reader[Symbol.asyncDispose]()
    service.check()
    const checks: Check[] = [
      ...CLOSED_WITHIN.map(([kind, seconds]) => checkClosed(sockets, kind, seconds)),
      {
        name: `connections that never read their answers are closed within ${UNREAD_CLOSED_WITHIN} s`,
        passed: connected <= OTHER_CONNECTIONS && unreadSeconds <= UNREAD_CLOSED_WITHIN,
        observed: `${connected} without a stream are open after ${unreadSeconds.toFixed(0)} s`,
      },
      reader.check,
      {
        name: `memory grows by no more than ${MAX_GROWTH_MB} MB`,
        passed: growthMb <= MAX_GROWTH_MB,
        observed: `by ${Math.round(growthMb)} MB`,
      },
      await checkFlood(url),
    ]
    return { setup: 'SQLite', times: connections, counts: null, checks }
  })
}

function checkClosed(sockets: HostileSockets, kind: ReadingKind, seconds: number): Check {
  const last = sockets.secondsUntilClosed(kind)
  const open = sockets.openOf(kind)
  return {
    name: `connections that are "${kind}" are closed within ${seconds} s`,
    passed: open === 0 && last <= seconds,
    observed: open > 0 ? `${open} are still open` : `the last after ${last.toFixed(1)} s`,
  }
}

async function connectionsWithoutStreams(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^incident_feed_${name} (\\d+)$`, 'm').exec(text)![1])
  return read('connections_open') - read('streams_open')
}

/** Asks for pages without a key, as fast as they come, from an address of its own. */
async function checkFlood(url: string): Promise<Check> {
  const agent = new Agent({ keepAlive: true, localAddress: FLOOD_ADDRESS })
  const statuses = new Map<number, number>()
  let withoutRetryAfter = 0
  let failedProbes = 0
  const end = performance.now() + FLOOD_SECONDS * 1000
  const flood = async () => {
    while (performance.now() < end) {
      const { status, retryAfter } = await getFrom(agent, `${url}/docs`)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 429 && retryAfter === undefined) withoutRetryAfter++
    }
  }
  const probe = async () => {
    while (performance.now() < end) {
      if ((await getFrom(agent, `${url}/healthz`)).status !== 200) failedProbes++
      await wait(100)
    }
  }
  await Promise.all([...Array.from({ length: FLOOD_CONCURRENCY }, flood), probe()])
  agent.destroy()
  const [served, refused] = [statuses.get(200) ?? 0, statuses.get(429) ?? 0]
  return {
    name: `an address gets at most ${ADDRESS_LIMIT} pages a minute, then 429; its probes are answered meanwhile`,
    passed: served <= ADDRESS_LIMIT && refused > 0 && statuses.size === 2 && withoutRetryAfter + failedProbes === 0,
    observed: `${served} served, ${refused} refused in ${FLOOD_SECONDS} s, ${failedProbes} failed probes`,
  }
}

function getFrom(agent: Agent, url: string): Promise<{ status: number; retryAfter: string | undefined }> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode!, retryAfter: response.headers['retry-after'] })
      })
    }).on('error', reject)
  })
}

async function isReady(service: Service): Promise<boolean> {
  service.check()
  return service.url !== null && (await fetch(`${service.url}/readyz`)).ok
}

export const hostileConnections: Scenario = {
  description: 'connections that only hold resources, and a flood without a key',
  rounds: CONNECTIONS,
  quick: async () => [await holdConnections(QUICK_CONNECTIONS)],
  run: async (connections) => [await holdConnections(connections)],
}
