import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { cpuSeconds } from '../../../bench/harness/processor-time.ts'
import { generateKey } from '../../../src/domain/keys.ts'
import type { Check } from '../../harness/check.ts'
import { Client } from '../../harness/clients/client.ts'
import { ReconnectingStream } from '../../harness/clients/reconnecting-stream.ts'
import { freePort } from '../../harness/postgres/server.ts'
import { Service } from '../../harness/service.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { type Endpoint, listen, respondAtOnce } from '../../harness/webhooks/endpoints.ts'
import { notRun, type Scenario, type ScenarioResult } from '../../scenario.ts'
import { Balancer, type BalancerKind, HAPROXY, installed, NGINX } from './balancer.ts'
import { keptDatabase, newDatabase, type PreparedDatabase } from './prepared-database.ts'
import { Publisher } from './publisher.ts'
import { type ReadFigures, ReadLoad } from './read-load.ts'
import { packageOfLastRelease, packageOfThisTree, type Release, withExpansion } from './releases.ts'

export interface RollingOptions {
  readonly balancer: BalancerKind
  readonly program: string
  /** With these incidents and watches, and nothing else. */
  readonly databaseUrl: string
  readonly incidents: number
  /** Watches that match nothing; `MATCHING_WATCHES` more match everything. */
  readonly watches: number
  /** The number of times that every node is restarted, one after the other. */
  readonly rounds: number
  /** Milliseconds of unbounded reading before the first restart; 0 measures nothing. */
  readonly fullLoadMs: number
  /** The release that the nodes are of at first, and the one that they are restarted with. */
  readonly releases?: { readonly from: Release; readonly to: Release }
}

const NODES = 3
/** From so many incidents on, the memory of a node is that of its data. */
const LARGE = 500_000
const MATCHING_WATCHES = 10
const READERS = 8
const READ_PAUSE_MS = 40
const PUBLISH_PAUSE_MS = 200
/** A million incidents take some seconds, on a busy machine more. */
const READY_TIMEOUT_MS = 180_000
const DELIVERY_TIMEOUT_MS = 120_000
/** HAProxy takes a node back after two good checks, two seconds apart. */
const SETTLING_MS = 6_000
/** After the last message, to see whether one comes twice. */
const SILENCE_MS = 5_000

/** Restarts three nodes behind a load balancer, one after the other, while they are used. */
export async function restartInTurn(options: RollingOptions): Promise<ScenarioResult> {
  const { balancer: kind, program, databaseUrl, incidents, watches, rounds, fullLoadMs, releases } = options
  await using endpoint = await listen(respondAtOnce)
  await using scope = new AsyncDisposableStack()
  const key = generateKey('live', randomBytes)
  const environment = {
    DATABASE_URL: databaseUrl,
    OPERATOR_KEY: key,
    RATE_LIMIT: '100000000',
    RATE_LIMIT_ADDRESS: '100000000',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    TRUST_PROXY: '127.0.0.1',
    // The default.
    DRAIN_SECONDS: '5',
  }
  const ports: number[] = []
  for (let node = 0; node < NODES; node++) ports.push(await freePort())
  const startedAt = performance.now()
  const services: Service[] = []
  for (const port of ports) {
    const service = scope.use(new Service(environment, port, releases?.from.main))
    await waitUntilReady(service)
    services.push(service)
  }
  const readyAfter = performance.now() - startedAt
  const balancer = scope.use(await Balancer.start(kind, program, ports))
  const client = new Client(key, () => balancer.url)
  for (let number = 0; number < MATCHING_WATCHES; number++) {
    const watch = { name: `All ${number}`, filter: {}, url: endpoint.url, events: ['incident.created'] }
    const { status } = await client.requestUntilAnswered('POST', '/v1/watches', watch)
    if (status !== 201) throw new Error(`creating a watch got status ${status}`)
  }
  const capacity = fullLoadMs > 0 ? await measureFullLoad(balancer.url, key, services, fullLoadMs) : []

  await using stream = new ReconnectingStream(key, () => balancer.url, incidents)
  const publisher = new Publisher(client, PUBLISH_PAUSE_MS)
  const load = new ReadLoad({ url: balancer.url, key, readers: READERS, pauseMs: READ_PAUSE_MS })
  const restarts = await restartAll(services, rounds, releases?.to.main)
  const reads = await load.stop()
  await publisher.stop()
  const memory = services.map(({ pid }) => residentGigabytes(pid))
  const deliveries = await checkDeliveries(endpoint, publisher)
  await waitFor(() => stream.changes.length >= publisher.confirmed.size, 'the stream')
  for (const service of services) service.check()
  const restarted = restarts.length
  const checks: Check[] = [
    readCheck(`no read fails while ${restarted} nodes are restarted`, reads),
    deliveries,
    streamCheck(stream, publisher),
    {
      name: 'every node stops by itself and is ready again',
      passed: restarts.every(({ code }) => code === 0),
      observed: `stopped within ${seconds(Math.max(...restarts.map(({ stoppedMs }) => stoppedMs)))}, ready again within ${seconds(Math.max(...restarts.map(({ readyMs }) => readyMs)))}; all ${NODES}, one after the other, within ${seconds(readyAfter)} at first`,
    },
    ...(incidents < LARGE ? [] : [memoryCheck(memory, incidents, watches)]),
    ...capacity,
    ...(releases === undefined ? [] : [await releaseCheck(services, releases)]),
  ]
  const change = releases === undefined ? '' : `, from ${releases.from.title} to ${releases.to.title}`
  const setup = `PostgreSQL, ${NODES} nodes behind ${kind.title}, ${incidents} incidents, ${watches + MATCHING_WATCHES} watches${change}`
  return { setup, times: restarted, counts: null, checks }
}

interface Restart {
  readonly code: number | null
  readonly stoppedMs: number
  readonly readyMs: number
}

async function restartAll(services: readonly Service[], rounds: number, main?: string): Promise<Restart[]> {
  const restarts: Restart[] = []
  for (let round = 0; round < rounds; round++)
    for (const service of services) {
      const stoppingAt = performance.now()
      const code = await service.terminate()
      const startingAt = performance.now()
      service.restart(main)
      await waitUntilReady(service)
      restarts.push({ code, stoppedMs: startingAt - stoppingAt, readyMs: performance.now() - startingAt })
      await wait(SETTLING_MS)
    }
  return restarts
}

/** The nodes run what they were to, on a database that the newer release has migrated. */
async function releaseCheck(
  services: readonly Service[],
  { from, to }: NonNullable<RollingOptions['releases']>,
): Promise<Check> {
  const schemas = await Promise.all(services.map(({ url }) => schemaAt(`${url}/healthz`)))
  const newest = Math.max(from.schema, to.schema)
  const refusing = services.filter(({ output }) => /newer_schema|StoreUnusable/.test(output)).length
  return {
    name: 'every node is of the other release, on the newer schema, and none refuses anything',
    passed: from.schema !== to.schema && schemas.every((schema) => schema === to.schema) && refusing === 0,
    observed: `nodes know schema ${schemas.join(', ')}; the newer release has ${newest}; ${refusing} refused something`,
  }
}

async function schemaAt(url: string): Promise<number> {
  return ((await (await fetch(url)).json()) as { schema: number }).schema
}

async function waitUntilReady(service: Service): Promise<void> {
  const isReady = async () => {
    service.check()
    if (service.url === null) return false
    return await fetch(`${service.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  }
  const deadline = performance.now() + READY_TIMEOUT_MS
  while (!(await isReady())) {
    if (performance.now() > deadline) throw new Error(`a node is not ready in time:\n${service.output.slice(-2000)}`)
    await wait(100)
  }
}

/** As many reads as two cores allow, which the nodes, PostgreSQL, nginx and the readers share. */
async function measureFullLoad(url: string, key: string, services: readonly Service[], ms: number): Promise<Check[]> {
  const before = services.map(({ pid }) => cpuSeconds(pid))
  const load = new ReadLoad({ url, key, readers: 32, pauseMs: 0 })
  await wait(ms)
  const figures = await load.stop()
  const used = services.reduce((sum, { pid }, index) => sum + cpuSeconds(pid) - before[index]!, 0)
  const check = readCheck('no read fails under full load', figures)
  const cost = `${Math.round((used / figures.reads) * 1e6)} µs of the nodes' processors for each read`
  return [{ ...check, observed: `${check.observed}; ${cost}` }]
}

function readCheck(name: string, figures: ReadFigures): Check {
  const { reads, failures, examples, perSecond, median, p99, slowest } = figures
  const times = `median ${Math.round(median)} ms, p99 ${Math.round(p99)} ms, slowest ${Math.round(slowest)} ms`
  return {
    name,
    passed: failures === 0 && reads > 0,
    observed: [`${failures} of ${reads} failed, ${Math.round(perSecond)} a second, ${times}`, ...examples].join('; '),
  }
}

/** Every watch that matches everything receives each confirmed incident once. */
async function checkDeliveries(endpoint: Endpoint, { confirmed }: Publisher): Promise<Check> {
  const expected = confirmed.size * MATCHING_WATCHES
  const pairOf = ({ watchId, body }: Endpoint['received'][number]) => `${watchId} ${body.incident.id}`
  const deadline = performance.now() + DELIVERY_TIMEOUT_MS
  while (new Set(endpoint.received.map(pairOf)).size < expected && performance.now() < deadline) await wait(200)
  await wait(SILENCE_MS)
  const unique = new Set(endpoint.received.map(pairOf))
  const lost = expected - unique.size
  const doubled = endpoint.received.length - unique.size
  const latencies = endpoint.received
    .map(({ receivedAt, body }) => receivedAt - (confirmed.get(String(body.incident.id)) ?? receivedAt))
    .toSorted((one, other) => one - other)
  const at = (share: number) => Math.max(0, Math.round(latencies[Math.floor(share * (latencies.length - 1))] ?? 0))
  return {
    name: 'no delivery is lost or doubled',
    passed: expected > 0 && lost === 0 && doubled === 0,
    observed: `${confirmed.size} confirmed, ${expected} deliveries expected, ${lost} lost, ${doubled} doubled; median ${at(0.5)} ms and p99 ${at(0.99)} ms after the confirmation was answered`,
  }
}

function streamCheck({ changes }: ReconnectingStream, { confirmed }: Publisher): Check {
  const seqs = changes.map(({ seq }) => seq)
  const gaps = seqs.filter((seq, index) => index > 0 && seq !== seqs[index - 1]! + 1).length
  return {
    name: 'a stream that reconnects misses nothing and repeats nothing',
    passed: gaps === 0 && seqs.length === confirmed.size,
    observed: `${seqs.length} events for ${confirmed.size} confirmed incidents, ${gaps} gaps`,
  }
}

function memoryCheck(memory: readonly number[], incidents: number, watches: number): Check {
  const most = formulaGigabytes(incidents, watches)
  return {
    name: 'the memory of a node fits the formula of docs/scaling.md',
    passed: memory.every((gigabytes) => gigabytes <= most),
    observed: `${memory.map((gigabytes) => gigabytes.toFixed(2)).join(', ')} GB; the formula says ${most.toFixed(2)} GB`,
  }
}

/** docs/scaling.md, "Memory of a node". */
function formulaGigabytes(incidents: number, watches: number): number {
  return ((0.17e9 + incidents * 1700 + watches * 800) / 1e9) * (4 / 3)
}

function residentGigabytes(pid: number): number {
  return (Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024) / 1e9
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}

type Size = Omit<RollingOptions, 'balancer' | 'program' | 'databaseUrl' | 'releases'>

async function runAt(
  size: Size,
  prepare: typeof newDatabase,
  balancers: readonly BalancerKind[] = [HAPROXY, NGINX],
  releases?: RollingOptions['releases'],
): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = []
  for (const balancer of balancers) {
    const program = installed(balancer)
    if (program === null) {
      const setup = `PostgreSQL, three nodes behind ${balancer.title}`
      results.push(notRun(setup, `${balancer.name} is not installed (apt-get install ${balancer.name})`))
      continue
    }
    await using database: PreparedDatabase = await prepare(size.incidents, size.watches)
    results.push(
      await restartInTurn({ ...size, balancer, program, databaseUrl: database.url, ...(releases && { releases }) }),
    )
  }
  return results
}

/** From the last release to this tree and back, on a schema that is newer than the last release. */
async function runReleases(size: Size, last: string | undefined): Promise<ScenarioResult[]> {
  using older = packageOfLastRelease(last)
  using own = packageOfThisTree()
  using expanded = own.schema > older.schema ? null : withExpansion(own)
  const newer = expanded ?? own
  const upgrade = await runAt(size, newDatabase, [HAPROXY], { from: older, to: newer })
  const downgrade = await runAt(size, newDatabase, [HAPROXY], { from: newer, to: older })
  return [...upgrade, ...downgrade]
}

export const rolling: Scenario = {
  description:
    'three nodes behind HAProxy, then behind nginx, restarted one after the other while they are used; with the last release, upgraded and taken back',
  rounds: 3,
  quick: () => runAt({ incidents: 2_000, watches: 200, rounds: 1, fullLoadMs: 0 }, newDatabase),
  run: async (rounds, { last }) => {
    const size = { incidents: 50_000, watches: 10_000, rounds, fullLoadMs: 5_000 }
    const releases = await runReleases({ ...size, rounds: 1, fullLoadMs: 0 }, last)
    return [...(await runAt(size, newDatabase)), ...releases]
  },
}

export const rollingMillion: Scenario = {
  description: 'the same behind nginx with a million incidents and a hundred thousand watches; takes 8 GB of memory',
  rounds: 1,
  onlyByName: true,
  run: (rounds) => runAt({ incidents: 1_000_000, watches: 100_000, rounds, fullLoadMs: 10_000 }, keptDatabase, [NGINX]),
}
