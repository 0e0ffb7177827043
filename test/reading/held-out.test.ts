import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { extract } from '../../src/reading/extract.ts'
import { HELD_OUT_STORIES } from './held-out-stories.ts'

test('there are at least 60 stories', () => assert.ok(HELD_OUT_STORIES.length >= 60))

describe('a story reports one incident:', () => {
  for (const { text, type, state, killed = null, injured = null, abducted = null } of HELD_OUT_STORIES) {
    test(text, () => {
      const [found, ...others] = extract({ text, published_at: '2026-11-11T09:00:00Z' })
      assert.deepEqual(others, [])
      assert.deepEqual(found && { type: found.type, state: found.state, ...found.casualties }, {
        type,
        state,
        killed,
        injured,
        abducted,
      })
    })
  }
})
