import { randomBytes } from 'node:crypto'
import { percentile } from '../../../bench/harness/statistics.ts'
import { generateKey } from '../../../src/domain/keys.ts'
import type { Check } from '../../harness/check.ts'
import { Client } from '../../harness/clients/client.ts'
import { NameServer } from '../../harness/names/name-server.ts'
import { INSPECTED, readUsage } from '../../harness/process-usage.ts'
import { Service } from '../../harness/service.ts'
import { waitFor } from '../../harness/wait-for.ts'
import type { ScenarioResult } from '../../scenario.ts'
import { createWatches, openAccounts } from './accounts.ts'
import { HealthyEndpoints, measureLatencies, SHARED_HOST } from './healthy-accounts.ts'

export interface LatencyOptions {
  /** Healthy accounts, with a watch each. */
  readonly healthy: number
  /** Incidents for each of the two measurements. */
  readonly incidents: number
  readonly attackerAccounts: number
  /** Allowed besides the ratio: of few samples, the slowest is often that of a busy machine. */
  readonly slackMs?: number
}

/** The service that an attack is made on. */
export interface Target {
  readonly endpoints: HealthyEndpoints
  readonly nameServer: NameServer
  readonly service: Service
}

export interface Attack extends AsyncDisposable {
  /** The endpoints of the attacker's watches. */
  readonly urls: readonly string[]
  /** Called once the watches exist. */
  readonly begin?: () => Promise<void>
  /** Resolves once the attack has an effect on a service without protection. */
  readonly underWay: () => Promise<boolean>
  /** Returns the sentence for the report. */
  readonly observed: () => Promise<string>
}

const MAX_RATIO = 3
/** Measured after a garbage collection: sockets of endpoints that hang, and their deliveries. */
const MAX_GROWTH_MB = 150

/** Compares the p99 of healthy accounts without and with an attack, in one run of one service. */
export async function compareLatency(
  setup: string,
  databaseUrl: string,
  options: LatencyOptions,
  prepareAttack: (target: Target) => Promise<Attack>,
): Promise<ScenarioResult> {
  await using scope = new AsyncDisposableStack()
  const nameServer = scope.use(await NameServer.listen(() => '127.0.0.1'))
  const endpoints = scope.use(await HealthyEndpoints.listen())
  const operatorKey = generateKey('live', randomBytes)
  const service = scope.use(new Service(environmentOf(databaseUrl, operatorKey, nameServer)))
  const operator = new Client(operatorKey, () => service.url)
  await waitFor(() => service.url !== null, 'the service')
  await operator.requestUntilAnswered('GET', '/v1/incidents?limit=1')

  const healthyUrls = Array.from(
    { length: options.healthy },
    (_, number) => `http://${SHARED_HOST}:${endpoints.port}/healthy/${number}`,
  )
  const healthyAccounts = await openAccounts(databaseUrl, options.healthy, () => service.url)
  await createWatches(healthyAccounts, healthyUrls)
  const measure = (incidents: number) => measureLatencies(operator, endpoints, options.healthy, incidents)
  await measure(WARM_UP)
  const quiet = await measure(options.incidents)
  const before = (await readUsage(service.output)).used

  const attack = scope.use(await prepareAttack({ endpoints, nameServer, service }))
  const attackers = await openAccounts(databaseUrl, options.attackerAccounts, () => service.url)
  const statuses = await createWatches(attackers, attack.urls)
  await attack.begin?.()
  await measure(WARM_UP)
  await waitFor(attack.underWay, 'the attack')
  const attacked = await measure(options.incidents)
  const growth = ((await readUsage(service.output)).used - before) / 1_000_000
  service.check()
  const refused = [...statuses].filter(([status]) => status !== 201)
  const attackCheck: Check = {
    name: 'the attack is under way',
    passed: true,
    observed: `${await attack.observed()}${refused.length > 0 ? `; watches refused: ${JSON.stringify(refused)}` : ''}`,
  }
  const checks = [attackCheck, latencyCheck(quiet, attacked, options.slackMs ?? 0), memoryCheck(growth)]
  return { setup, times: attack.urls.length, counts: null, checks }
}

const WARM_UP = 3

function environmentOf(databaseUrl: string, operatorKey: string, nameServer: NameServer): Record<string, string> {
  return {
    ...INSPECTED,
    DATABASE_URL: databaseUrl,
    OPERATOR_KEY: operatorKey,
    DNS_SERVERS: nameServer.address,
    RATE_LIMIT: '100000000',
    WATCHES_PER_ACCOUNT: '100000',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  }
}

function latencyCheck(quiet: readonly number[], attacked: readonly number[], slackMs: number): Check {
  const [before, during] = [percentile(quiet, 0.99), percentile(attacked, 0.99)]
  const medians = `median ${percentile(quiet, 0.5).toFixed(0)} and ${percentile(attacked, 0.5).toFixed(0)} ms`
  return {
    name: `p99 at healthy accounts is at most ${MAX_RATIO} × quiet${slackMs > 0 ? ` and ${slackMs} ms` : ''}`,
    passed: during <= MAX_RATIO * before + slackMs,
    observed: `${(during / before).toFixed(2)} × (quiet ${before.toFixed(0)} ms, attacked ${during.toFixed(0)} ms; ${medians}; ${attacked.length} samples each)`,
  }
}

function memoryCheck(growth: number): Check {
  return {
    name: `memory grows by no more than ${MAX_GROWTH_MB} MB`,
    passed: growth <= MAX_GROWTH_MB,
    observed: `${Math.round(growth)} MB`,
  }
}
