import type { FeatureCollection } from 'geojson'
import { useEffect, useState } from 'preact/hooks'
import type { Incident, IncidentList, PreviewWatchAnswer } from '../../../client/src/generated/types.ts'
import { SeverityDot } from '../../shared/components.tsx'
import { request } from '../../shared/parts/request.ts'
import { ago, numberText, placeText } from '../../shared/text.ts'
import { type Failure, failureOf } from '../actions.ts'
import { FailureNote } from '../parts.tsx'
import { useNow } from '../person.ts'

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

/** The last change of the form counts: typing asks no question for every letter. */
const PAUSE_MS = 500
const DAYS = 30
/** Enough to see where they are; the count says how many there were. */
const MOST_SHOWN = 200

interface Preview {
  readonly isLoading: boolean
  /** Null until the first answer. */
  readonly matches: number | null
  readonly perDay: number
  readonly incidents: readonly Incident[]
  readonly failure: Failure | null
}

/** Reads what a watch with this filter would have sent in the last 30 days. */
export function usePreview(filter: Readonly<Record<string, unknown>>): Preview {
  const [preview, setPreview] = useState<Preview>({
    isLoading: true,
    matches: null,
    perDay: 0,
    incidents: [],
    failure: null,
  })
  const key = JSON.stringify(filter)
  useEffect(() => {
    const stopping = new AbortController()
    setPreview((before) => ({ ...before, isLoading: true }))
    const timer = setTimeout(() => {
      readPreview(filter, stopping.signal).then(setPreview, (error: unknown) => {
        if (!stopping.signal.aborted)
          setPreview((before) => ({
            ...before,
            isLoading: false,
            incidents: [],
            matches: null,
            failure: failureOf(error),
          }))
      })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stopping.abort()
    }
  }, [key])
  return preview
}

async function readPreview(filter: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<Preview> {
  const counting = request<PreviewWatchAnswer>('POST', '/v1/watches/preview', {
    body: { filter, days: DAYS },
    signal,
  })
  // Lists are not asked for single incidents; of those that a watch follows, the preview names the
  // newest.
  const listing =
    'incident' in filter
      ? counting.then(({ newest }) => ({ data: newest }))
      : request<IncidentList>('POST', '/v1/incidents/query', {
          body: { ...filter, since: `${DAYS}d`, limit: MOST_SHOWN },
          signal,
        })
  const [counted, listed] = await Promise.all([counting, listing])
  return { isLoading: false, matches: counted.matches, perDay: counted.a_day, incidents: listed.data, failure: null }
}
