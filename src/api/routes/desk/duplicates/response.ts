import type { ComparedPair } from '../../../../desk/desk/duplicates/pairs.ts'
import { differingFields } from '../../../../domain/field-changes.ts'
import { timeText } from '../../../../lib/time.ts'
import { deskResponse } from '../response.ts'

export function pairResponse({ record, other, match, offer, dismissal }: ComparedPair, now: number) {
  return {
    incident: deskResponse(record, [], now),
    other: deskResponse(other, [], now),
    score: match.score,
    reasons: match.reasons,
    differs: differingFields(record.incident, other.incident),
    import_id: offer?.importId ?? null,
    offered_at: offer && timeText(offer.offeredAt),
    dismissed_at: dismissal && timeText(dismissal.dismissedAt),
  }
}
