import { CLAIM_MS } from '../../../../src/domain/moderation.ts'
import { ago } from '../../../shared/format.ts'
import type { DeskIncident } from '../../api/types.ts'
import { claimReport, foreignClaim } from '../../report/claims.ts'
import { useNow } from '../parts/use-now.ts'

/** Says that a colleague works on the report; a claim that has lapsed says nothing. */
export function ClaimNotice({ incident }: { incident: DeskIncident }) {
  const now = useNow()
  const claim = foreignClaim(incident)
  if (claim === null || incident.status !== 'reported') return null
  const since = new Date(Date.parse(claim.until) - CLAIM_MS).toISOString()
  return (
    <div class="inline-notice claim">
      <p>
        <strong>{claim.by.name}</strong> is working on this report (claimed {ago(since, now)}). It lapses by itself.
      </p>
      <button type="button" class="button small" onClick={() => void claimReport(incident.id, true)}>
        Take it over
      </button>
    </div>
  )
}
