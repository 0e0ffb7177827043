import { onEachStore, onEmptyDatabase } from '../../harness/databases.ts'
import { HangingServer } from '../../harness/webhooks/hanging-server.ts'
import type { Scenario, ScenarioResult } from '../../scenario.ts'
import { type Attack, compareLatency, type LatencyOptions } from './compare-latency.ts'

const FULL: LatencyOptions = { healthy: 10, incidents: 40, attackerAccounts: 1 }
const QUICK: LatencyOptions = { healthy: 3, incidents: 5, attackerAccounts: 1, slackMs: 1000 }
const QUICK_HOSTS = 300
const UNDER_WAY = 200

/** Hosts that accept connections and never respond; each has its own IP address. */
export const hostsThatHang = (hosts: number) => async (): Promise<Attack> => {
  const server = await HangingServer.listen()
  return {
    urls: Array.from({ length: hosts }, (_, host) => `http://127.1.${host >> 8}.${host & 255}:${server.port}/hook`),
    underWay: async () => (await server.counts()).addresses >= Math.min(hosts, UNDER_WAY),
    observed: async () => {
      const { addresses, connections } = await server.counts()
      return `${connections} connections to ${addresses} of ${hosts} hosts`
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function run(hosts: number): Promise<ScenarioResult[]> {
  const ofOne = await onEachStore((setup, databaseUrl) =>
    compareLatency(`${setup}, one account`, databaseUrl, FULL, hostsThatHang(hosts)),
  )
  const ofMany = await onEmptyDatabase('sqlite', (databaseUrl) => {
    const options = { ...FULL, attackerAccounts: hosts }
    return compareLatency('SQLite, an account for each', databaseUrl, options, hostsThatHang(hosts))
  })
  return [...ofOne, ofMany]
}

export const hangingHosts: Scenario = {
  description: 'hosts that accept connections and never respond, beside healthy accounts',
  rounds: 5000,
  run,
  quick: () =>
    onEachStore((setup, databaseUrl) => compareLatency(setup, databaseUrl, QUICK, hostsThatHang(QUICK_HOSTS))),
}
