import { openStore } from '../../src/store/open.ts'
import { until } from '../../test/support/app.ts'
import { writeHistory } from '../harness/databases.ts'
import { INSPECTED, type ProcessUsage, readUsage } from '../harness/process-usage.ts'
import { Service } from '../harness/service.ts'
import { type Behaviour, listen, respondAtOnce } from '../harness/webhooks/endpoints.ts'
import { Fuzzer } from './fuzzer.ts'
import { type IssuedKeys, issueKeys } from './generators/keys.ts'

export interface FuzzOptions {
  readonly databaseUrl: string
  readonly requests: number
  readonly seed: number
  /** Incidents in the database before the first request. */
  readonly incidents: number
  /** A slower response is a failure. */
  readonly maxResponseMs: number
  /** Ids of operations that most requests go to; none for all alike. */
  readonly aim?: readonly string[]
  /** Called from time to time with the number of requests sent. */
  readonly onProgress?: (sent: number) => void
}

/** Memory and processor time of the service, and its open files and sockets. */
export interface ResourceUsage extends ProcessUsage {
  readonly openFiles: number
}

export interface FuzzReport
  extends Pick<Fuzzer, 'failures' | 'statuses' | 'operations' | 'succeeded' | 'slowest' | 'spoiled'> {
  /** Operations that let in no request with a hostile text. */
  readonly closed: readonly string[]
  /** The usage after each fifth of the requests; the first fifth fills caches and compiles code. */
  readonly usages: readonly ResourceUsage[]
  /** The number of requests between two usages. */
  readonly requestsBetween: number
  /** Lines of the service's log with level error or fatal. */
  readonly loggedErrors: readonly string[]
}

const PARTS = 5
const SETTINGS = {
  RATE_LIMIT: '100000000',
  RATE_LIMIT_PUBLISHABLE: '100000000',
  RATE_LIMIT_ADDRESS: '100000000',
  RATE_LIMIT_PUBLISHABLE_TOTAL: '100000000',
  WATCH_TESTS_PER_MINUTE: '1000000',
  SITE_UPLOADS_PER_MINUTE: '1000000',
  PREVIEWS_PER_MINUTE: '1000000',
  SIGNUPS_PER_HOUR: '1000000',
  STREAMS_PER_ACCOUNT: '1000',
  // Most watches match every confirmed incident.
  WATCHES_PER_ACCOUNT: '20',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  TRUST_PROXY: 'loopback',
}

const respondWithError: Behaviour = async (response) => {
  response.writeHead(500).end('not today')
  return false
}
const resetConnection: Behaviour = async (response) => {
  response.destroy()
  return false
}

/**
 * Starts a service in a separate process, sends random requests to it and checks every response.
 */
export async function fuzzService(options: FuzzOptions): Promise<FuzzReport> {
  const { databaseUrl, requests, seed, incidents, maxResponseMs, aim = [], onProgress = () => {} } = options
  await using scope = new AsyncDisposableStack()
  await writeHistory(databaseUrl, incidents, seed)
  const keys = await issueKeysIn(databaseUrl)
  const endpoints: string[] = []
  for (const behaviour of [respondAtOnce, respondWithError, resetConnection])
    endpoints.push(scope.use(await listen(behaviour)).url)
  const service = scope.use(new Service({ ...INSPECTED, ...SETTINGS, DATABASE_URL: databaseUrl }))
  await until(() => isReady(service), 'the service')
  const fuzzer = scope.use(await Fuzzer.start(service, { keys, endpoints, seed, maxResponseMs, aim, onProgress }))
  const readResources = async () => ({
    ...(await readUsage(service.output)),
    openFiles: await fuzzer.readMetric('process_open_fds'),
  })
  const usages: ResourceUsage[] = []
  const requestsBetween = Math.ceil(requests / PARTS)
  for (let part = 0; part < PARTS; part++) {
    await fuzzer.run(part * requestsBetween, (part + 1) * requestsBetween)
    await fuzzer.waitForStreamsToClose()
    usages.push(await readResources())
  }
  const closed = await fuzzer.spoilStrings()
  await fuzzer.waitForStreamsToClose()
  const { failures, statuses, operations, succeeded, slowest, spoiled } = fuzzer
  const loggedErrors = service.output.split('\n').filter((line) => /"level":[56]0/.test(line))
  return {
    failures,
    statuses,
    operations,
    succeeded,
    slowest,
    spoiled,
    closed,
    usages,
    requestsBetween,
    loggedErrors,
  }
}

async function issueKeysIn(databaseUrl: string): Promise<IssuedKeys> {
  await using store = await openStore(databaseUrl)
  return await issueKeys(store)
}

async function isReady(service: Service): Promise<boolean> {
  service.check()
  return service.url !== null && (await fetch(`${service.url}/readyz`)).ok
}
