import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ExclusiveGate } from '../../../resilience/fuzz/exclusive-gate.ts'

it('work runs beside others, or alone', async () => {
  const gate = new ExclusiveGate()
  const log: string[] = []
  const work = (name: string) => async () => {
    log.push(`${name} starts`)
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    log.push(`${name} ends`)
  }
  await Promise.all([
    gate.runBesideOthers(work('one')),
    gate.runBesideOthers(work('two')),
    gate.runAlone(work('three')),
    gate.runBesideOthers(work('four')),
    gate.runAlone(work('five')),
  ])
  assert.deepEqual(log.slice(0, 6), ['one starts', 'two starts', 'one ends', 'two ends', 'three starts', 'three ends'])
  const rest = log.slice(6).map((line) => line.split(' ')[0])
  assert.equal(rest[0], rest[1])
  assert.equal(rest[2], rest[3])
})

it('a failure of work that ran alone lets the others continue', async () => {
  const gate = new ExclusiveGate()
  await assert.rejects(gate.runAlone(() => Promise.reject(new Error('no'))))
  assert.equal(await gate.runBesideOthers(async () => 1), 1)
})
