import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { EventLoopBudget } from '../../../src/lib/async/event-loop-budget.ts'

it('work beyond the budget continues in later turns of the event loop', async () => {
  const done: number[] = []
  let left = 7
  let turns = 0
  const work = () => {
    turns++
    let now = 0
    while (left > 0 && budget.tryStart()) {
      left--
      now++
    }
    done.push(now)
  }
  const budget = new EventLoopBudget(3, work)
  work()
  work()
  assert.deepEqual(done, [3, 0], 'a further call in the same turn does nothing')
  while (left > 0) await nextTurn()
  assert.deepEqual(done, [3, 0, 3, 1])
  await nextTurn()
  assert.equal(turns, 4, 'it is called once for each turn that was too short')
})
