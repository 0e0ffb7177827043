import { useMemo } from 'preact/hooks'
import type { Incident } from '../../../../../src/domain/incident.ts'
import { SeverityDot } from '../../../../shared/components.tsx'
import { t } from '../../../../shared/language.ts'
import { casualtiesText, confidenceText, momentText, placeText, severityText } from '../../../../shared/text.ts'
import { hoveredPoint } from '../../../canvas/commands.ts'
import { openIncident } from '../../../view/current-view.ts'
import { eventAgeText } from '../../event-age-text.ts'

interface IncidentRowProperties {
  readonly incident: Incident
  readonly time: number
  /** Whether it was published while the page was open. */
  readonly arrived: boolean
  readonly isSelected: boolean
}

/** Drawn again only if it changes: most rows stay as they are when an incident arrives. */
export function IncidentRow(properties: IncidentRowProperties) {
  const { incident, time, arrived, isSelected } = properties
  return useMemo(() => <Row {...properties} />, [incident, time, arrived, isSelected])
}

function Row({ incident, time, arrived, isSelected }: IncidentRowProperties) {
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    openIncident(incident.id)
  }
  const hover = () => hoveredPoint.set(incident)
  const unhover = () => hoveredPoint.set(null)
  const { killed, injured, abducted } = incident.casualties
  const hasCasualties = Boolean(killed || injured || abducted)
  return (
    <li>
      <a
        class={arrived ? 'row fresh' : 'row'}
        id={`row-${incident.id}`}
        href={`/incidents/${incident.id}`}
        aria-current={isSelected}
        onClick={open}
        onMouseEnter={hover}
        onMouseLeave={unhover}
        onFocus={hover}
        onBlur={unhover}
      >
        <SeverityDot severity={incident.severity} />
        <span class="row-summary">{incident.summary}</span>
        <span class="row-meta">
          <span class="hidden">{t('panel.severity_prefix', { severity: severityText(incident.severity) })} </span>
          {placeText(incident)} ·{' '}
          <time
            dateTime={incident.occurred_at}
            title={t('panel.published', { age: momentText(incident.published_at!) })}
          >
            {eventAgeText(incident, time)}
          </time>{' '}
          · <span class="together">{confidenceText(incident.confidence)}</span>
        </span>
        {hasCasualties && <span class="row-casualties">{casualtiesText(incident.casualties, 'known')}</span>}
      </a>
    </li>
  )
}
