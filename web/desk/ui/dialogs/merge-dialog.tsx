import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { percentText } from '../../../shared/format.ts'
import { Field } from '../../../shared/parts/field.tsx'
import { isClaimedByAnother } from '../../actions.ts'
import type { DeskIncident } from '../../api/types.ts'
import { decideMerge, type Side } from '../../decisions/decide.ts'
import { closeDialog } from '../../panels.ts'
import { readDetails, useDetails } from '../../report/details.ts'
import { type ComparedField, differencesOf } from '../../report/differences.ts'
import { mergeCandidates, mergeTarget } from '../../report/merge-target.ts'
import { STATUS_WORDS } from '../../words.ts'
import { CancelButton } from './cancel-button.tsx'
import { Dialog } from './dialog.tsx'

/** Merges two incidents: one remains, with the values that are chosen here. */
export function MergeDialog({ incident }: { incident: DeskIncident }) {
  const candidates = mergeCandidates(incident)
  const [chosen, setChosen] = useState(() => mergeTarget.get() ?? candidates[0]?.id ?? null)
  useEffect(() => mergeTarget.set(null), [incident.id])
  return (
    <Dialog title="Merge two reports of one incident" wide>
      {candidates.length > 1 && (
        <fieldset class="candidates">
          <legend>Merge with</legend>
          {candidates.map(({ id, summary, score, status }) => (
            <label key={id} class="candidate-choice">
              <input type="radio" name="candidate" checked={id === chosen} onChange={() => setChosen(id)} />
              <span>
                {summary}{' '}
                <span class="quiet">
                  {STATUS_WORDS[status]}, {percentText(score)} alike
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      )}
      {chosen !== null && <MergeWith key={chosen} incident={incident} id={chosen} />}
    </Dialog>
  )
}

function MergeWith({ incident, id }: { incident: DeskIncident; id: string }) {
  const { incident: other, failure } = useDetails(id)
  useEffect(() => {
    if (other === null) void readDetails(id)
  }, [id])
  if (other === null) return <p class="quiet">{failure?.message ?? 'The other report is being loaded.'}</p>
  return <MergeForm incident={incident} other={other} />
}

function MergeForm({ incident, other }: { incident: DeskIncident; other: DeskIncident }) {
  // A confirmed incident is public: a report goes into it, never the other way round.
  const canSwap = incident.status === other.status
  const [isSwapped, setSwapped] = useState(incident.status === 'confirmed' && other.status !== 'confirmed')
  const [take, setTake] = useState<Partial<Record<ComparedField, Side>>>({})
  const [note, setNote] = useState('')
  // The form may come later than the dialog: Enter must merge all the same.
  const first = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => first.current?.focus(), [])
  const [from, into] = isSwapped ? [other, incident] : [incident, other]
  const differences = differencesOf(from, into)
  const merge = () => {
    if (isClaimedByAnother(from) || isClaimedByAnother(into)) return
    closeDialog()
    decideMerge(from, into, take, note.trim() || null)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        merge()
      }}
    >
      <table class="comparison choice-table">
        <thead>
          <tr>
            <th scope="col">
              <span class="hidden">Field</span>
            </th>
            <th scope="col">
              {isSwapped ? 'The other one' : 'This report'}
              <span class="quiet block">is merged away</span>
            </th>
            <th scope="col">
              {isSwapped ? 'This report' : 'The other one'}
              <span class="quiet block">remains ({STATUS_WORDS[into.status].toLowerCase()})</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ field, label, one, other: remaining }) => (
            <tr key={field}>
              <th scope="row">{label}</th>
              {(['this', 'other'] as const).map((side) => (
                <td key={side}>
                  <label class="value-choice">
                    <input
                      type="radio"
                      name={`take-${field}`}
                      checked={(take[field] ?? 'other') === side}
                      onChange={() => setTake({ ...take, [field]: side })}
                    />
                    <span>{side === 'this' ? one : remaining}</span>
                  </label>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {differences.length === 0 && <p class="quiet">They say the same. Only the sources are joined.</p>}
      <p class="quiet">
        The sources of both are joined. What is not taken stays in the history, and the merge can be undone.
      </p>
      <Field label="Why (kept in the history)" wide>
        <input value={note} maxLength={1000} onInput={(event) => setNote(event.currentTarget.value)} />
      </Field>
      <div class="row-of-buttons">
        <button type="submit" class="button primary" data-first ref={first}>
          Merge <kbd>Enter</kbd>
        </button>
        {canSwap && (
          <button type="button" class="button" onClick={() => setSwapped(!isSwapped)}>
            Keep the other one instead
          </button>
        )}
        <CancelButton />
      </div>
    </form>
  )
}
