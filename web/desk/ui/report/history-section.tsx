import { momentText } from '../../../shared/format.ts'
import type { FieldChange, Step } from '../../api/types.ts'
import { fieldWords, STEP_WORDS, valueWords } from '../../words.ts'

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
      {shown.map((change) => (
        <Change key={change.field} change={change} />
      ))}
    </ul>
  )
}

function Change({ change }: { change: FieldChange }) {
  return (
    <li>
      <span class="quiet">{fieldWords(change.field)}:</span> <del>{valueWords(change.old)}</del>{' '}
      <ins>{valueWords(change.new)}</ins>
    </li>
  )
}
