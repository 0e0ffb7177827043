import { openStore } from '../../src/store/open.ts'
import { until } from '../../test/support/app.ts'
import { writeHistory } from '../harness/history.ts'
import { INSPECTED, type Usage, usageOf } from '../harness/process-usage.ts'
import { Service } from '../harness/service.ts'
import { type Behaviour, listen, prompt } from '../harness/webhooks/endpoints.ts'
import { Fuzzing } from './fuzzer.ts'
import { type IssuedKeys, issueKeys } from './generators/keys.ts'

export interface FuzzOptions {
  readonly databaseUrl: string
  readonly requests: number
  readonly seed: number
  /** Told now and then how many have been sent. */
  readonly onProgress?: (sent: number) => void
}

/** The service at a moment: its memory, and how many files and sockets it has open. */
export interface Stand extends Usage {
  readonly open: number
}

export interface Fuzzed extends Pick<Fuzzing, 'faults' | 'statuses' | 'operations' | 'succeeded' | 'slowest'> {
  /** After a fifth of the requests, and after the last. */
  readonly before: Stand
  readonly after: Stand
  /** Requests between the two. */
  readonly between: number
  /** What the service wrote to its log as an error. */
  readonly logged: readonly string[]
}

const HISTORY = 2000
/** The first fifth fills caches and compiles code. */
const WARM_UP = 0.2
const SETTINGS = {
  RATE_LIMIT: '100000000',
  RATE_LIMIT_PUBLISHABLE: '100000000',
  SIGNUPS_PER_HOUR: '1000000',
  STREAMS_PER_KEY: '1000',
  // Most watches are owed everything that is confirmed.
  WATCHES_PER_ACCOUNT: '20',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  TRUST_PROXY: 'true',
}

const failing: Behaviour = async (response) => {
  response.writeHead(500).end('not today')
  return false
}
const resetting: Behaviour = async (response) => {
  response.destroy()
  return false
}

/** Sends random requests to a service in a process of its own, and judges every answer. */
export async function fuzz({ databaseUrl, requests, seed, onProgress = () => {} }: FuzzOptions): Promise<Fuzzed> {
  await using scope = new AsyncDisposableStack()
  await writeHistory(databaseUrl, HISTORY, seed)
  const keys = await keysIn(databaseUrl)
  const endpoints: string[] = []
  for (const behaviour of [prompt, failing, resetting]) endpoints.push(scope.use(await listen(behaviour)).url)
  const service = scope.use(new Service({ ...INSPECTED, ...SETTINGS, DATABASE_URL: databaseUrl }))
  await until(() => isReady(service), 'the service')
  const fuzzing = scope.use(await Fuzzing.begin(service, { keys, endpoints, seed, onProgress }))
  const warmUp = Math.floor(requests * WARM_UP)
  await fuzzing.run(0, warmUp)
  const stand = async () => ({ ...(await usageOf(service.output)), open: await fuzzing.metric('process_open_fds') })
  const before = await stand()
  await fuzzing.run(warmUp, requests)
  await fuzzing.settle()
  const after = await stand()
  const { faults, statuses, operations, succeeded, slowest } = fuzzing
  const logged = service.output.split('\n').filter((line) => /"level":[56]0/.test(line))
  return { faults, statuses, operations, succeeded, slowest, before, after, between: requests - warmUp, logged }
}

async function keysIn(databaseUrl: string): Promise<IssuedKeys> {
  await using store = await openStore(databaseUrl)
  return await issueKeys(store)
}

async function isReady(service: Service): Promise<boolean> {
  service.check()
  return service.url !== null && (await fetch(`${service.url}/readyz`)).ok
}
