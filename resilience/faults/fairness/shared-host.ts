import { onEachStore } from '../../harness/databases.ts'
import type { Scenario } from '../../scenario.ts'
import { type Attack, compareLatency, type LatencyOptions, type Target } from './compare-latency.ts'
import { SHARED_HOST } from './healthy-accounts.ts'

const FULL: LatencyOptions = { healthy: 10, incidents: 40, attackerAccounts: 1 }
const QUICK: LatencyOptions = { healthy: 3, incidents: 5, attackerAccounts: 1, slackMs: 1000 }
/** Enough to fill the places that a host has. */
const UNDER_WAY = 64

/** Paths that never respond, at the host of the healthy accounts. */
export const hangingPaths =
  (paths: number) =>
  async ({ endpoints }: Target): Promise<Attack> => ({
    urls: Array.from({ length: paths }, (_, path) => `http://${SHARED_HOST}:${endpoints.port}/hanging/${path}`),
    underWay: async () => endpoints.hanging >= Math.min(paths, UNDER_WAY),
    observed: async () => `${endpoints.hanging} requests without a response at ${paths} paths`,
    [Symbol.asyncDispose]: async () => {},
  })

export const sharedHost: Scenario = {
  description: 'paths that never respond, at the host of healthy accounts',
  rounds: 100,
  run: (paths) => onEachStore((setup, databaseUrl) => compareLatency(setup, databaseUrl, FULL, hangingPaths(paths))),
  quick: () => onEachStore((setup, databaseUrl) => compareLatency(setup, databaseUrl, QUICK, hangingPaths(100))),
}
