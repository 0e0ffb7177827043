import { useEffect, useState } from 'preact/hooks'
import type { Source } from '../../../src/domain/incident.ts'
import { RequestError } from '../../shared/parts/request.ts'
import {
  casualtiesText,
  confidenceText,
  dayText,
  momentText,
  occurredText,
  percentText,
  reasonText,
  severityText,
  typeText,
  weightText,
} from '../../shared/text.ts'
import { type DeskIncident, listOf, type Step } from '../desk-api.ts'
import { fieldWords, passagesIn, STEP_WORDS, valueWords, whereText } from '../words.ts'
import { PublisherClass } from './publishers.tsx'

/** The text as it came, with the words marked that stand for the place and the casualties. */
export function WrittenText({ incident }: { incident: DeskIncident }) {
  const { text } = incident.desk
  const written = text ?? incident.summary
  return (
    <section class="written">
      <h2>What was written</h2>
      <div class="text">
        {passagesIn(written, incident).map(({ text: part, field }, index) =>
          field === null ? (
            part
          ) : (
            <mark key={`${index} ${part}`} class={field}>
              {part}
            </mark>
          ),
        )}
      </div>
      {text === null && <p class="quiet">Only this summary was sent, no text.</p>}
    </section>
  )
}

/** The facts that the service made of the report. */
export function Facts({ incident }: { incident: DeskIncident }) {
  const { casualties_reported: bySource = [], occurred_until: until, desk } = incident
  return (
    <section class="facts-section">
      <h2>What we made of it</h2>
      <dl class="facts">
        <dt>Type</dt>
        <dd>{typeText(incident.type)}</dd>
        <dt>Severity</dt>
        <dd>
          {severityText(incident.severity)}
          <span class="quiet"> {desk.severity_given ? 'set by hand' : 'from type and casualties'}</span>
        </dd>
        <dt>When</dt>
        <dd>
          {occurredText(incident)}
          {until && <span class="quiet block">until {momentText(until)}</span>}
        </dd>
        <dt>Where</dt>
        <dd>{whereText(incident)}</dd>
        <dt>Casualties</dt>
        <dd>
          {casualtiesText(incident.casualties)}
          {bySource.map((each) => (
            <span key={each.source} class="quiet block">
              {each.source}: {casualtiesText(each)}
            </span>
          ))}
        </dd>
        {desk.source_id !== null && (
          <>
            <dt>Imported as</dt>
            <dd>{desk.source_id}</dd>
          </>
        )}
        {desk.merged_into != null && (
          <>
            <dt>Merged into</dt>
            <dd>{desk.merged_into}</dd>
          </>
        )}
      </dl>
    </section>
  )
}

/** The sender of a tip, as only editors see it. */
interface Tip {
  readonly incident_id: string
  readonly received_at: string
  readonly contact: string | null
  readonly kept_until: string
  readonly additions: number
}

/** The contact of whoever sent the report, or those merged into it; read when it is opened. */
export function TipSection({ incident }: { incident: DeskIncident }) {
  const { desk } = incident
  const [tips, setTips] = useState<readonly Tip[] | string | null>(null)
  const mayHaveTips = desk.origin === 'tip' || (desk.merged_from ?? []).length > 0
  // With every change of the report: its contact may be gone, or something was added.
  useEffect(() => {
    if (!mayHaveTips) return
    let isCurrent = true
    listOf<Tip>(incident.id, 'tips').then(
      (read) => isCurrent && setTips(read),
      (error: unknown) => {
        if (!(error instanceof RequestError)) throw error
        if (isCurrent) setTips(error.message)
      },
    )
    return () => {
      isCurrent = false
    }
  }, [incident, mayHaveTips])
  if (!mayHaveTips || (Array.isArray(tips) && tips.length === 0 && desk.origin !== 'tip')) return null
  return (
    <section class="tip-section">
      <h2>From the public</h2>
      {tips === null && <p class="quiet">The contact is being loaded.</p>}
      {typeof tips === 'string' && <p>{tips}</p>}
      {Array.isArray(tips) && tips.length === 0 && (
        <p class="quiet">The contact and the reference number of this tip have been deleted.</p>
      )}
      {Array.isArray(tips) && tips.map((tip) => <TipLine key={tip.incident_id} tip={tip} />)}
    </section>
  )
}

function TipLine({ tip: { received_at, contact, kept_until, additions } }: { tip: Tip }) {
  return (
    <p>
      {contact === null ? 'No contact was given, or it was erased.' : <strong>{contact}</strong>}{' '}
      <span class="quiet">
        Sent {momentText(received_at)}; additions: {additions} (see the notes). Kept until {dayText(kept_until)}. For
        the desk only: never repeat it in a summary or a note.
      </span>
    </p>
  )
}

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

export function SourcesSection({ incident }: { incident: DeskIncident }) {
  const { sources, desk } = incident
  return (
    <section class="sources-section">
      <h2>Sources</h2>
      {sources.length === 0 && <p class="quiet">No source was named.</p>}
      <ul class="sources">
        {sources.map((source, index) => (
          <li key={`${source.url} ${source.publisher}`}>
            <SourceName source={source} />
            <span class="source-meta">
              {desk.official_sources.includes(index) && <span class="tag">official</span>}
              {source.published_at !== null && <span class="quiet">{dayText(source.published_at)}</span>}
              <PublisherClass publisher={source.publisher} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The publisher, as a link if its address can be opened. */
export function SourceName({ source: { url, publisher } }: { source: Source }) {
  if (url === null || !/^https?:/.test(url)) return <span>{publisher}</span>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {publisher}
    </a>
  )
}

/** Every step with who, when, why, and old and new values; newest first. */
export function HistorySection({ history }: { history: readonly Step[] | null }) {
  return (
    <section class="history">
      <h2>History and notes</h2>
      {history === null ? (
        <p class="quiet">The history is being loaded.</p>
      ) : (
        <ol class="steps">
          {history.toReversed().map((step, index) => (
            <li key={step.id ?? index} class={step.step}>
              <p>
                <strong>{step.by.name}</strong> {STEP_WORDS[step.step] ?? step.step}{' '}
                <time class="quiet" dateTime={step.at}>
                  {momentText(step.at)}
                </time>
              </p>
              {step.note !== null && <blockquote>{step.note}</blockquote>}
              <Changes step={step} />
            </li>
          ))}
          {history.length === 0 && <li class="quiet">Nothing yet.</li>}
        </ol>
      )}
    </section>
  )
}

/** Values that follow from others would only repeat them. */
const DERIVED = new Set(['updated_at', 'version', 'category', 'confidence_reasons'])

function Changes({ step: { changes = [], step } }: { step: Step }) {
  const shown = step === 'report' ? [] : changes.filter(({ field }) => !DERIVED.has(field))
  if (shown.length === 0) return null
  return (
    <ul class="changes">
      {shown.map(({ field, old, new: now }) => (
        <li key={field}>
          <span class="quiet">{fieldWords(field)}:</span> <del>{valueWords(old)}</del> <ins>{valueWords(now)}</ins>
        </li>
      ))}
    </ul>
  )
}
