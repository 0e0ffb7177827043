/**
 * Measures the queue of the desk with 10,000 open reports, over HTTP, in pages of 100 as the page
 * asks for, one request after the other as one editor makes them: the first page in each order,
 * pages with filters, searches for frequent, rare and absent words, counts, and the decision on a
 * report. The service is a separate process with a SQLite file of its own; "CPU" is its processor
 * time per response, threads included. With BENCH_POSTGRES_URL, an empty PostgreSQL database, the
 * same is measured there.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../harness/child.ts'
import type { Row } from '../harness/row.ts'
import { median, percentile } from '../harness/statistics.ts'

const REPORTS = 10_000
const ROUNDS = 60
const MAX_PAGE_MS = 150
const MAX_SEARCH_MS = 200

interface Hello {
  readonly url: string
  readonly operatorKey: string
}

const QUESTIONS: readonly { name: string; path: (round: number) => string; limit: number | null }[] = [
  { name: 'first page', path: () => '/v1/desk/incidents?duplicates=none&limit=100', limit: MAX_PAGE_MS },
  {
    name: 'first page by severity',
    path: () => '/v1/desk/incidents?order=severity&duplicates=none&limit=100',
    limit: MAX_PAGE_MS,
  },
  {
    name: 'first page of a state',
    path: () => '/v1/desk/incidents?state=Kaduna&duplicates=none&limit=100',
    limit: MAX_PAGE_MS,
  },
  {
    name: 'search, a frequent word',
    path: () => '/v1/desk/incidents?q=gunmen&duplicates=none&limit=100',
    limit: MAX_SEARCH_MS,
  },
  {
    name: 'search, a rare word',
    path: (round) => `/v1/desk/incidents?q=story${round}&duplicates=none&limit=100`,
    limit: MAX_SEARCH_MS,
  },
  {
    name: 'search, an absent word',
    path: () => '/v1/desk/incidents?q=zzyzx%20nowhere&duplicates=none&limit=100',
    limit: MAX_SEARCH_MS,
  },
  { name: 'first page with possible duplicates', path: () => '/v1/desk/incidents?limit=100', limit: null },
  { name: 'counts', path: () => '/v1/desk/counts', limit: MAX_PAGE_MS },
]

export async function run(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'incident-feed-bench-desk-'))
  try {
    const rows = await measure('SQLite', `sqlite:${join(folder, 'desk.db')}`)
    const { BENCH_POSTGRES_URL } = process.env
    return BENCH_POSTGRES_URL ? [...rows, ...(await measure('PostgreSQL', BENCH_POSTGRES_URL))] : rows
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(store: string, databaseUrl: string): Promise<Row[]> {
  await using child = await startChild<Hello>('servers/desk.ts', [databaseUrl])
  const { url, operatorKey } = child.hello
  const headers = { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' }
  const ids = await fillQueue(url, headers)
  const rows: Row[] = []
  const timed = async (name: string, limit: number | null, request: (round: number) => Promise<Response>) => {
    const times: number[] = []
    const before = (await child.ask('usage', null)).cpu
    for (let round = 0; round < ROUNDS; round++) {
      const started = performance.now()
      const response = await request(round)
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${name} answered ${response.status}`)
      times.push(performance.now() - started)
    }
    const cpu = ((await child.ask('usage', null)).cpu - before) / 1000 / ROUNDS
    const p95 = percentile(times, 0.95)
    rows.push({
      name: `desk: ${name}, ${store}`,
      value: `${p95.toFixed(0)} ms p95 (median ${median(times).toFixed(0)} ms, CPU ${cpu.toFixed(0)} ms)`,
      limit: limit === null ? '–' : `< ${limit} ms`,
      ok: limit === null || p95 < limit,
    })
  }
  for (const { name, path, limit } of QUESTIONS)
    await timed(name, limit, (round) => fetch(url + path(round), { headers }))
  await timed('confirm', MAX_PAGE_MS, (round) =>
    fetch(`${url}/v1/desk/incidents/${ids[round]}/confirm`, { method: 'POST', headers, body: '{}' }),
  )
  return rows
}

/** Fills the queue through the API, 500 reports at a time. */
async function fillQueue(url: string, headers: Record<string, string>): Promise<string[]> {
  const ids: string[] = []
  for (let start = 0; start < REPORTS; start += 250) {
    const body = JSON.stringify(Array.from({ length: 250 }, (_, index) => aReport(start + index)))
    const response = await fetch(`${url}/v1/reports`, { method: 'POST', headers, body })
    const { data, taken } = (await response.json()) as { taken: number; data: { incident: { id: string } }[] }
    if (taken !== 250) throw new Error(`only ${taken} of 250 reports were taken`)
    ids.push(...data.map(({ incident }) => incident.id))
  }
  return ids
}

const STATES = ['Kaduna', 'Zamfara', 'Borno', 'Niger', 'Plateau', 'Benue', 'Imo', 'Lagos']
const TYPES = ['kidnapping', 'banditry', 'armed_robbery', 'communal_clash']

/** Spread over a year and eight states, as a backlog of 10,000 would be. */
export function aReport(number: number) {
  const day = new Date(Date.now() - (number % 365) * 86_400_000).toISOString().slice(0, 10)
  return {
    type: TYPES[number % TYPES.length],
    occurred_at: day,
    state: STATES[number % STATES.length],
    summary: `Gunmen attacked a village, report ${number}, and residents fled to the next town before help came.`,
    sources: [{ url: `https://example.org/story${number}`, publisher: `Paper ${number % 40}` }],
    casualties: { killed: number % 7, abducted: number % 11 },
  }
}
