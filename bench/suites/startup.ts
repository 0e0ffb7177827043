/**
 * Measures the time from the start of `node src/main.ts` on a SQLite file of 1,000,000 incidents
 * until /readyz returns 200, polled every 20 ms; the median of five starts without a saved archive
 * and without compiled code, and of five with both. Memory is VmRSS of that process at that moment
 * (the maximum of the five) and VmHWM, its peak; and VmRSS after 1,000 pages of 50 incidents before
 * random moments. The file comes from the system's cache if it fits into memory. A start from a
 * cold disk cannot be measured here without root; it adds the time that the disk needs to read the
 * file.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { generateKey } from '../../src/domain/keys.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { dataFile, FROM, MILLION, UNTIL } from '../harness/data.ts'
import { cpuSeconds } from '../harness/processor-time.ts'
import type { Row } from '../harness/row.ts'
import { median, spread } from '../harness/statistics.ts'

const STARTS = 5
const MOST_SECONDS = 5
const MOST_SECONDS_LATER = 2.5
const MOST_GIGABYTES = 0.8
const PAGES = 1000
const TIMEOUT_MS = 120_000
const KEY = generateKey('live', randomBytes)
const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

interface Start {
  readonly seconds: number
  /** In gigabytes (10⁹ bytes). */
  readonly resident: number
  readonly peak: number
  /**
   * Seconds of processor time of all threads, which depends less on other load than elapsed time.
   */
  readonly cpu: number
}

export async function run(): Promise<Row[]> {
  const { path } = await dataFile(MILLION)
  const saved = `${path}.snapshot`
  const first: Start[] = []
  for (let number = 0; number < STARTS; number++) {
    for (const kept of [saved, `${path}.compiled`]) rmSync(kept, { recursive: true, force: true })
    first.push(await startOnce(path))
  }
  const whileSaving = await startOnce(path, () => untilSaved(saved))
  const later: Start[] = []
  for (let number = 0; number < STARTS; number++) later.push(await startOnce(path))
  const afterPages = await startOnce(path, readOldPages)
  const savedBytes = readdirSync(saved).reduce((sum, name) => sum + statSync(join(saved, name)).size, 0)
  return [
    timeRow('startup: ready from a SQLite file of 1,000,000 incidents', first, MOST_SECONDS),
    timeRow('startup: ready from the saved archive of 1,000,000 incidents', later, MOST_SECONDS_LATER),
    memoryRow('startup: resident memory (VmRSS) then', first),
    memoryRow('startup: resident memory (VmRSS) after a start from the saved archive', later),
    memoryRow(`startup: resident memory (VmRSS) then, after ${PAGES.toLocaleString('en')} pages of old incidents`, [
      afterPages,
    ]),
    peakRow('startup: peak of resident memory (VmHWM) up to then', first),
    peakRow('startup: peak of resident memory (VmHWM) with the archive saved after the start', [whileSaving]),
    {
      name: 'startup: the saved archive on the disk',
      value: `${(savedBytes / 1e9).toFixed(2)} GB`,
      limit: '–',
      ok: true,
    },
  ]
}

function timeRow(name: string, starts: readonly Start[], most: number): Row {
  const seconds = median(starts.map((start) => start.seconds))
  const times = spread(
    starts.map((start) => start.seconds),
    1,
  )
  const cpu = median(starts.map((start) => start.cpu))
  const value = `${seconds.toFixed(1)} s (starts ${times}; processor time ${cpu.toFixed(1)} s)`
  return { name, value, limit: `< ${most} s`, ok: seconds < most }
}

function memoryRow(name: string, starts: readonly Start[]): Row {
  const resident = Math.max(...starts.map((start) => start.resident))
  const value = `${resident.toFixed(2)} GB`
  return { name, value, limit: `< ${MOST_GIGABYTES} GB`, ok: resident < MOST_GIGABYTES }
}

function peakRow(name: string, starts: readonly Start[]): Row {
  return { name, value: `${Math.max(...starts.map((start) => start.peak)).toFixed(2)} GB`, limit: '–', ok: true }
}

/** Reads 50 incidents before each of some random moments of the ten years. */
async function readOldPages(origin: string): Promise<void> {
  const random = seededRandom(64)
  for (let page = 0; page < PAGES; page++) {
    const before = new Date(FROM + random() * (UNTIL - FROM)).toISOString()
    const response = await fetch(`${origin}/v1/incidents?limit=50&to=${before}`, {
      headers: { authorization: `Bearer ${KEY}` },
    })
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
    await response.arrayBuffer()
  }
}

async function untilSaved(folder: string): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  while (!existsSync(join(folder, 'manifest'))) {
    if (Date.now() > deadline) throw new Error('the archive was not saved')
    await wait(100)
  }
}

async function startOnce(path: string, afterReady: (origin: string) => Promise<void> = async () => {}): Promise<Start> {
  const port = await freePort()
  const started = performance.now()
  const words = [MAIN, '--database-url', `sqlite:${path}`, '--port', String(port), '--log-level', 'warn']
  const env = { ...process.env, OPERATOR_KEY: KEY, RATE_LIMIT: '1000000' }
  const child = spawn(process.execPath, words, { stdio: 'inherit', env })
  const exited = once(child, 'exit')
  try {
    await untilReady(child, `http://127.0.0.1:${port}/readyz`)
    const seconds = (performance.now() - started) / 1000
    await afterReady(`http://127.0.0.1:${port}`)
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
    const cpu = cpuSeconds(child.pid!)
    return { seconds, cpu, resident: gigabytes(status, 'VmRSS'), peak: gigabytes(status, 'VmHWM') }
  } finally {
    child.kill()
    await exited
  }
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  while (Date.now() < deadline && child.exitCode === null) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => null,
    )
    if (status === 200) return
    await wait(20)
  }
  throw new Error('the service did not become ready')
}

function gigabytes(status: string, field: string): number {
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]
  if (kilobytes === undefined) throw new Error(`/proc has no ${field}`)
  return (Number(kilobytes) * 1024) / 1e9
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port was assigned')
  return address.port
}
