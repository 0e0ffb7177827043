import type { MatchReason } from '../../../../src/domain/near-duplicates.ts'
import { matchWords } from '../../report/match-words.ts'

/** What speaks for two being of one incident, and what against it. */
export function MatchReasons({ reasons }: { reasons: readonly MatchReason[] }) {
  const { for: speaks, against } = matchWords(reasons)
  return (
    <ul class="match-reasons quiet">
      {speaks.length > 0 && <li class="for">{speaks.join(', ')}</li>}
      {against.length > 0 && <li class="against">{against.join(', ')}</li>}
    </ul>
  )
}
