import { useMemo } from 'preact/hooks'
import { SeverityDot } from '../../../shared/components/severity-dot.tsx'
import { ago, placeText } from '../../../shared/format.ts'
import type { DeskIncident } from '../../api/types.ts'
import { isReportOpen } from '../../panels.ts'
import { toggleSelected } from '../../queue/selection.ts'
import { foreignClaim } from '../../report/claims.ts'
import { openReport } from '../../report/current.ts'
import { ORIGIN_WORDS } from '../../words.ts'

interface QueueRowProperties {
  readonly incident: DeskIncident
  readonly top: number
  readonly position: number
  readonly size: number
  readonly isCurrent: boolean
  readonly isSelected: boolean
  readonly now: number
}

/** Drawn again only if something of it has changed: a scroll passes many rows. */
export function QueueRow(properties: QueueRowProperties) {
  return useMemo(() => <Row {...properties} />, Object.values(properties))
}

function Row({ incident, top, position, size, isCurrent, isSelected, now }: QueueRowProperties) {
  const { id, severity, summary, desk } = incident
  const claim = foreignClaim(incident)
  const open = () => {
    openReport(id)
    isReportOpen.set(true)
  }
  return (
    <li
      class={`row ${isCurrent ? 'current' : ''} ${isSelected ? 'selected' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      aria-setsize={size}
      aria-posinset={position}
    >
      <span class="row-mark">
        <SeverityDot severity={severity} />
        <input
          type="checkbox"
          checked={isSelected}
          onChange={() => toggleSelected(id)}
          aria-label={`Select: ${summary}`}
        />
      </span>
      <button type="button" class="row-body" aria-current={isCurrent ? 'true' : undefined} onClick={open}>
        <span class="row-summary">{summary}</span>
        <span class="row-meta">
          <span class="row-place">{placeText(incident)}</span>
          <span>{ago(incident.reported_at, now)}</span>
          <span>{ORIGIN_WORDS[desk.origin]}</span>
          {desk.possible_duplicates !== null && desk.possible_duplicates.length > 0 && (
            <span class="tag" title="Possible duplicates">
              {desk.possible_duplicates.length} alike
            </span>
          )}
          {claim && <span class="tag claimed">{claim.by.name}</span>}
        </span>
      </button>
    </li>
  )
}
