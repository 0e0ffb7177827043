import { useEffect, useState } from 'preact/hooks'
import type { Incident } from '../../../../src/domain/incident.ts'
import { t } from '../../../shared/language.ts'
import { fieldsText, momentText } from '../../../shared/text.ts'
import { api } from '../../api.ts'

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
      <h3>{t('panel.corrections')}</h3>
      {version === 1 && <p class="quiet">{t('panel.corrections_none', { time: momentText(published_at!) })}</p>}
      {version > 1 && history === null && <p class="quiet">{error ?? t('common.loading')}</p>}
      {history && (
        <ol class="history">
          {history.map(({ change, at, fields, version }) => (
            <li key={`${version} ${at}`}>
              <time dateTime={at}>{momentText(at)}</time>
              <span class="quiet block">
                {change === 'published'
                  ? t('panel.correction_published')
                  : t('panel.correction_corrected', { fields: fieldsText(fields) })}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}
