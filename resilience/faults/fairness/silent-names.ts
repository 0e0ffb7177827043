import { onEachStore } from '../../harness/databases.ts'
import type { Scenario } from '../../scenario.ts'
import { type Attack, compareLatency, type LatencyOptions, type Target } from './compare-latency.ts'

const FULL: LatencyOptions = { healthy: 10, incidents: 40, attackerAccounts: 1 }
const QUICK: LatencyOptions = { healthy: 3, incidents: 5, attackerAccounts: 1, slackMs: 1000 }

/**
 * Names that are answered while their watches are created, and never since; the service is started
 * again, so that it remembers no address.
 */
export const unresolvedNames =
  (names: number) =>
  async ({ nameServer, endpoints, service }: Target): Promise<Attack> => {
    const hosts = Array.from({ length: names }, (_, number) => `silent${number}.attacker.net`)
    const queries = () => hosts.reduce((sum, host) => sum + (nameServer.queries.get(host) ?? 0), 0)
    let answered = Number.POSITIVE_INFINITY
    return {
      urls: hosts.map((host) => `http://${host}:${endpoints.port}/hanging/${host}`),
      begin: async () => {
        await service.kill()
        answered = queries()
        nameServer.answerName = (name) => (hosts.includes(name) ? 'silent' : '127.0.0.1')
        service.restart()
      },
      underWay: async () => queries() > answered,
      observed: async () => `${queries() - answered} queries without an answer, for ${names} names`,
      [Symbol.asyncDispose]: async () => {},
    }
  }

export const silentNames: Scenario = {
  description: 'host names that the name server is silent about',
  rounds: 50,
  run: (names) => onEachStore((setup, databaseUrl) => compareLatency(setup, databaseUrl, FULL, unresolvedNames(names))),
  quick: () => onEachStore((setup, databaseUrl) => compareLatency(setup, databaseUrl, QUICK, unresolvedNames(50))),
}
