/**
 * Gives 1,000,000 older events their links while the real service answers and takes reports, and
 * compares the longest waits with those of the same service afterwards. What the chain costs a
 * confirmation shows in `deliveries --against` a commit without it.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { aReport } from '../../test/support/incident.ts'
import { startChild } from '../harness/child.ts'
import { dataFile, MILLION } from '../harness/data.ts'
import type { Row } from '../harness/row.ts'
import { whole } from '../harness/statistics.ts'

const MOST_WAIT_MS = 100
const PAUSE_MS = 10
/** The start included, which builds indexes. */
const COMPARED_MS = 60_000

const WITHOUT_LINKS = "UPDATE events SET link = NULL, seal = NULL; UPDATE log_head SET linked_seq = 0, link = ''"
const AS_CREATED = `UPDATE events SET kind = 'incident.created',
  document = (SELECT document FROM incidents WHERE incidents.id = events.incident_id)`

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'incident-feed-bench-'))
  try {
    return await measureLinking(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measureLinking(folder: string): Promise<Row[]> {
  const path = join(folder, 'million.db')
  copyFileSync((await dataFile(MILLION)).path, path)
  execute(path, `${AS_CREATED}; ${WITHOUT_LINKS}`)
  const meanwhile = await serveFor(path, () => read(path, 'SELECT linked_seq = seq AS done FROM log_head').done === 1)
  const usual = await serveFor(path, () => true)
  return [
    {
      name: 'chain: links for 1,000,000 older events, while the service serves',
      value: `${meanwhile.seconds.toFixed(0)} s`,
      limit: '–',
      ok: true,
    },
    ...(['read', 'report'] as const).map((kind) => ({
      name: `chain: the longest ${kind} in the first ${COMPARED_MS / 1000} s of a service that links`,
      value: `${whole(meanwhile[kind])} ms`,
      peer: `of one that need not: ${whole(usual[kind])} ms`,
      limit: `≤ ${MOST_WAIT_MS} ms longer`,
      ok: meanwhile[kind] <= usual[kind] + MOST_WAIT_MS,
    })),
  ]
}

/** Asks and reports in turn, for the compared time and until `isDone`. */
async function serveFor(path: string, isDone: () => boolean) {
  await using child = await startChild<{ url: string; key: string; operatorKey: string }>('servers/service.ts', [path])
  const { url, key, operatorKey } = child.hello
  const started = performance.now()
  const longest = { read: 0, report: 0 }
  for (let number = 1; ; number++) {
    const elapsed = performance.now() - started
    if (elapsed > COMPARED_MS && number % 100 === 0 && isDone()) return { ...longest, seconds: elapsed / 1000 }
    const list = await timedFetch(`${url}/v1/incidents?limit=10`, { headers: { authorization: `Bearer ${key}` } })
    const report = await timedFetch(`${url}/v1/reports`, {
      method: 'POST',
      body: JSON.stringify(aReport({ summary: `Gunmen abducted ${number} people on the road out of Gusau.` })),
      headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    })
    if (elapsed < COMPARED_MS) {
      longest.read = Math.max(longest.read, list)
      longest.report = Math.max(longest.report, report)
    }
    await sleep(PAUSE_MS)
  }
}

async function timedFetch(url: string, options: RequestInit): Promise<number> {
  const started = performance.now()
  const response = await fetch(url, options)
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - started
}

function execute(path: string, sql: string): void {
  using database = new DatabaseSync(path)
  database.exec(sql)
}

function read(path: string, sql: string): Record<string, unknown> {
  using database = new DatabaseSync(path, { readOnly: true })
  return database.prepare(sql).get()!
}
