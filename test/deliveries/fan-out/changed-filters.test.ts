import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ChangedFilters } from '../../../src/deliveries/watch-index.ts'
import { seededRandom } from '../../../src/lib/random.ts'

describe('watches whose filter was changed', () => {
  it('are those since an event, however often they were changed or removed', () => {
    const changed = new ChangedFilters()
    const expected = new Map<string, number>()
    const random = seededRandom(20_261_117)
    const below = (limit: number) => Math.floor(random() * limit)
    for (let step = 0; step < 20_000; step++) {
      const watchId = `wat_${below(300)}`
      // Mostly in order, as changes are read; not at first, when all watches are read at once.
      const seq = step < 200 ? below(200) : step - below(3)
      if (below(5) === 0) {
        changed.delete(watchId)
        expected.delete(watchId)
      } else {
        changed.set(watchId, seq)
        if (seq === 0) expected.delete(watchId)
        else expected.set(watchId, seq)
      }
      if (step % 50 !== 0) continue
      const since = Math.max(1, step - below(400))
      const ids = [...expected].filter(([, at]) => at >= since).map(([id]) => id)
      assert.deepEqual(changed.since(since).sort(), ids.sort())
      assert.equal(changed.isEmpty, expected.size === 0)
    }
  })
})
