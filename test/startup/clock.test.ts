import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import pino from 'pino'
import { AgingClock, machine } from '../../src/lib/runtime.ts'
import { ClockKeeper } from '../../src/startup/clock.ts'
import { StoreUnavailable } from '../../src/store/store.ts'
import { aSource, MAX_SOURCES, NOW } from '../store/fixtures.ts'
import { startTestApp, until } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import { anIncident } from '../support/incident.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const YEARS = 14 * 365 * DAY

/** A wall clock and a monotonic one that the test moves; timers end at once. */
function movedClocks() {
  let time = NOW
  let passed = 0
  return {
    clock: () => time,
    elapsed: () => passed,
    runtime: {
      ...machine,
      elapsed: () => passed,
      setTimeout: (call: () => void) => machine.setTimeout(call, 1),
    },
    pass(ms: number) {
      time += ms
      passed += ms
    },
    step(ms: number) {
      time += ms
    },
  }
}

describe('the clock that tells ages', () => {
  it('goes on with the clock, and back with it', () => {
    const clocks = movedClocks()
    const aging = new AgingClock(clocks)
    clocks.pass(1000)
    assert.equal(aging.now(), NOW + 1000)
    clocks.step(-DAY)
    assert.equal(aging.now(), NOW + 1000 - DAY)
  })

  it('follows a clock that jumps ahead by a day an hour, and stays behind a visit to 2040', () => {
    const clocks = movedClocks()
    const aging = new AgingClock(clocks)
    clocks.step(YEARS)
    assert.equal(aging.now(), NOW)
    for (let hour = 0; hour < 2; hour++) clocks.pass(HOUR)
    assert.equal(aging.now(), NOW + 2 * DAY)
    assert.equal(aging.behindMs, YEARS + 2 * HOUR - 2 * DAY)
    clocks.step(-YEARS)
    assert.deepEqual([aging.now(), aging.behindMs], [NOW + 2 * HOUR, 0])
  })

  it('is not behind a clock that goes on while it is compared', () => {
    let now = NOW
    const aging = new AgingClock({ clock: () => ++now, elapsed: () => now })
    assert.deepEqual([aging.behindMs, aging.behindMs], [0, 0])
  })

  it('is true again within days after months without a running service', () => {
    const clocks = movedClocks()
    const aging = new AgingClock(clocks)
    clocks.step(90 * DAY)
    clocks.pass(4 * DAY)
    assert.equal(aging.behindMs, 0)
  })
})

async function keptClock() {
  const clocks = movedClocks()
  const lines: { msg: string }[] = []
  const logger = pino({}, { write: (json: string) => void lines.push(JSON.parse(json) as { msg: string }) })
  const store = await openMemoryStore()
  const start = () =>
    ClockKeeper.start(
      { store, clock: clocks.clock, aging: new AgingClock(clocks), runtime: clocks.runtime, logger },
      (attempt) => attempt(),
    )
  const dueIn = async () => (await store.sources.find('src_1'))!.dueAt - clocks.clock()
  return { ...clocks, store, start, dueIn, lines, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}

describe('the keeper of the clock', () => {
  for (const [length, by] of [
    ['an hour', HOUR],
    ['fourteen years', YEARS],
  ] as const)
    it(`corrects what lies ahead after a step of ${length} back, in a running process and before a start`, async () => {
      await using kept = await keptClock()
      {
        await using _ = await kept.start()
        kept.step(by)
        await until(
          async () => (await kept.store.clock.read())!.seenAt === kept.clock(),
          'the jump is recorded at once',
        )
        await kept.store.sources.add(aSource(1, { dueAt: kept.clock() + 60_000 }), MAX_SOURCES)
        kept.step(-by)
        await until(async () => (await kept.dueIn()) === 60_000, 'the due time')
        await kept.store.sources.change('src_1', { dueAt: kept.clock() + by })
        kept.step(by)
        await until(async () => (await kept.store.clock.read())!.seenAt === kept.clock())
      }
      kept.step(-by)
      await using _ = await kept.start()
      assert.equal(await kept.dueIn(), 0, 'it was due when the process ended')
      const setBack = kept.lines.filter(({ msg }) => msg.startsWith('the clock was set back'))
      assert.equal(setBack.length, 2)
      const ahead = kept.lines.filter(({ msg }) => msg.startsWith('the clock has jumped ahead'))
      assert.equal(ahead.length, by > DAY ? 2 : 0)
    })

  it('leaves a clock alone that is set forward, or is a little slow', async () => {
    await using kept = await keptClock()
    await kept.store.sources.add(aSource(1, { dueAt: NOW + 2 * DAY }), MAX_SOURCES)
    await using _ = await kept.start()
    kept.step(HOUR)
    await until(async () => (await kept.store.clock.read())!.seenAt === kept.clock())
    for (let look = 0; look < 50; look++) {
      kept.pass(1000)
      kept.step(-500)
      await kept.store.events.head()
    }
    assert.equal((await kept.store.sources.find('src_1'))!.dueAt, NOW + 2 * DAY)
  })

  it('tries again until the database has corrected everything', async () => {
    await using kept = await keptClock()
    await using _ = await kept.start()
    kept.step(HOUR)
    await until(async () => (await kept.store.clock.read())!.seenAt === kept.clock())
    await kept.store.sources.add(aSource(1, { dueAt: kept.clock() + 60_000 }), MAX_SOURCES)
    const { record } = kept.store.clock
    let failures = 0
    Object.assign(kept.store.clock, {
      record: (...values: Parameters<typeof record>) => {
        if (failures++ < 3) throw new StoreUnavailable('away')
        return record(...values)
      },
    })
    kept.step(-HOUR)
    await until(async () => (await kept.dueIn()) === 60_000, 'the due time')
    assert.ok(failures > 3)
  })

  it('corrects deliveries twice: results with due times of the clock before were on their way', async () => {
    await using kept = await keptClock()
    await using _ = await kept.start()
    kept.step(HOUR)
    await until(async () => (await kept.store.clock.read())!.seenAt === kept.clock())
    const { reschedule } = kept.store.deliveries
    const corrected: number[] = []
    let checks = 0
    Object.assign(kept.store, {
      deliveries: {
        ...kept.store.deliveries,
        async reschedule(...values: Parameters<typeof reschedule>) {
          await reschedule(...values)
          corrected.push(values[0])
        },
      },
    })
    const { record } = kept.store.clock
    Object.assign(kept.store.clock, {
      record: (...values: Parameters<typeof record>) => {
        checks++
        return record(...values)
      },
    })
    kept.step(-HOUR)
    await until(() => corrected.length === 2, 'both corrections')
    for (let next = checks + 3; checks < next; kept.pass(60_000)) await kept.store.events.head()
    assert.deepEqual(corrected, [HOUR, HOUR])
  })
})

describe('a service whose clock was ahead', () => {
  it('shows the incidents of the last hours again, wherever answers are kept', async () => {
    let ahead = 0
    const clock = () => NOW + ahead
    await using app = await startTestApp({}, { clock })
    const published_at = new Date(NOW - HOUR).toISOString()
    await app.publish([anIncident(1, { published_at, occurred_at: published_at })])
    const shown = async () => ({
      list: ((await (await app.get('/v1/incidents?since=24h')).json()) as { data: unknown[] }).data.length,
      count: ((await (await app.get('/v1/stats?group_by=state&since=24h')).json()) as { total: { count: number } })
        .total.count,
      tile: (await app.get('/v1/tiles/5/16/15.mvt?since=24h')).status,
      page: /<p class="quiet">[^<]+<\/p>/.exec(await (await app.get('/?since=24h', null)).text())![0],
    })
    const right = await shown()
    assert.deepEqual([right.list, right.count, right.tile], [1, 1, 200])
    ahead = 2 * DAY
    const wrong = await shown()
    assert.deepEqual([wrong.list, wrong.count, wrong.tile], [0, 0, 204])
    assert.notEqual(wrong.page, right.page)
    ahead = 0
    assert.deepEqual(await shown(), right)
  })
})
