import { openStore } from '../../../src/store/open.ts'

import { startServer } from '../../../test/support/databases/postgres-server.ts'
import { Harness } from '../../harness/harness.ts'
import { waitFor } from '../../harness/wait-for.ts'
import type { Scenario, ScenarioResult } from '../../scenario.ts'
import { checkRateLimits } from './limits.ts'
import { checkRevocation } from './revocation.ts'
import { checkTakeOver } from './take-over.ts'

export interface NodesOptions {
  readonly databaseUrl: string
  /** The number of kills of the fan-out node, and of revoked keys. */
  readonly rounds: number
  /** Minutes of steady overload; 0 tests bursts only. */
  readonly overloadMinutes: number
  /** The rate limits per minute that are tested with bursts. */
  readonly limits: readonly number[]
  readonly maxRevocationMs: number
  readonly maxTakeOverMs: number
  readonly maxFailures: number
  readonly mayHang: boolean
  readonly random: () => number
}

const NODES = 3
const FULL = {
  limits: [6, 120, 1200],
  overloadMinutes: 2,
  maxRevocationMs: 2000,
  // Four missed heartbeats, the one in progress, and the poll interval of one second.
  maxTakeOverMs: 8500,
  maxFailures: 2,
  mayHang: true,
  random: Math.random,
}

/** Checks what several nodes guarantee together although they share nothing but the database. */
export async function runNodes(options: NodesOptions): Promise<ScenarioResult> {
  const { databaseUrl, rounds, maxRevocationMs, maxTakeOverMs } = options
  await using harness = await Harness.open({ ...options, processes: NODES })
  const urls = await waitUntilReady(harness)
  await using store = await openStore(databaseUrl)
  const checks = [
    ...(await checkRateLimits(urls, store, options)),
    ...(await checkRevocation(urls, store, rounds, maxRevocationMs)),
    await checkTakeOver(harness, databaseUrl, rounds, maxTakeOverMs),
  ]
  return { setup: `PostgreSQL, ${NODES} nodes`, times: rounds, counts: await harness.finish(), checks }
}

async function waitUntilReady({ services }: Harness): Promise<string[]> {
  const isReady = async (url: string | null) => url !== null && (await fetch(`${url}/readyz`)).ok
  for (const service of services) await waitFor(() => isReady(service.url), 'a ready node')
  return services.map(({ url }) => url!)
}

export const nodes: Scenario = {
  description: 'three nodes on one database, and kill -9 of the fan-out node',
  rounds: 20,
  async run(rounds) {
    await using server = await startServer()
    return [await runNodes({ ...FULL, databaseUrl: server.url, rounds })]
  },
}
