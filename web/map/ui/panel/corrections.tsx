import { useEffect, useState } from 'preact/hooks'
import type { Incident } from '../../../../src/domain/incident.ts'
import { momentText } from '../../../shared/format.ts'
import { ask } from '../../api.ts'
import { fieldsText } from './incident-text.ts'

interface Correction {
  readonly change: 'published' | 'corrected'
  readonly version: number
  readonly at: string
  readonly fields: readonly string[]
}

/** What was corrected since it was published. An incident in its first version has nothing to ask for. */
export function Corrections({ incident: { id, version, published_at } }: { incident: Incident }) {
  const [history, setHistory] = useState<readonly Correction[] | null>(null)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    setHistory(null)
    setError(null)
    if (version === 1) return
    const asking = new AbortController()
    ask<{ data: Correction[] }>(`/v1/incidents/${id}/history`, null, asking.signal).then(
      ({ data }) => setHistory(data),
      (reason: Error) => {
        if (!asking.signal.aborted) setError(reason.message)
      },
    )
    return () => asking.abort()
  }, [id, version])
  return (
    <section>
      <h3>Corrections</h3>
      {version === 1 && <p class="quiet">None since it was published, {momentText(published_at!)}.</p>}
      {version > 1 && history === null && <p class="quiet">{error ?? 'Loading …'}</p>}
      {history && (
        <ol class="history">
          {history.map(({ change, at, fields, version }) => (
            <li key={`${version} ${at}`}>
              <time dateTime={at}>{momentText(at)}</time>
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
