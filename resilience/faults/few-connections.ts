import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { generateKey } from '../../src/domain/keys.ts'
import { aReport } from '../../test/support/incident.ts'
import type { Check } from '../harness/check.ts'
import { Client } from '../harness/clients/client.ts'
import { PostgresServer } from '../harness/postgres/server.ts'
import { Service } from '../harness/service.ts'
import { waitFor } from '../harness/wait-for.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

interface FewConnections {
  readonly setup: string
  /** Settings of the server. */
  readonly settings: readonly string[]
  /** The most connections of the service's user. */
  readonly userConnections: number
  readonly nodes: number
  readonly writers: number
  readonly writesOfEach: number
}

/** A 503 before this has not waited for anything. */
const WAITED_MS = 2500
const LOOK_EVERY_MS = 200
/** Nodes are in step within a second or two; above this they say that they are behind. */
const MAX_BEHIND_MS = 5000

/** More clients write at once than the database has connections for. */
export async function writeAtOnce(options: FewConnections): Promise<ScenarioResult> {
  await using server = await PostgresServer.create({ settings: options.settings })
  await server.query(`CREATE ROLE feed LOGIN PASSWORD 'feed' CONNECTION LIMIT ${options.userConnections}`)
  await server.query('CREATE DATABASE feed OWNER feed')
  const databaseUrl = server.url.replace(/postgres$/, 'feed')
  // Held from the start: a stampede takes the places that are reserved for superusers, too.
  const observer = new pg.Client({ connectionString: databaseUrl })
  await observer.connect()
  const key = generateKey('live', randomBytes)
  const environment = {
    DATABASE_URL: `postgres://feed:feed@127.0.0.1:${server.port}/feed`,
    OPERATOR_KEY: key,
    RATE_LIMIT: '100000000',
    RATE_LIMIT_ADDRESS: '100000000',
  }
  await using scope = new AsyncDisposableStack()
  const services = Array.from({ length: options.nodes }, () => scope.use(new Service(environment)))
  for (const service of services) await waitFor(() => isReady(service), 'a ready node')
  const watched = watchNodes(services, observer)
  const answers: Answer[] = []
  const writers = Array.from({ length: options.writers }, (_, writer) => {
    const client = new Client(key, () => services[writer % services.length]!.url)
    return write(client, writer, options.writesOfEach, answers)
  })
  await Promise.all(writers)
  const { maxBehindMs, leaders } = await watched.stop()
  for (const service of services) service.check()
  const stored = new Set((await observer.query('SELECT id FROM incidents')).rows.map(({ id }) => id))
  await observer.end()
  const acknowledged = answers.flatMap(({ id }) => id ?? [])
  const lost = acknowledged.filter((id) => !stored.has(id)).length
  const refused = answers.filter(({ status }) => status === 503)
  const refusedAtOnce = refused.filter(({ ms }) => ms < WAITED_MS).length
  const others = answers.filter(({ status }) => status !== 201 && status !== 503).length
  const slowest = Math.max(...answers.map(({ ms }) => ms)) / 1000
  const checks: Check[] = [
    {
      name: 'no write gets a 503 before it has waited for a connection',
      passed: refusedAtOnce === 0 && others === 0,
      observed: `${refused.length} of ${answers.length} got a 503, ${refusedAtOnce} of them at once; ${others} had another status; ${slowest.toFixed(1)} s at most`,
    },
    {
      name: 'every acknowledged write is stored',
      passed: lost === 0 && acknowledged.length > 0,
      observed: `${lost} lost of ${acknowledged.length} acknowledged`,
    },
    {
      name: `every node stays in step with the log, within ${MAX_BEHIND_MS / 1000} s`,
      passed: maxBehindMs <= MAX_BEHIND_MS,
      observed: `${(maxBehindMs / 1000).toFixed(1)} s at most`,
    },
    {
      name: 'the node that fans out keeps its lease',
      passed: leaders.size === 1,
      observed: `${leaders.size} node${leaders.size === 1 ? '' : 's in turn'}`,
    },
  ]
  return { setup: options.setup, times: answers.length, counts: null, checks }
}

interface Answer {
  readonly status: number
  readonly ms: number
  readonly id: string | null
}

/** Reports one incident after the other, each once. */
async function write(client: Client, writer: number, count: number, answers: Answer[]): Promise<void> {
  for (let number = 0; number < count; number++) {
    const report = aReport({
      occurred_at: new Date(Date.UTC(2020, 0, 1) + (writer * count + number) * 7_200_000).toISOString(),
      summary: `Report ${number} of writer ${writer}.`,
      sources: [{ url: `https://example.org/story-${writer}-${number}`, publisher: 'Example Daily' }],
    })
    const startedAt = performance.now()
    const { status, body } = await client.requestOnce('POST', '/v1/reports', report)
    answers.push({ status, ms: performance.now() - startedAt, id: status === 201 ? String(body.id) : null })
  }
}

/** Looks at what the nodes say of themselves, and which of them fans out. */
function watchNodes(services: readonly Service[], observer: pg.Client) {
  const stopping = new AbortController()
  const leaders = new Set<string>()
  let maxBehindMs = 0
  const look = async () => {
    for (const { url } of services) {
      const { in_step_at } = (await (await fetch(`${url}/readyz`)).json()) as { in_step_at: string }
      maxBehindMs = Math.max(maxBehindMs, Date.now() - Date.parse(in_step_at))
    }
    leaders.add((await observer.query('SELECT owner FROM fan_out')).rows[0].owner)
  }
  const looking = (async () => {
    while (!stopping.signal.aborted) {
      await look()
      await wait(LOOK_EVERY_MS)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await looking
      return { maxBehindMs, leaders }
    },
  }
}

async function isReady(service: Service): Promise<boolean> {
  service.check()
  return service.url !== null && (await fetch(`${service.url}/readyz`)).ok
}

const ONE_NODE = {
  setup: 'PostgreSQL, 6 connections, one node, 8 writers',
  settings: [],
  userConnections: 6,
  nodes: 1,
  writers: 8,
}
const THREE_NODES = {
  setup: 'PostgreSQL, max_connections 20, three nodes, 45 writers',
  settings: ['max_connections=20'],
  userConnections: -1,
  nodes: 3,
  writers: 45,
}

export const fewConnections: Scenario = {
  description: 'more writers at once than the database has connections for',
  rounds: 10,
  quick: async () => [await writeAtOnce({ ...ONE_NODE, writesOfEach: 10 })],
  run: async (rounds) => [
    await writeAtOnce({ ...ONE_NODE, writesOfEach: rounds }),
    await writeAtOnce({ ...THREE_NODES, writesOfEach: 2 * rounds }),
  ],
}
