import { useEffect, useState } from 'preact/hooks'
import type { Incident } from '../../../../src/domain/incident.ts'
import { timeText } from '../../../shared/format.ts'
import { api } from '../../api.ts'
import { fieldsText } from './incident-text.ts'

interface Correction {
  readonly change: 'published' | 'corrected'
  readonly version: number
  readonly at: string
  readonly fields: readonly string[]
}

/** Lists the corrections since publication. A first version has none, so nothing is requested. */
export function Corrections({ incident: { id, version, published_at } }: { incident: Incident }) {
  const [history, setHistory] = useState<readonly Correction[] | null>(null)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    setHistory(null)
    setError(null)
    if (version === 1) return
    const request = new AbortController()
    api.getJson<{ data: Correction[] }>(`/v1/incidents/${id}/history`, null, request.signal).then(
      ({ data }) => setHistory(data),
      (reason: Error) => {
        if (!request.signal.aborted) setError(reason.message)
      },
    )
    return () => request.abort()
  }, [id, version])
  return (
    <section>
      <h3>Corrections</h3>
      {version === 1 && <p class="quiet">None since it was published, {timeText(published_at!)}.</p>}
      {version > 1 && history === null && <p class="quiet">{error ?? 'Loading …'}</p>}
      {history && (
        <ol class="history">
          {history.map(({ change, at, fields, version }) => (
            <li key={`${version} ${at}`}>
              <time dateTime={at}>{timeText(at)}</time>
              <span class="quiet block">
                {change === 'published' ? 'Published' : `Corrected: ${fieldsText(fields)}`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
