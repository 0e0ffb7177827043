import type { FeatureCollection } from 'geojson'
import type { Incident } from '../../../src/domain/incident.ts'
import { SeverityDot } from '../../shared/components/severity-dot.tsx'
import { ago, numberText, placeText } from '../../shared/format.ts'
import { FailureNote } from '../parts/failure-note.tsx'
import { useNow } from '../parts/use-now.ts'
import { DAYS, type Preview } from './use-preview.ts'

const MOST_LISTED = 20

/** The incidents of the last 30 days that the filter would have sent. */
export function PreviewList({ preview }: { preview: Preview }) {
  const { isLoading, incidents, failure } = preview
  const now = useNow()
  return (
    <section class="panel" aria-labelledby="preview-heading" aria-busy={isLoading}>
      <h2 id="preview-heading">The last 30 days</h2>
      <FailureNote failure={failure} />
      {failure === null && <p role="status">{summaryOf(preview)}</p>}
      {incidents.length > 0 && (
        <ul class="preview-list">
          {incidents.slice(0, MOST_LISTED).map((incident) => (
            <li key={incident.id}>
              <SeverityDot severity={incident.severity} />
              <span>
                <a href={`/incidents/${incident.id}`}>{incident.summary}</a>
                <span class="quiet block">
                  {placeText(incident)} · {ago(incident.published_at!, now)}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {incidents.length > MOST_LISTED && <p class="quiet">The newest {MOST_LISTED}; the map shows up to 200.</p>}
    </section>
  )
}

function summaryOf({ isLoading, matches, perDay }: Preview): string {
  if (matches === null) return isLoading ? 'Counting.' : ''
  if (matches === 0) return 'This filter would have sent nothing. Widen the area or ask for less severe incidents too.'
  const rate =
    perDay >= 1 ? `about ${numberText(Math.round(perDay))} a day` : `about one in ${Math.round(DAYS / matches)} days`
  return `${numberText(matches)} ${matches === 1 ? 'message' : 'messages'}, ${rate}.`
}

/** The incidents as points on the map. */
export function incidentFeatures(incidents: readonly Incident[]): FeatureCollection {
  return {
    type: 'FeatureCollection',
    features: incidents.map(({ lng, lat, severity }) => ({
      type: 'Feature',
      properties: { severity },
      geometry: { type: 'Point', coordinates: [lng, lat] },
    })),
  }
}
