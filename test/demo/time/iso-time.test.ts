import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoTime } from '../../../src/demo/times.ts'
import { timeText } from '../../../src/lib/time.ts'
import fc from '../../support/fast-check.ts'

test('isoTime equals timeText', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), (date) => {
      assert.equal(isoTime(date.getTime()), timeText(date.getTime()))
    }),
  )
})
