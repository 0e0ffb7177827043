/**
 * Measures the way from a confirmation to an endpoint on a developer's computer, through
 * `incidents listen`: the service, the command and the endpoint each run in a process of their own.
 * Reports are confirmed over HTTP one after the other; a latency is the time from just before the
 * request to the first bytes at the endpoint.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startChild } from '../harness/child.ts'
import type { Row } from '../harness/row.ts'
import { percentile } from '../harness/statistics.ts'

const WARM_UP = 10
const CONFIRMED = 100
const MOST_MILLISECONDS = 500
const COMMAND = fileURLToPath(new URL('../../client/cli/main.ts', import.meta.url))

export async function run(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'listen-'))
  try {
    const latencies = await measure(folder)
    const p50 = percentile(latencies, 0.5)
    return [
      {
        name: 'listen: confirmation to first byte at a forwarded endpoint',
        value: `p50 ${p50.toFixed(1)} ms, p99 ${percentile(latencies, 0.99).toFixed(1)} ms`,
        limit: `p50 < ${MOST_MILLISECONDS} ms`,
        ok: p50 < MOST_MILLISECONDS,
      },
    ]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measure(folder: string): Promise<number[]> {
  await using endpoints = await startChild<{ urls: string[] }>('servers/endpoints.ts', ['1', '0'])
  const watched = { urls: endpoints.hello.urls, matching: 0, others: 0, incidents: 1000 }
  const words = [join(folder, 'listen.db'), JSON.stringify(watched)]
  await using service = await startChild<{ url: string; key: string }>('servers/watched.ts', words)
  await using _command = await startListening(service.hello, endpoints.hello.urls[0]!, folder)
  const confirmedAt = new Map<string, number>()
  for (let number = 1; number <= WARM_UP + CONFIRMED; number++) {
    const [id, at] = await confirmReport(service.hello, number)
    if (number > WARM_UP) confirmedAt.set(id, at)
    const deadline = performance.now() + 60_000
    while ((await endpoints.ask('receivedCount', null)) < number) {
      if (performance.now() > deadline) throw new Error('a message did not arrive within a minute')
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  }
  const received = await endpoints.ask('received', null)
  return received.flatMap(([incident, at]) => (confirmedAt.has(incident) ? [at - confirmedAt.get(incident)!] : []))
}

/** Starts the command and waits until it says that it listens. */
async function startListening(service: { url: string; key: string }, target: string, home: string) {
  const child = spawn(process.execPath, [COMMAND, 'listen', '--forward-to', target], {
    env: { PATH: process.env.PATH, HOME: home, INCIDENT_FEED_URL: service.url, INCIDENT_FEED_KEY: service.key },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [line] = await Promise.race([once(child.stdout, 'data'), exited])
  if (!String(line).includes('"listening"')) throw new Error(`incidents listen said ${line}`)
  child.stdout.resume()
  return {
    async [Symbol.asyncDispose]() {
      child.kill()
      await exited
    },
  }
}

async function confirmReport({ url, key }: { url: string; key: string }, number: number): Promise<[string, number]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const call = async (path: string, body: object) => {
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as { id: string }
  }
  const report = { type: 'riot', occurred_at: '2026-05-01', state: 'Kano', summary: `A riot, number ${number}` }
  const { id } = await call('/v1/reports', report)
  const at = performance.timeOrigin + performance.now()
  await call(`/v1/desk/incidents/${id}/confirm`, {})
  return [id, at]
}
