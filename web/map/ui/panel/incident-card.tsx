import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Incident, Source } from '../../../../src/domain/incident.ts'
import { incidentAreaPath } from '../../../../src/domain/places.ts'
import { CopyButton, Icon, SeverityDot } from '../../../shared/components.tsx'
import { useClock } from '../../../shared/hooks.ts'
import { inLanguage, t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import {
  ago,
  casualtiesText,
  confidenceText,
  dayText,
  fieldsText,
  momentText,
  occurredText,
  placeText,
  precisionText,
  reasonText,
  severityText,
  typeText,
  weightText,
} from '../../../shared/text.ts'
import { api } from '../../api.ts'
import { flyTo } from '../../canvas/commands.ts'
import { loadSelectedIncident, type SelectedIncident, selectedIncident } from '../../data/selected-incident.ts'
import { initialData, serverNow } from '../../initial-data.ts'
import { closeIncident, currentView } from '../../view/current-view.ts'
import { incidentCommand } from '../share/curl-commands.ts'
import { NativeShare } from '../share/share.tsx'
import { eventAgeText } from '../time-text.ts'
import { ConfidenceExplanation, PrecisionExplanation, SeverityExplanation } from './explanation.tsx'

/** Shows the facts of one incident and the confidence in them. */
export function IncidentCard() {
  const selection = useStore(selectedIncident)
  const heading = useRef<HTMLHeadingElement>(null)
  const id = useStore(currentView).incident
  // Moves the focus into the card before its first frame: keyboard users continue to read there.
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), [id, selection.state])
  const close = () => {
    // Going back takes the browser a moment; the list is drawn after that.
    const unsubscribe = currentView.subscribe(({ incident }) => {
      unsubscribe()
      if (incident === null && id !== null) setTimeout(() => document.getElementById(`row-${id}`)?.focus())
    })
    closeIncident()
  }
  return (
    <article class="card" aria-labelledby="card-title">
      <button type="button" class="text-button back" onClick={close}>
        <Icon name="back" /> {t('panel.all_incidents')}
      </button>
      {selection.state === 'open' ? (
        <IncidentDetails incident={selection.incident} heading={heading} />
      ) : (
        <NoIncident selection={selection} heading={heading} />
      )}
    </article>
  )
}

type HeadingProperties = { readonly heading: { current: HTMLHeadingElement | null } }

const STATE_TEXTS: Readonly<Record<Exclude<SelectedIncident['state'], 'open'>, () => readonly [string, string]>> = {
  none: () => ['', ''],
  loading: () => [t('common.loading'), t('panel.card_loading')],
  retracted: () => [t('panel.card_retracted'), t('panel.card_retracted_text')],
  unknown: () => [t('panel.card_unknown'), t('panel.card_unknown_text')],
  failed: () => [t('panel.card_failed'), ''],
}

function NoIncident({
  selection,
  heading,
}: { selection: Exclude<SelectedIncident, { state: 'open' }> } & HeadingProperties) {
  const { incident } = useStore(currentView)
  const [title, sentence] = STATE_TEXTS[selection.state]()
  return (
    <div class="card-state">
      <h2 id="card-title" tabIndex={-1} ref={heading}>
        {title}
      </h2>
      <p>{selection.state === 'failed' ? selection.message : sentence}</p>
      {selection.state === 'failed' && incident !== null && (
        <button type="button" class="button" onClick={() => void loadSelectedIncident(incident)}>
          {t('common.retry')}
        </button>
      )}
    </div>
  )
}

function IncidentDetails({ incident, heading }: { incident: Incident } & HeadingProperties) {
  const { location } = incident
  const place = location.place ? `${location.place}, ${placeText(incident)}` : placeText(incident)
  const url = `${initialData.publicUrl}/incidents/${incident.id}`
  return (
    <>
      <div class="card-kind">
        <SeverityDot severity={incident.severity} />
        {typeText(incident.type)} · {t('common.severity_label', { severity: severityText(incident.severity) })}
        <SeverityExplanation />
      </div>
      <h2 id="card-title" tabIndex={-1} ref={heading}>
        {incident.summary}
      </h2>
      <dl class="facts">
        <dt>{t('panel.when')}</dt>
        <dd>
          {occurredText(incident)}
          <Ages incident={incident} />
        </dd>
        <dt>{t('panel.where')}</dt>
        <dd>
          {place}
          <span class="quiet block">
            {precisionText(location)}
            {location.lga_basis === 'estimated' && `; ${t('panel.lga_estimated')}`}
          </span>
          <PrecisionExplanation />
          <button
            type="button"
            class="text-button"
            onClick={() => flyTo(incident.lat, incident.lng, location.radius_km ?? 5)}
          >
            {t('panel.show_on_map')}
          </button>
          <a class="text-button" href={inLanguage(incidentAreaPath(incident))}>
            {t('areas.more_about', { place: placeText(incident) })}
          </a>
        </dd>
        <dt>{t('panel.casualties')}</dt>
        <dd>{casualtiesText(incident.casualties)}</dd>
      </dl>
      <ConfidenceSection incident={incident} />
      <section>
        <h3>{t('panel.sources')}</h3>
        <ul class="sources">
          {incident.sources.map((source) => (
            <li key={`${source.url} ${source.publisher}`}>
              <SourceLine source={source} />
            </li>
          ))}
          {incident.sources.length === 0 && <li class="quiet">{t('panel.no_public_source')}</li>}
        </ul>
      </section>
      <Corrections incident={incident} />
      <div class="actions">
        {initialData.alerts && (
          <a class="button" href={`/alerts?incident=${incident.id}&lang=${document.documentElement.lang}`}>
            {t('panel.follow')}
          </a>
        )}
        <NativeShare title={incident.summary} url={url} />
        <CopyButton text={incidentCommand(initialData.publicUrl, incident.id)}>{t('share.copy_call')}</CopyButton>
        <DownloadLink incident={incident} />
      </div>
    </>
  )
}

/** The age of the event and of its publication. */
function Ages({ incident }: { incident: Incident }) {
  const time = useClock(serverNow)
  const published = t('panel.published', { age: ago(incident.published_at!, time) })
  return (
    <span class="quiet block" title={momentText(incident.published_at!)}>
      {eventAgeText(incident, time)}; {published}
    </span>
  )
}

function SourceLine({ source: { url, publisher, published_at } }: { source: Source }) {
  const date = published_at && <span class="quiet"> {dayText(published_at)}</span>
  // Sources are untrusted text: only an http(s) URL becomes a link, never `javascript:`.
  if (url === null || !/^https?:\/\//i.test(url))
    return (
      <>
        {publisher}
        {date}
      </>
    )
  return (
    <>
      <a href={url} target="_blank" rel="noopener nofollow">
        {publisher}
      </a>
      {date}
    </>
  )
}

function DownloadLink({ incident }: { incident: Incident }) {
  const [url, setUrl] = useState('')
  useEffect(() => {
    const objectUrl = URL.createObjectURL(new Blob([JSON.stringify(incident, null, 2)], { type: 'application/json' }))
    setUrl(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [incident])
  return (
    <a class="button" href={url} download={`${incident.id}.json`}>
      {t('share.download')}
    </a>
  )
}

interface Correction {
  readonly change: 'published' | 'corrected'
  readonly version: number
  readonly at: string
  readonly fields: readonly string[]
}

/** Lists the corrections since publication. A first version has none, so nothing is requested. */
function Corrections({ incident: { id, version, published_at } }: { incident: Incident }) {
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
