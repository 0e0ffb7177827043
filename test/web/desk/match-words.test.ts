import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { COMPARISONS, MATCH_WEIGHTS } from '../../../src/domain/near-duplicates.ts'
import { matchWords } from '../../../web/desk/report/match-words.ts'

describe('why two reports may be one incident', () => {
  it('names what speaks for it and what against it, the strongest first', () => {
    const words = matchWords([
      { reason: 'place_name', finding: 'same', weight: 4 },
      { reason: 'casualties', finding: 'contradict', weight: -2.5 },
      { reason: 'time', finding: 'same_day', weight: 2 },
      { reason: 'type', finding: 'related', weight: 0 },
    ])
    assert.deepEqual(words, {
      for: ['the same place name', 'the same day'],
      against: ['casualties that contradict'],
    })
  })

  it('has words for every finding that weighs', () => {
    for (const reason of COMPARISONS) {
      for (const [finding, weight] of Object.entries(MATCH_WEIGHTS[reason])) {
        const { for: speaks, against } = matchWords([{ reason, finding, weight } as never])
        assert.equal(speaks.length + against.length, weight === 0 ? 0 : 1, `${reason}: ${finding}`)
      }
    }
  })
})
