import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Trends, TrendsCache, type TrendsWriter } from '../../../../src/api/trends/followed-trends.ts'
import { SlicedQueries } from '../../../../src/archive/sliced-queries.ts'
import { parseTrendQuestion } from '../../../../src/filter/trend-question.ts'
import { places } from '../../../../src/geo/places.ts'
import { anAsker, anEvent, emptyArchive } from '../../../support/archive.ts'
import { anIncident } from '../../../support/incident.ts'

const NOW = Date.parse('2026-11-10T12:00:00Z')
const question = (query: string) => parseTrendQuestion(new URLSearchParams(query), places, NOW)

interface Written {
  readonly trends: Trends
  readonly seq: number
}

const writer: TrendsWriter<Written> = {
  // biome-ignore lint/correctness/useYield: an answer that needs one step
  *write(trends, _question, view) {
    return { trends, seq: view.head.seq }
  },
  renew: ({ trends }, view) => ({ trends, seq: view.head.seq }),
  sizeOf: () => 1000,
}

test('questions for single groups share the trends of all, and an answer is kept until an event', async () => {
  const archive = await emptyArchive()
  archive.apply([anEvent(1, anIncident(1))])
  const cache = new TrendsCache<Written>(new SlicedQueries(), writer)
  const ask = (query: string) => cache.getTrends(archive, question(query), NOW, anAsker)
  const all = await ask('group_by=state&period=month')
  assert.equal(await ask('group_by=state&period=month'), all)
  const kaduna = await ask('group_by=state&period=month&only=Kaduna')
  assert.equal(kaduna.trends, all.trends)
  archive.apply([anEvent(2, anIncident(2))])
  const later = await ask('group_by=state&period=month&only=Kaduna')
  assert.equal(later.seq, 2)
  assert.equal((await ask('group_by=state&period=month')).trends, later.trends)
})

test('what is kept stays within its bounds, whatever is asked', async () => {
  const archive = await emptyArchive()
  archive.apply([anEvent(1, anIncident(1))])
  const cache = new TrendsCache<Written>(new SlicedQueries(), writer, { trends: 50_000, answers: 30_000 })
  for (let year = 1970; year < 2026; year++)
    for (const month of ['02', '06', '10'])
      await cache.getTrends(archive, question(`period=month&at=${year}-${month}-01`), NOW, anAsker)
  assert.ok(cache.size > 60_000 && cache.size <= 80_000, `${cache.size} bytes`)
})
