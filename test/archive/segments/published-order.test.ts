import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Pins } from '../../../src/archive/segments/published-order.ts'

function pinsWithFreed() {
  const freed: number[] = []
  return { freed, pins: new Pins((slot) => freed.push(slot)) }
}

test('without a reader, a slot is free at once', () => {
  const { freed, pins } = pinsWithFreed()
  pins.retireSlot(7)
  assert.deepEqual(freed, [7])
})

test('a slot is free once every reader that began before its removal has ended', () => {
  const { freed, pins } = pinsWithFreed()
  const first = pins.pin()
  pins.retireSlot(1)
  const second = pins.pin()
  pins.retireSlot(2)
  const third = pins.pin()
  second[Symbol.dispose]()
  assert.deepEqual(freed, [])
  first[Symbol.dispose]()
  assert.deepEqual(freed, [1, 2])
  pins.retireSlot(3)
  assert.equal(pins.retiredSlots, 1)
  third[Symbol.dispose]()
  assert.deepEqual(freed, [1, 2, 3])
  assert.equal(pins.isAny, false)
})

test('readers that overlap without end do not keep slots without end', () => {
  const { freed, pins } = pinsWithFreed()
  let reader = pins.pin()
  for (let slot = 0; slot < 1000; slot++) {
    pins.retireSlot(slot)
    const next = pins.pin()
    reader[Symbol.dispose]()
    reader = next
    assert.ok(pins.retiredSlots <= 1)
  }
  assert.equal(freed.length, 1000)
})

test('only what existed when a reader began may be read by it', () => {
  const { pins } = pinsWithFreed()
  const before = pins.generation
  assert.equal(pins.mayBeRead(before), false)
  const reader = pins.pin()
  assert.equal(pins.mayBeRead(before), true)
  assert.equal(pins.mayBeRead(pins.generation), false)
  reader[Symbol.dispose]()
  assert.equal(pins.mayBeRead(before), false)
})
