import { setTimeout as wait } from 'node:timers/promises'
import { startServer } from '../../../test/support/databases/postgres-server.ts'
import { DropProxy, type Partition } from '../../harness/drop-proxy.ts'
import { Harness } from '../../harness/harness.ts'
import { Rounds } from '../../harness/rounds.ts'
import type { Scenario, ScenarioOptions, ScenarioResult } from '../../scenario.ts'
import { checkFreshness } from './freshness.ts'
import { MAX_RECOVERY_MS, Recovery } from './recovery.ts'

export interface PartitionOptions {
  readonly databaseUrl: string
  readonly processes: number
  readonly rounds: number
  readonly maxMinutes?: number
  /** The longest time in which the other processes may write nothing. */
  readonly maxRecoveryMs: number
  readonly random: () => number
}

const MAX_PAUSE_MS = 800
/** From shorter than a heartbeat to longer than all timeouts of a session. */
const MAX_PARTITION_MS = 9000
const DIRECTIONS: readonly Partition[] = ['both', 'from the server', 'from the client']
const FULL = { maxRecoveryMs: MAX_RECOVERY_MS, random: Math.random }
const BASE = { maxFailures: 1, mayHang: false, maxPauseMs: 30, requestTimeoutMs: 3000, inFlightMs: 12_000 }

/** Cuts one process after the other off from the database, in one or both directions. */
export async function partitionAtRandom(options: PartitionOptions): Promise<ScenarioResult> {
  const { databaseUrl, processes, random } = options
  await using scope = new AsyncDisposableStack()
  const proxies: DropProxy[] = []
  while (proxies.length < processes) proxies.push(scope.use(await DropProxy.open(databaseUrl)))
  const environmentOf = (process: number) => ({ DATABASE_URL: proxies[process]!.url })
  await using harness = await Harness.open({ ...options, ...BASE, environmentOf })
  const recovery = new Recovery(harness, options.maxRecoveryMs)
  await harness.nextConfirmation()
  const freshness = await checkFreshness(harness.services[0]!, proxies[0]!)
  const rounds = new Rounds(options.rounds, options.maxMinutes)
  while (harness.isConfirming && rounds.next()) {
    harness.check()
    await harness.nextConfirmation()
    await wait(random() * MAX_PAUSE_MS)
    const proxy = pick(proxies)
    proxy.partition(pick(DIRECTIONS))
    // Squared: most are short, some outlast every timeout.
    await recovery.measure(MAX_PARTITION_MS * random() ** 2)
    proxy.heal(random() < 0.5 ? 'delayed bytes arrive' : 'connections are reset')
  }
  const counts = await harness.finish()
  const checks = [recovery.check('a process is cut off'), freshness, harness.responses.check]
  return { setup: `PostgreSQL, one of ${processes} processes`, times: rounds.done, counts, checks }

  function pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(random() * values.length)]!
  }
}

export const partitionedNodes: Scenario = {
  description: 'a process cut off from PostgreSQL silently, in one or both directions, and connected again',
  rounds: 100,
  quick: () => runOn(4, {}),
  run: runOn,
}

async function runOn(rounds: number, { maxMinutes }: ScenarioOptions): Promise<ScenarioResult[]> {
  const limit = { rounds, ...(maxMinutes === undefined ? {} : { maxMinutes }) }
  await using server = await startServer()
  return [await partitionAtRandom({ databaseUrl: server.url, processes: 3, ...limit, ...FULL })]
}
