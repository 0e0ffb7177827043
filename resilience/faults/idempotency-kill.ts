import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { generateKey } from '../../src/domain/keys.ts'
import { aReport } from '../../test/support/incident.ts'
import type { Check } from '../harness/check.ts'
import { countReports } from '../harness/checks/reports.ts'
import { type ApiResponse, Client, NoResponse } from '../harness/clients/client.ts'
import { onEmptyDatabase, STORE_NAMES, type StoreKind } from '../harness/databases.ts'
import { Rounds } from '../harness/rounds.ts'
import { Service } from '../harness/service.ts'
import type { Scenario, ScenarioResult } from '../scenario.ts'

export interface IdempotencyKillOptions {
  readonly store: StoreKind
  readonly databaseUrl: string
  /** The number of processes that share the database; each round kills one of them. */
  readonly processes: number
  readonly rounds: number
  readonly maxMinutes?: number
  readonly random: () => number
}

/** So many that every kill hits requests at every step of theirs. */
const REPORTERS = 16
/** A round ends within this time after the first answer of its processes. */
const MAX_ROUND_MS = 1000
const ROUND_TIMEOUT_MS = 120_000
/** Long: one report may be cut off by several kills, each followed by a restart. */
const ANSWER_TIMEOUT_MS = 600_000
const RETRY_MS = 50

/** Posts reports without a pause, each with one key until it is answered, and kills the service. */
export async function killReporters(options: IdempotencyKillOptions): Promise<ScenarioResult> {
  const { store, databaseUrl, processes, random } = options
  await using scope = new AsyncDisposableStack()
  const key = generateKey('live', randomBytes)
  const settings = { DATABASE_URL: databaseUrl, OPERATOR_KEY: key, RATE_LIMIT: '100000000' }
  const services = Array.from({ length: processes }, () => scope.use(new Service(settings)))
  const pick = () => services[Math.floor(random() * services.length)]!
  const reporters = new Reporters(new Client(key, () => pick().url))
  const stop = new AbortController()
  const working = Promise.all(Array.from({ length: REPORTERS }, () => reporters.work(stop.signal)))
  working.catch(() => stop.abort())
  const rounds = new Rounds(options.rounds, options.maxMinutes)
  while (!stop.signal.aborted && rounds.next()) {
    for (const service of services) service.check()
    await reporters.nextAnswer(ROUND_TIMEOUT_MS)
    await wait(random() * MAX_ROUND_MS)
    await pick().killAndRestart()
  }
  stop.abort()
  await working
  const { reports, reportsLost, reportsDoubled } = await countReports(reporters.client, reporters.reported)
  const setup = processes === 1 ? STORE_NAMES[store] : `${STORE_NAMES[store]}, one of ${processes} processes`
  const checks: Check[] = [
    check('every answered report is stored', reportsLost, `${reportsLost} of ${reports} lost`),
    check('no report is stored twice', reportsDoubled, `${reportsDoubled} of ${reports} doubled`),
    check(
      'a repetition gets the same answer',
      reporters.changed,
      `${reporters.changed} of ${reporters.repeated} differ`,
    ),
    {
      name: 'processes were killed while they handled reports',
      passed: reporters.interrupted > 0,
      observed: `${reporters.interrupted} of ${reports}`,
    },
  ]
  return { setup, times: rounds.done, counts: null, checks }
}

function check(name: string, wrong: number, observed: string): Check {
  return { name, passed: wrong === 0, observed }
}

/** Clients that post reports, repeat them until they are answered, and then once more. */
class Reporters {
  readonly client: Client
  /** The number of each answered report, and the id that the service gave it. */
  readonly reported = new Map<number, string>()
  repeated = 0
  changed = 0
  /** Reports whose process was killed before it had answered. */
  interrupted = 0
  #count = 0
  #onAnswer = Promise.withResolvers<void>()

  constructor(client: Client) {
    this.client = client
  }

  async work(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) await this.#report(++this.#count)
  }

  /** Resolves at the next answer from now on. */
  async nextAnswer(timeoutMs: number): Promise<void> {
    this.#onAnswer = Promise.withResolvers<void>()
    const timeout = AbortSignal.timeout(timeoutMs)
    const timedOut = new Promise<never>((_, reject) =>
      timeout.addEventListener('abort', () => reject(new Error(`no report was answered within ${timeoutMs} ms`))),
    )
    await Promise.race([this.#onAnswer.promise, timedOut])
  }

  async #report(number: number): Promise<void> {
    const report = aReport({
      summary: `Report number ${number}.`,
      occurred_at: new Date(Date.UTC(2020, 0, 1) + number * 7_200_000).toISOString(),
    })
    const headers = { 'idempotency-key': randomUUID() }
    const first = await this.#post(report, headers)
    if (first.status !== 201) throw new Error(`reporting got status ${first.status}: ${JSON.stringify(first.body)}`)
    this.reported.set(number, first.body.id as string)
    this.#onAnswer.resolve()
    if (number % 4 !== 0) return
    const second = await this.#post(report, headers)
    this.repeated++
    if (!isDeepStrictEqual(second.body, first.body)) this.changed++
  }

  async #post(report: object, headers: Record<string, string>): Promise<ApiResponse> {
    const deadline = performance.now() + ANSWER_TIMEOUT_MS
    let wasInterrupted = false
    for (;;) {
      try {
        const answer = await this.client.requestWhenReady('POST', '/v1/reports', report, headers)
        if (answer.body.code !== 'idempotency_key_in_use' || performance.now() > deadline) {
          if (wasInterrupted) this.interrupted++
          return answer
        }
      } catch (error) {
        if (!(error instanceof NoResponse) || performance.now() > deadline) throw error
        wasInterrupted ||= wasCutOff(error)
      }
      await wait(RETRY_MS)
    }
  }
}

/** True if a process ended while it handled the request; false if none accepted it. */
function wasCutOff({ cause }: NoResponse): boolean {
  const reason = cause instanceof Error ? cause.cause : undefined
  return cause !== undefined && !(reason instanceof Error && 'code' in reason && reason.code === 'ECONNREFUSED')
}

export const idempotencyKill: Scenario = {
  description: 'kill -9 of the service while reports are posted and repeated',
  rounds: 100,
  quick: () =>
    onEmptyDatabase('sqlite', async (databaseUrl) => [
      await killReporters({ store: 'sqlite', databaseUrl, processes: 1, rounds: 4, random: Math.random }),
    ]),
  async run(rounds, { store, maxMinutes }) {
    const setups = [
      ['sqlite', 1],
      ['postgres', 1],
      ['postgres', 2],
    ] as const
    const results: ScenarioResult[] = []
    const limit = { rounds, ...(maxMinutes === undefined ? {} : { maxMinutes }) }
    for (const [kind, processes] of setups) {
      if (store !== undefined && store !== kind) continue
      results.push(
        await onEmptyDatabase(kind, (databaseUrl) =>
          killReporters({ store: kind, databaseUrl, processes, ...limit, random: Math.random }),
        ),
      )
    }
    return results
  },
}
