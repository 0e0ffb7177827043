/**
 * Measures 5,000 open streams on one process, with their readers in another: the time from just
 * before an incident is saved (to SQLite in memory) until the last stream has received it, and the
 * growth of the service's resident memory per stream. A time is the median of the rounds, with the
 * worst beside it; memory is measured after the streams are opened and after the last round, and
 * the larger value counts.
 */
import { startChild } from '../harness/child.ts'
import type { Row } from '../harness/row.ts'
import { median } from '../harness/statistics.ts'

const STREAMS = 5000
const WARM_UP_STREAMS = 200
const ROUNDS = 12
const MOST_MILLISECONDS = 1500
const MOST_BYTES = 60 * 1024

export async function run(): Promise<Row[]> {
  await using service = await startChild<{ url: string; key: string }>('servers/streams.ts', [])
  await using readers = await startChild<null>('servers/stream-readers.ts', [])
  const open = (paths: string[]) => readers.ask('openStreams', { ...service.hello, paths })
  const tell = async (expected: number): Promise<number[]> => {
    await readers.ask('expectEvent', expected)
    const { at } = await service.ask('publish', null)
    return (await readers.ask('reachedAt', null)).map((time) => time - at)
  }

  await open(Array.from({ length: WARM_UP_STREAMS }, () => '/v1/stream'))
  for (let round = 0; round < ROUNDS; round++) await tell(WARM_UP_STREAMS)

  const before = (await service.ask('usage', null)).resident
  await open(Array.from({ length: STREAMS - WARM_UP_STREAMS }, () => '/v1/stream'))
  const opened = (await service.ask('usage', null)).resident
  const lasts: number[] = []
  for (let round = 0; round < ROUNDS; round++) lasts.push(Math.max(...(await tell(STREAMS))))
  const after = (await service.ask('usage', null)).resident
  const bytes = (Math.max(opened, after) - before) / (STREAMS - WARM_UP_STREAMS)
  const worst = Math.max(...lasts)
  return [
    {
      name: `streams: an event has reached all ${STREAMS}`,
      value: `${median(lasts).toFixed(0)} ms, worst of ${ROUNDS} rounds ${worst} ms`,
      limit: `≤ ${MOST_MILLISECONDS} ms`,
      ok: worst <= MOST_MILLISECONDS,
    },
    {
      name: 'streams: memory for each',
      value: `${(bytes / 1024).toFixed(1)} KB (${((opened - before) / (STREAMS - WARM_UP_STREAMS) / 1024).toFixed(1)} when opened)`,
      limit: `≤ ${MOST_BYTES / 1024} KB`,
      ok: bytes <= MOST_BYTES,
    },
  ]
}
