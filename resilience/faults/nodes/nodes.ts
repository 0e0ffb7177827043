import { openStore } from '../../../src/store/open.ts'
import { until } from '../../../test/support/app.ts'
import { startServer } from '../../../test/support/postgres-server.ts'
import { Harness } from '../../harness/harness.ts'
import type { Scenario, ScenarioResult } from '../../scenario.ts'
import { limitsHold } from './limits.ts'
import { revocationReaches } from './revocation.ts'
import { fanOutIsTakenOver } from './take-over.ts'

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
  readonly maxFailures: number
  readonly mayHang: boolean
  readonly random: () => number
}

const NODES = 3
const LONG = {
  limits: [6, 120, 1200],
  windows: 2,
  // Taken over: four missed beats, the one under way, and a look every second.
  within: { revoked: 2000, takenOver: 8500 },
  maxFailures: 2,
  mayHang: true,
  random: Math.random,
}

/** Nodes that have nothing in common but the database: what they promise together is held against what they do. */
export async function nodesTogether(options: NodesOptions): Promise<ScenarioResult> {
  const { databaseUrl, rounds, within } = options
  await using harness = await Harness.open({ ...options, processes: NODES })
  const urls = await readyUrls(harness)
  await using store = await openStore(databaseUrl)
  const checks = [
    ...(await limitsHold(urls, store, options)),
    ...(await revocationReaches(urls, store, rounds, within.revoked)),
    ...(await fanOutIsTakenOver(harness, databaseUrl, rounds, within.takenOver)),
  ]
  return { setup: `PostgreSQL, ${NODES} nodes`, times: rounds, counts: await harness.counts(), checks }
}

async function readyUrls({ services }: Harness): Promise<string[]> {
  const isReady = async (url: string | null) => url !== null && (await fetch(`${url}/readyz`)).ok
  for (const service of services) await until(() => isReady(service.url), 'a node that is ready')
  return services.map(({ url }) => url!)
}

export const nodes: Scenario = {
  description: 'three nodes on one database, of which the one that fans out is killed',
  rounds: 20,
  async run(rounds) {
    await using server = await startServer()
    return [await nodesTogether({ ...LONG, databaseUrl: server.url, rounds })]
  },
}
