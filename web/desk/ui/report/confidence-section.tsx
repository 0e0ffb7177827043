import { percentText } from '../../../shared/format.ts'
import { reasonText, weightText } from '../../../shared/incident-text.ts'
import { confidenceText } from '../../../shared/words.ts'
import type { DeskIncident } from '../../api/types.ts'

export function ConfidenceSection({ incident }: { incident: DeskIncident }) {
  return (
    <section class="confidence-section">
      <h2>
        Confidence: {confidenceText(incident.confidence)}, {percentText(incident.confidence)}
      </h2>
      <meter class="confidence" min={0} max={1} value={incident.confidence} aria-label="Confidence" />
      <ul class="reasons">
        {incident.confidence_reasons.map((reason) => (
          <li key={reason.reason}>
            <span>{reasonText(reason)}</span>
            <span class="weight">{weightText(reason.weight)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
