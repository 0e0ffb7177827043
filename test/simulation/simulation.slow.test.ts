import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planOf, run } from '../../simulation/run.ts'

/** Of a few months; ten years of a seed are `npm run simulate`. */
const OPTIONS = { seed: 1, years: 0.1, nodes: 3, incidents: 200 }

async function historyOf(seed: number): Promise<readonly string[]> {
  const history: string[] = []
  const options = { ...OPTIONS, seed }
  const plan = planOf(options)
  // After the second day of work its backup is restored.
  const restored = { day: plan.at(-1)!.day, at: 0, action: 'restore backup', chance: [0, 0, 0] } as const
  const { failure } = await run([...plan, restored], options, (line) => history.push(line))
  assert.equal(failure, null)
  return history
}

test('a few months of three nodes with faults end as the model says, and the same seed repeats them', async () => {
  const history = await historyOf(1)
  assert.ok(history.length > 300)
  assert.deepEqual(await historyOf(1), history)
})
