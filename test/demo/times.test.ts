import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isoTime, publishingTimes } from '../../src/demo/times.ts'
import { seededRandom } from '../../src/lib/random.ts'
import { timeText } from '../../src/lib/time.ts'
import fc from '../support/fast-check.ts'
import { TEN_YEARS } from './small-places.ts'

const { from, until } = TEN_YEARS

test('times increase strictly within their bounds, however narrow', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 300 }),
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.integer(),
      (count, room, seed) => {
        const end = from + count + room
        const times = [...publishingTimes(count, from, end, seededRandom(seed))]
        assert.equal(times.length, count)
        times.forEach((time, at) => {
          assert.ok(Number.isInteger(time) && time >= from && time < end)
          assert.ok(at === 0 || time > times[at - 1]!)
        })
      },
    ),
  )
})

test('more incidents than milliseconds are refused', () => {
  assert.throws(() => [...publishingTimes(11, from, from + 10, seededRandom(1))], RangeError)
})

test('the desk publishes more by day than by night, and more on Mondays than on Sundays', () => {
  const times = [...publishingTimes(20_000, from, until, seededRandom(1))].map((time) => new Date(time))
  const count = (fits: (time: Date) => boolean) => times.filter(fits).length
  assert.ok(count((time) => time.getUTCHours() === 9) > 3 * count((time) => time.getUTCHours() === 2))
  assert.ok(count((time) => time.getUTCDay() === 1) > count((time) => time.getUTCDay() === 0))
})

describe('iso time', () => {
  test('isoTime equals timeText', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        (date) => {
          assert.equal(isoTime(date.getTime()), timeText(date.getTime()))
        },
      ),
    )
  })
})
