/**
 * Measures downloads of months over HTTP, with a key, with 1,000,000 incidents: about 8,300 per
 * month. The service is a separate process and works on a copy of the data; this process reads and
 * discards. Six months in turn, each format separately; a figure is the median. "First" is a month
 * that was not requested before: its size and hash are computed before the first byte. Stalled
 * clients request a month and read nothing: what they have not read must not be buffered in memory.
 * While the index computes all hashes, lists are requested one after the other to measure the
 * effect on them.
 */
import { copyFileSync } from 'node:fs'
import { get, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { type Child, startChild } from '../harness/child.ts'
import { dataFile, MILLION, removeDatabase } from '../harness/data.ts'
import type { Row } from '../harness/row.ts'
import { median, percentile, spread } from '../harness/statistics.ts'

const LEAST_MEGABYTES = { ndjson: 40, csv: 80, geojson: 40 }
/** As sent, when the month was asked for before. */
const LEAST_MEGABYTES_GZIP = 25
const MONTHS = ['2021-01', '2021-02', '2021-03', '2021-04', '2021-05', '2021-06']
const ROUNDS = 4
const STALLED = 100
/** A service that is busy for less than this in a tenth of a second counts as idle. */
const IDLE_MICROSECONDS = 10_000
const MOST_STALLED_MEGABYTES = 100
const TIMEOUT_MS = 120_000
const LIST = '/v1/incidents?state=Kaduna&since=30d&limit=50'

interface Service {
  readonly url: string
  readonly key: string
}

export async function run(): Promise<Row[]> {
  const { path } = await dataFile(MILLION)
  const copy = `${path}.downloads-${process.pid}`
  try {
    copyFileSync(path, copy)
    await using child = await startChild<Service>('servers/service.ts', [copy])
    return [
      ...(await speeds(child.hello, 'ndjson', {}, LEAST_MEGABYTES.ndjson)),
      ...(await speeds(child.hello, 'csv', {}, LEAST_MEGABYTES.csv)),
      ...(await speeds(child.hello, 'geojson', {}, LEAST_MEGABYTES.geojson)),
      ...(await speeds(child.hello, 'ndjson', { 'accept-encoding': 'gzip' }, LEAST_MEGABYTES_GZIP)),
      await stalled(child),
      ...(await index(child.hello)),
    ]
  } finally {
    removeDatabase(copy)
  }
}

async function speeds(
  service: Service,
  format: string,
  headers: Record<string, string>,
  least: number,
): Promise<Row[]> {
  const paths = MONTHS.map((month) => `/v1/archive/${month}.${format}`)
  const first: number[] = []
  const again: number[] = []
  for (const path of paths) first.push(await speedOf(service, path, headers))
  for (let round = 0; round < ROUNDS; round++)
    for (const path of paths) again.push(await speedOf(service, path, headers))
  const speed = median(again)
  const encoded = 'accept-encoding' in headers
  return [
    {
      name: `downloads: a month as ${format}${encoded ? ', gzip (bytes as sent)' : ''}`,
      value: `${speed.toFixed(0)} MB/s (${again.length} rounds ${spread(again, 0)}; first ${median(first).toFixed(0)})`,
      limit: `≥ ${least} MB/s`,
      ok: speed >= least,
    },
  ]
}

async function speedOf(service: Service, path: string, headers: Record<string, string>): Promise<number> {
  const started = performance.now()
  const bytes = await fetchAndDrop(service, path, headers)
  return bytes / 1e6 / ((performance.now() - started) / 1000)
}

/** Without backpressure each client would hold a month of about 7 MB. */
async function stalled(child: Child<Service>): Promise<Row> {
  const { url, key } = child.hello
  const before = await child.ask('usage', null)
  const asked = await Promise.all(
    Array.from({ length: STALLED }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof get>>()
      const headers = { authorization: `Bearer ${key}` }
      const asked = get(`${url}/v1/archive/${MONTHS[0]}.ndjson`, { headers, agent: false }, () => resolve(asked))
      asked.on('error', reject)
      return promise
    }),
  )
  await untilIdle(child)
  const after = await child.ask('usage', null)
  for (const one of asked) one.destroy()
  const megabytes = (after.resident - before.resident) / 1e6
  return {
    name: `downloads: resident memory for ${STALLED} stalled clients`,
    value: `${megabytes.toFixed(0)} MB more`,
    limit: `≤ ${MOST_STALLED_MEGABYTES} MB`,
    ok: megabytes <= MOST_STALLED_MEGABYTES,
  }
}

/** Waits until the service has filled the sockets of all clients. */
async function untilIdle(child: Child<Service>): Promise<void> {
  for (let quiet = 0, busy = 0; quiet < 3; ) {
    await wait(100)
    const usage = await child.ask('usage', null)
    quiet = usage.busy - busy < IDLE_MICROSECONDS ? quiet + 1 : 0
    busy = usage.busy
  }
}

/**
 * Measures the first response of the index, the time until every hash is known, and lists in that
 * time.
 */
async function index(service: Service): Promise<Row[]> {
  const quiet = await listTimes(service, 500)
  const started = performance.now()
  let firstAnswer = 0
  let complete = false
  const busy: number[] = []
  while (!complete) {
    const [answer, times] = await Promise.all([fetchIndex(service), listTimes(service, 100)])
    firstAnswer ||= performance.now() - started
    complete = answer.complete
    busy.push(...times)
    if (performance.now() - started > TIMEOUT_MS) throw new Error('the index never became complete')
  }
  const seconds = (performance.now() - started) / 1000
  const p99 = (times: number[]) => percentile(times, 0.99).toFixed(1)
  return [
    informing(
      'the index: first answer, then every hash known',
      `${(firstAnswer / 1000).toFixed(1)} s, ${seconds.toFixed(0)} s`,
    ),
    informing('a list while hashes are worked out, p99', `${p99(busy)} ms (quiet ${p99(quiet)} ms)`),
  ]
}

function informing(name: string, value: string): Row {
  return { name: `downloads: ${name}`, value, limit: '–', ok: true }
}

async function listTimes(service: Service, count: number): Promise<number[]> {
  const times: number[] = []
  for (let asked = 0; asked < count; asked++) {
    const started = performance.now()
    await fetchAndDrop(service, LIST, {})
    times.push(performance.now() - started)
  }
  return times
}

async function fetchIndex({ url, key }: Service): Promise<{ complete: boolean }> {
  const response = await fetch(`${url}/v1/archive`, { headers: { authorization: `Bearer ${key}` } })
  if (!response.ok) throw new Error(`the index: ${response.status}`)
  return (await response.json()) as { complete: boolean }
}

/** Returns the size of the body in bytes. */
function fetchAndDrop({ url, key }: Service, path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(url + path, { headers: { authorization: `Bearer ${key}`, ...headers } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve(bytes))
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end()
  })
}
