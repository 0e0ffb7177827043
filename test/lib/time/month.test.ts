import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthOf, monthStart, monthText, readMonth } from '../../../src/lib/time/month.ts'
import fc from '../../support/fast-check.ts'

test('a moment lies in the month that its date names', () => {
  const moment = fc.date({ min: new Date('1960-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(moment, (date) => {
      const month = monthOf(date.getTime())
      assert.equal(monthText(month), date.toISOString().slice(0, 7))
      assert.equal(readMonth(monthText(month)), month)
      assert.ok(monthStart(month) <= date.getTime() && date.getTime() < monthStart(month + 1))
    }),
  )
})

test('an invalid month is refused', () => {
  for (const text of ['', '2024', '2024-00', '2024-13', '2024-5', '24-05', '2024-05-01', ' 2024-05', '0000-01'])
    assert.equal(readMonth(text), null, text)
})
