import type { Incident } from '../../../../../src/domain/incident.ts'
import { SeverityDot } from '../../../../shared/components/severity-dot.tsx'
import { placeText, timeText } from '../../../../shared/format.ts'
import { t } from '../../../../shared/language.ts'
import { useStore } from '../../../../shared/store.ts'
import { confidenceText, severityText } from '../../../../shared/words.ts'
import { hoveredPoint } from '../../../canvas/commands.ts'
import { currentView, openIncident } from '../../../view/current-view.ts'
import { eventAgeText } from '../../event-age-text.ts'
import { casualtiesText } from '../incident-text.ts'

interface IncidentRowProperties {
  readonly incident: Incident
  readonly time: number
  /** Whether it was published while the page was open. */
  readonly arrived: boolean
}

export function IncidentRow({ incident, time, arrived }: IncidentRowProperties) {
  const { incident: selectedId } = useStore(currentView)
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
        aria-current={selectedId === incident.id}
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
          <time dateTime={incident.occurred_at} title={t('panel.published', { age: timeText(incident.published_at!) })}>
            {eventAgeText(incident, time)}
          </time>{' '}
          · <span class="together">{confidenceText(incident.confidence)}</span>
        </span>
        {hasCasualties && <span class="row-casualties">{casualtiesText(incident.casualties, 'known')}</span>}
      </a>
    </li>
  )
}
