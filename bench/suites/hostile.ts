/**
 * Sends hostile requests (`hostile/corpus.ts`) to the service with 1,000,000 incidents, while an
 * incident arrives each second, and reads the longest turn of its event loop: each kind one after
 * another, and eight at a time. The verdict is on the main thread's processor time, garbage
 * collection included; "elapsed" also has the time that other processes took. HOSTILE_ONLY, a
 * regular expression, selects kinds.
 */
import { copyFileSync } from 'node:fs'
import { type Child, startChild } from '../harness/child.ts'
import { dataFile, MILLION, removeDatabase } from '../harness/data.ts'
import type { Row } from '../harness/row.ts'
import { CORPUS, type HostileRequest } from '../hostile/corpus.ts'
import type { LongestTurn } from '../hostile/longest-turn.ts'

const MOST_MS = 50
const ALONE = 3
const TOGETHER = 8
/** Longer than any answer to one client takes; of eight, the largest questions are left then. */
const PATIENCE_MS = 10_000

type Service = Child<{ url: string; key: string; operatorKey: string }>

export async function run(): Promise<Row[]> {
  const { path } = await dataFile(MILLION)
  const copy = `${path}.hostile-${process.pid}`
  try {
    copyFileSync(path, copy)
    await using service = await startChild<Service['hello']>('servers/service.ts', [copy])
    return await measure(service)
  } finally {
    removeDatabase(copy)
  }
}

async function measure(service: Service): Promise<Row[]> {
  const only = new RegExp(process.env.HOSTILE_ONLY ?? '')
  const kinds = Object.entries(CORPUS).filter(([kind]) => only.test(kind))
  await service.ask('arrivals', true)
  await service.ask('longestTurn', null)
  const rows: Row[] = []
  let sent = 0
  for (const [kind, requestFor] of kinds) {
    const next = () => requestFor((++sent / 1e7).toFixed(7), sent)
    await send(service, next())
    await service.ask('longestTurn', null)
    const started = performance.now()
    const statuses = new Set<number | string>()
    for (let round = 0; round < ALONE; round++) statuses.add(await send(service, next()))
    const took = (performance.now() - started) / ALONE
    const alone = await service.ask('longestTurn', null)
    const answers = await Promise.all(Array.from({ length: TOGETHER }, () => send(service, next())))
    for (const status of answers) statuses.add(status)
    const together = await service.ask('longestTurn', null)
    const worst = Math.max(alone.processor, together.processor)
    rows.push({
      name: `hostile: ${kind}`,
      value: `${worst.toFixed(1)} ms (alone ${text(alone)}; ${TOGETHER} at a time ${text(together)}; answered ${[...statuses].join(', ')} in ${took.toFixed(0)} ms)`,
      limit: `≤ ${MOST_MS} ms`,
      ok: worst <= MOST_MS,
    })
    console.error(`${rows.at(-1)!.ok ? '' : 'MISSED '}${kind}: ${rows.at(-1)!.value}`)
  }
  return rows
}

function text({ processor, elapsed }: LongestTurn): string {
  return `${processor.toFixed(1)}, elapsed ${elapsed.toFixed(1)}`
}

/** Returns the status; a body is read to its end. */
async function send({ hello }: Service, request: HostileRequest): Promise<number | string> {
  const { path, body, headers = {}, operator, leavesAfterMs = PATIENCE_MS } = request
  const { authorization = `Bearer ${operator ? hello.operatorKey : hello.key}`, ...others } = headers
  try {
    const response = await fetch(hello.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(authorization === '' ? {} : { authorization }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...others,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(leavesAfterMs),
    })
    await response.arrayBuffer()
    return response.status
  } catch (error) {
    if ((error as Error).name === 'TimeoutError') return 'left'
    throw error
  }
}
