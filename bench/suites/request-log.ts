/**
 * Measures what LOG_REQUESTS=all adds to an answer: two processes of the real service with 20,000
 * incidents and the same requests, one of which writes a line for each to a file. Rounds of two
 * seconds alternate between the two. The figure is the difference of the medians of their processor
 * time per answer, all threads included: writing happens in another one.
 */
import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from '../harness/child.ts'
import { dataFile } from '../harness/data.ts'
import { compare, type Server } from '../harness/load.ts'
import type { Row } from '../harness/row.ts'
import { whole } from '../harness/statistics.ts'

const INCIDENTS = 20_000
const ROUNDS = 11
const MAX_MICROSECONDS = 2
const PATHS = ['/v1/incidents?state=Kaduna&since=30d&limit=10']

export async function run(): Promise<Row[]> {
  const { path } = await dataFile(INCIDENTS)
  const folder = mkdtempSync(join(tmpdir(), 'incident-feed-bench-'))
  try {
    const files = ['plain', 'logging'].map((name) => join(folder, `${name}.db`))
    for (const file of files) copyFileSync(path, file)
    return [await measure(files[0]!, files[1]!, join(folder, 'log'))]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measure(plainFile: string, loggingFile: string, log: string): Promise<Row> {
  await using plainChild = await startChild<{ url: string; key: string }>('servers/service.ts', [plainFile])
  await using loggingChild = await startChild<{ url: string; key: string }>('servers/service.ts', [loggingFile, log])
  const [logging, plain] = [loggingChild, plainChild].map(
    (child): Server => ({ child, headers: { authorization: `Bearer ${child.hello.key}` } }),
  )
  const { ours, theirs } = await compare({ server: logging!, paths: PATHS }, { server: plain!, paths: PATHS }, ROUNDS)
  if (statSync(log).size === 0) throw new Error('nothing was logged')
  const added = ours.cpu - theirs.cpu
  return {
    name: 'request log: processor time that a line adds to an answer',
    value: `${added.toFixed(1)} µs (${ours.cpu.toFixed(1)} µs; ${whole(ours.rate)}/s)`,
    peer: `without: ${theirs.cpu.toFixed(1)} µs; ${whole(theirs.rate)}/s`,
    limit: `≤ ${MAX_MICROSECONDS} µs`,
    ok: added <= MAX_MICROSECONDS,
  }
}
