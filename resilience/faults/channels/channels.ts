import { setTimeout as wait } from 'node:timers/promises'
import { ChannelReceivers } from '../../harness/channels/channel-receivers.ts'
import { ChannelWatches, openReader } from '../../harness/channels/channel-watches.ts'
import type { Check } from '../../harness/check.ts'
import { onEmptyDatabase, STORE_NAMES, type StoreKind } from '../../harness/databases.ts'
import { Harness } from '../../harness/harness.ts'
import { Rounds } from '../../harness/rounds.ts'
import type { Scenario, ScenarioResult } from '../../scenario.ts'

export interface ChannelsOptions {
  readonly databaseUrl: string
  readonly processes: number
  /** The number of times that a process is killed; 0 for none. */
  readonly kills: number
  readonly maxMinutes?: number
  readonly maxRoundMs: number
  /** Watches of each channel whose place never answers. */
  readonly hangingPerKind: number
  /** For how long incidents are confirmed if nothing is killed. */
  readonly durationMs: number
  /** The maximum number of failures of a place per message. */
  readonly maxFailures: number
  readonly maxPauseMs: number
  readonly random: () => number
}

/** The attempts of an account that hang are limited, so not all places are reached at once. */
const MIN_HANGING = 20
const DEFAULT_LIMIT = 100
const KILLED_WHILE_STARTING = 0.25

/** Sends to every channel while processes are killed, or while many places hang. */
export async function sendToChannels(setup: string, options: ChannelsOptions): Promise<ScenarioResult> {
  const { random, kills, hangingPerKind } = options
  const reader = await openReader(options.databaseUrl)
  await using receivers = await ChannelReceivers.open(random, options.maxFailures)
  const environment = {
    ...receivers.environment,
    WATCHES_PER_ACCOUNT: String(DEFAULT_LIMIT + hangingPerKind * 10),
    WATCH_TESTS_PER_MINUTE: '100000',
  }
  const failing = { maxFailures: 0, mayHang: false }
  await using harness = await Harness.open({ ...options, ...failing, environment })
  const watches = await ChannelWatches.create(harness, receivers, reader, hangingPerKind)
  // Incidents confirmed before the watches were made are not for them.
  const createdSeq = (await harness.readLog()).at(-1)?.seq ?? 0
  const rounds = new Rounds(Math.max(kills, 1), options.maxMinutes)
  while (kills > 0 && harness.isConfirming && rounds.next()) {
    harness.check()
    const service = harness.anyService()
    // Otherwise it may be killed while it starts.
    if (random() >= KILLED_WHILE_STARTING) await harness.nextConfirmation()
    await wait(random() * options.maxRoundMs)
    await service.killAndRestart()
  }
  if (kills === 0) await wait(options.durationMs)
  const counts = await harness.finish()
  const checks: Check[] = await watches.check(createdSeq)
  harness.check()
  if (hangingPerKind > 0)
    checks.push({
      name: `at least ${MIN_HANGING} places hang`,
      passed: receivers.hanging >= MIN_HANGING,
      observed: `${receivers.hanging} of ${hangingPerKind * 5}`,
    })
  return { setup, times: kills === 0 ? hangingPerKind * 5 : rounds.done, counts, checks }
}

const KILL = {
  maxRoundMs: 3000,
  hangingPerKind: 0,
  durationMs: 0,
  maxFailures: 1,
  maxPauseMs: 600,
  random: Math.random,
}
const HANG = { kills: 0, maxRoundMs: 0, durationMs: 30_000, maxFailures: 0, maxPauseMs: 1500, random: Math.random }

const onStore = (store: StoreKind, setup: string, options: Omit<ChannelsOptions, 'databaseUrl'>) =>
  onEmptyDatabase(store, (databaseUrl) => sendToChannels(setup, { ...options, databaseUrl }))

export const channelsKill: Scenario = {
  description: 'kill -9 of the service while it writes to every channel',
  rounds: 20,
  quick: async () => [
    await onStore('sqlite', 'SQLite', { ...KILL, maxRoundMs: 800, maxFailures: 0, processes: 1, kills: 3 }),
  ],
  async run(rounds, { store, maxMinutes }) {
    const limit = maxMinutes === undefined ? {} : { maxMinutes }
    const results: ScenarioResult[] = []
    for (const [kind, processes] of [
      ['sqlite', 1],
      ['postgres', 2],
    ] as const) {
      if (store !== undefined && store !== kind) continue
      const setup = processes === 1 ? STORE_NAMES[kind] : `${STORE_NAMES[kind]}, one of two processes`
      results.push(await onStore(kind, setup, { ...KILL, ...limit, processes, kills: rounds }))
    }
    return results
  },
}

export const channelsHanging: Scenario = {
  description: 'places of every channel that accept a message and never answer',
  rounds: 40,
  async run(rounds, { store }) {
    const results: ScenarioResult[] = []
    for (const kind of ['sqlite', 'postgres'] as const) {
      if (store !== undefined && store !== kind) continue
      results.push(await onStore(kind, STORE_NAMES[kind], { ...HANG, processes: 1, hangingPerKind: rounds }))
    }
    return results
  },
}
