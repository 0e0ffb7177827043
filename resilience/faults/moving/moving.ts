import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { generateKey } from '../../../src/domain/keys.ts'
import { startServer } from '../../../test/support/databases/postgres-server.ts'
import { temporaryFolder } from '../../../test/support/folder.ts'
import { aReport } from '../../../test/support/incident.ts'
import type { Check } from '../../harness/check.ts'
import { Client } from '../../harness/clients/client.ts'
import { writeHistory } from '../../harness/databases.ts'
import { Service } from '../../harness/service.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { type Behaviour, type Endpoint, listen, respondAtOnce } from '../../harness/webhooks/endpoints.ts'
import type { Scenario, ScenarioResult } from '../../scenario.ts'
import { Desk } from '../webhooks/desk.ts'
import { compareFiles } from './compare-files.ts'
import { addWatches } from './fill-store.ts'
import { type CopyRun, runCopy } from './run-copy.ts'

export interface MovingOptions {
  readonly postgresUrl: string
  readonly incidents: number
  readonly watches: number
  /** Reports that wait in the queue. */
  readonly reports: number
}

const MATCHING_WATCHES = 20
const CONFIRMED = 20
const SEED = 51
/** The copy prints a line for every 100,000 rows of a table. */
const IN_THE_MIDDLE = /rows copied/
/** Longer than the second retry takes. */
const ARRIVAL_TIMEOUT_MS = 120_000
/** After the last message, to see whether one comes twice. */
const SILENCE_MS = 10_000

/** Moves a store to PostgreSQL and back; the first copy is killed in the middle and run again. */
export async function moveThereAndBack(options: MovingOptions): Promise<ScenarioResult> {
  const { postgresUrl, incidents, watches, reports } = options
  await using folder = await temporaryFolder()
  const [source, back] = ['feed.db', 'back.db'].map((name) => join(folder.path, name)) as [string, string]
  let isUp = false
  const whileUp: Behaviour = async (response, id) => {
    if (isUp) return respondAtOnce(response, id)
    response.writeHead(500).end('moving')
    return false
  }
  await using endpoint = await listen(whileUp)
  await writeHistory(`sqlite:${source}`, incidents, SEED)
  const others = watches - MATCHING_WATCHES
  await addWatches(`sqlite:${source}`, { matching: MATCHING_WATCHES, others, url: endpoint.url })
  const key = generateKey('live', randomBytes)
  const settings = { OPERATOR_KEY: key, RATE_LIMIT: '100000000', WEBHOOK_ALLOW_PRIVATE: 'true' }
  await fillQueue({ ...settings, DATABASE_URL: `sqlite:${source}` }, key, endpoint, reports)
  const pending = new Set(endpoint.received.map(({ headers }) => headers.id))

  const killed = await runCopy(`sqlite:${source}`, postgresUrl, incidents >= 100_000 ? IN_THE_MIDDLE : null)
  const there = killed.code === 0 ? killed : await runCopy(`sqlite:${source}`, postgresUrl)
  const again = await runCopy(`sqlite:${source}`, postgresUrl)
  const andBack = await runCopy(postgresUrl, `sqlite:${back}`)
  const { rows, problems } = compareFiles(source, back)

  isUp = true
  const before = endpoint.received.length
  await using service = new Service({ ...settings, DATABASE_URL: `sqlite:${back}` })
  const arrived = () => endpoint.received.slice(before).filter(({ accepted }) => accepted)
  const deadline = performance.now() + ARRIVAL_TIMEOUT_MS
  while (new Set(arrived().map(({ headers }) => headers.id)).size < pending.size && performance.now() < deadline) {
    service.check()
    await wait(100)
  }
  await wait(SILENCE_MS)
  const ids = arrived().map(({ headers }) => headers.id)
  const lost = [...pending].filter((id) => !ids.includes(id)).length
  const doubled = ids.length - new Set(ids).size
  const checks: Check[] = [
    ...(killed === there
      ? []
      : [
          {
            name: 'a copy that is killed in the middle is continued by the same command',
            passed: killed.code === null && there.code === 0 && there.output.includes('Continued and finished'),
            observed: `killed after ${killed.seconds.toFixed(1)} s`,
          },
        ]),
    copyCheck('SQLite to PostgreSQL, each row read back and equal', there),
    {
      name: 'a target that is not empty is refused',
      passed: again.code === 1 && again.output.includes('The target is not empty'),
      observed: `exit code ${again.code}`,
    },
    copyCheck('PostgreSQL to SQLite, each row read back and equal', andBack),
    {
      name: 'every row of every table is the same in the first and the last file',
      passed: problems.length === 0 && rows > incidents,
      observed: [`${rows} rows`, ...problems].join('; '),
    },
    {
      name: 'a delivery that was pending before arrives after, once',
      passed: pending.size === MATCHING_WATCHES * CONFIRMED && lost === 0 && doubled === 0,
      observed: `${pending.size} pending, ${lost} lost, ${doubled} doubled`,
    },
  ]
  const setup = `${incidents} incidents, ${watches} watches, ${reports} reports in the queue`
  return { setup, times: 1, counts: null, checks }
}

function copyCheck(name: string, { code, output, seconds, peakMegabytes }: CopyRun): Check {
  const summary = /[\d,]+ rows in \d+ tables/.exec(output)?.[0]
  return {
    name,
    passed: code === 0 && summary !== undefined,
    observed: `${summary ?? output.slice(-300)}, ${seconds.toFixed(1)} s, at most ${Math.round(peakMegabytes)} MB of memory`,
  }
}

/** Reports incidents, confirms some whose deliveries then fail, and stops the service. */
async function fillQueue(
  settings: Record<string, string>,
  key: string,
  endpoint: Endpoint,
  reports: number,
): Promise<void> {
  await using service = new Service(settings)
  const client = new Client(key, () => service.url)
  const desk = new Desk(client)
  for (let number = 0; number < reports; number++) {
    const occurred_at = new Date(Date.UTC(2021, 0, 1) + number * 7_200_000).toISOString()
    await desk.expect(201, 'POST', '/v1/reports', aReport({ occurred_at, summary: `Report ${number} in the queue.` }))
  }
  for (let number = 0; number < CONFIRMED; number++) await desk.publish()
  const attempted = () => new Set(endpoint.received.map(({ headers }) => headers.id)).size
  await waitFor(() => attempted() === MATCHING_WATCHES * CONFIRMED, 'a first attempt of every delivery')
  await service.terminate()
}

export const moving: Scenario = {
  description: 'a store moved from SQLite to PostgreSQL and back, the first copy killed in the middle',
  rounds: 1,
  async quick() {
    await using server = await startServer()
    return [await moveThereAndBack({ postgresUrl: server.url, incidents: 2_000, watches: 100, reports: 50 })]
  },
  async run() {
    await using server = await startServer()
    return [await moveThereAndBack({ postgresUrl: server.url, incidents: 100_000, watches: 10_000, reports: 1_000 })]
  },
}
