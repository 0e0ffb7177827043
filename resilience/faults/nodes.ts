import { openStore } from '../../src/store/open.ts'
import { until } from '../../test/support/app.ts'
import { startServer } from '../../test/support/postgres-server.ts'
import { Newsroom } from '../harness/newsroom.ts'
import type { Finding, Proof } from '../proof.ts'
import { limitsHold } from './nodes/limits.ts'
import { revocationReaches } from './nodes/revocation.ts'
import { fanOutIsTakenOver } from './nodes/take-over.ts'

export interface NodesOptions {
  readonly databaseUrl: string
  /** How often the node that fans out is killed, and a key revoked. */
  readonly rounds: number
  /** How many minutes of steady overload; 0 leaves it at bursts. */
  readonly windows: number
  /** Limits a minute that bursts are held against. */
  readonly limits: readonly number[]
  /** How long things may take, in milliseconds. */
  readonly within: { readonly revoked: number; readonly takenOver: number }
  readonly mostFailures: number
  readonly mayHang: boolean
  readonly random: () => number
}

const NODES = 3
const LONG = {
  limits: [6, 120, 1200],
  windows: 2,
  // Taken over: four missed beats, the one under way, and a look every second.
  within: { revoked: 2000, takenOver: 8500 },
  mostFailures: 2,
  mayHang: true,
  random: Math.random,
}

/** Nodes that have nothing in common but the database: what they promise together is held against what they do. */
export async function nodesTogether(options: NodesOptions): Promise<Finding> {
  const { databaseUrl, rounds, within } = options
  await using newsroom = await Newsroom.open({ ...options, processes: NODES })
  const urls = await readyUrls(newsroom)
  await using store = await openStore(databaseUrl)
  const promises = [
    ...(await limitsHold(urls, store, options)),
    ...(await revocationReaches(urls, store, rounds, within.revoked)),
    ...(await fanOutIsTakenOver(newsroom, databaseUrl, rounds, within.takenOver)),
  ]
  return { where: `PostgreSQL, ${NODES} nodes`, times: rounds, tally: await newsroom.tally(), promises }
}

async function readyUrls({ services }: Newsroom): Promise<string[]> {
  const isReady = async (url: string | null) => url !== null && (await fetch(`${url}/readyz`)).ok
  for (const service of services) await until(() => isReady(service.url), 'a node that is ready')
  return services.map(({ url }) => url!)
}

export const nodes: Proof = {
  what: 'three nodes on one database, of which the one that fans out is killed',
  rounds: 20,
  async run(rounds) {
    await using server = await startServer()
    return [await nodesTogether({ ...LONG, databaseUrl: server.url, rounds })]
  },
}
