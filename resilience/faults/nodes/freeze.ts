import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { startServer } from '../../../test/support/databases/postgres-server.ts'
import { temporaryFolder } from '../../../test/support/folder.ts'
import { Harness } from '../../harness/harness.ts'
import { HeldLog, hasIdleTransaction } from '../../harness/postgres/lock-queue.ts'
import { Rounds } from '../../harness/rounds.ts'
import type { Service } from '../../harness/service.ts'
import type { Scenario, ScenarioOptions, ScenarioResult } from '../../scenario.ts'
import { MAX_RECOVERY_MS, Recovery } from './recovery.ts'

export interface FreezeOptions {
  readonly databaseUrl: string
  /** The number of processes; with one, nobody can take over while it is frozen. */
  readonly processes: number
  readonly rounds: number
  readonly maxMinutes?: number
  /** The number of first rounds that aim inside a transaction; later ones are chosen at random. */
  readonly aimedRounds?: number
  /** The longest time in which the other processes may write nothing. */
  readonly maxRecoveryMs: number
  readonly random: () => number
}

/** Between two faults, so that some are injected into a service that is still recovering. */
const MAX_PAUSE_MS = 800
const SHORT_MS = { least: 200, most: 2500 }
/** Others take a process for dead after six seconds. */
const LONG_MS = { least: 6500, most: 9000 }
const FULL = { maxRecoveryMs: MAX_RECOVERY_MS, random: Math.random }
const BASE = { maxFailures: 1, mayHang: false, maxPauseMs: 30, requestTimeoutMs: 3000, inFlightMs: 12_000 }

/** The chance that leads to a freeze inside a transaction, if there are several processes. */
const AIMED = 0.4

/** Freezes one process after the other, for short and long, and kills one now and then. */
export async function freezeAtRandom(options: FreezeOptions): Promise<ScenarioResult> {
  const { databaseUrl, processes, random } = options
  await using harness = await Harness.open({ ...options, ...BASE })
  const recovery = new Recovery(harness, options.maxRecoveryMs)
  let aimed = 0
  let insideTransaction = 0
  const rounds = new Rounds(options.rounds, options.maxMinutes)
  while (harness.isConfirming && rounds.next()) {
    harness.check()
    await harness.nextConfirmation()
    await wait(random() * MAX_PAUSE_MS)
    const chance = rounds.done <= (options.aimedRounds ?? 0) ? AIMED : random()
    if (chance < 0.2) await harness.anyService().killAndRestart()
    else if (processes === 1) await freeze(harness.anyService(), between(chance < 0.35 ? LONG_MS : SHORT_MS, random))
    else if (chance < 0.45) {
      aimed++
      if (await freezeInsideTransaction()) insideTransaction++
    } else {
      const service = harness.anyService()
      service.freeze()
      await recovery.measure(between(chance < 0.55 ? LONG_MS : SHORT_MS, random))
      service.thaw()
    }
  }
  const counts = await harness.finish()
  const setup = `${databaseUrl.startsWith('sqlite:') ? 'SQLite' : 'PostgreSQL'}, ${processes === 1 ? 'one process' : `one of ${processes} processes`}`
  const aim = {
    name: 'processes are frozen inside a transaction, with the log locked',
    passed: insideTransaction > 0 || aimed === 0,
    observed: `${insideTransaction} of ${aimed} times`,
  }
  const checks = processes === 1 ? [] : [recovery.check('a process is frozen'), aim]
  return { setup, times: rounds.done, counts, checks: [...checks, harness.responses.check] }

  /** Makes writers wait for the log, freezes the first of them, and lets it have the lock. */
  async function freezeInsideTransaction(): Promise<boolean> {
    let frozen: Service | undefined
    {
      await using held = await HeldLog.hold(databaseUrl)
      const pid = await held.firstWaiter(harness.services.map((service) => service.pid))
      frozen = harness.services.find((service) => service.pid === pid)
      frozen?.freeze()
    }
    if (frozen === undefined) return false
    await wait(100)
    const isInside = await hasIdleTransaction(databaseUrl)
    await recovery.measure(0)
    frozen.thaw()
    return isInside
  }
}

async function freeze(service: Service, forMs: number): Promise<void> {
  service.freeze()
  await wait(forMs)
  service.thaw()
}

function between({ least, most }: { readonly least: number; readonly most: number }, random: () => number): number {
  return least + (most - least) * random()
}

export const frozenNodes: Scenario = {
  description: 'SIGSTOP of a process at random moments and inside a transaction, SIGCONT later, and kill -9',
  rounds: 100,
  quick: () => runOnStores(3, {}),
  run: runOnStores,
}

async function runOnStores(rounds: number, { store, maxMinutes }: ScenarioOptions): Promise<ScenarioResult[]> {
  const results: ScenarioResult[] = []
  const limit = { rounds, ...(maxMinutes === undefined ? {} : { maxMinutes }) }
  if (store !== 'postgres') {
    await using folder = await temporaryFolder()
    const databaseUrl = `sqlite:${join(folder.path, 'feed.db')}`
    results.push(await freezeAtRandom({ databaseUrl, processes: 1, ...limit, ...FULL }))
  }
  if (store !== 'sqlite') {
    await using server = await startServer()
    results.push(await freezeAtRandom({ databaseUrl: server.url, processes: 3, ...limit, aimedRounds: 1, ...FULL }))
  }
  return results
}
