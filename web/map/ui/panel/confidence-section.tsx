import type { Incident } from '../../../../src/domain/incident.ts'
import { t } from '../../../shared/language.ts'
import { confidenceText, reasonText, weightText } from '../../../shared/text.ts'
import { ConfidenceExplanation } from './explanations.tsx'

/** The confidence in words; the number and its reasons are a tap away. */
export function ConfidenceSection({ incident }: { incident: Incident }) {
  const points = Math.round(incident.confidence * 100)
  return (
    <section>
      <h3>
        {t('common.confidence')}: {confidenceText(incident.confidence)}
      </h3>
      <ConfidenceExplanation />
      <details class="confidence-details">
        <summary>{t('panel.confidence_why')}</summary>
        <p class="confidence-number">{t('panel.confidence_number', { count: points })}</p>
        <meter class="confidence" min={0} max={1} value={incident.confidence} aria-label={t('common.confidence')} />
        <ul class="reasons">
          {incident.confidence_reasons.map((reason) => (
            <li key={reason.reason}>
              <span>{reasonText(reason)}</span>
              <span class="count">{weightText(reason.weight)}</span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  )
}
