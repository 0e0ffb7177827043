import { useStore } from '../../../shared/store.ts'
import type { DeskIncident } from '../../api/types.ts'
import { conflicts, dismissConflict } from '../../decisions/conflicts.ts'
import { decide } from '../../decisions/decide.ts'
import { allows, MOVES } from '../../decisions/moves.ts'
import { useDetails } from '../../report/details.ts'
import { differencesOf } from '../../report/differences.ts'
import { STATUS_WORDS, STEP_WORDS } from '../../words.ts'

/** Shows both versions after a decision that a colleague has overtaken. */
export function ConflictNotice({ incident }: { incident: DeskIncident }) {
  const conflict = useStore(conflicts).get(incident.id)
  const { history } = useDetails(incident.id)
  if (conflict === undefined) return null
  const { move, seen, message } = conflict
  const last = history?.at(-1)
  const rows = [
    { label: 'Status', one: STATUS_WORDS[seen.status], other: STATUS_WORDS[incident.status] },
    { label: 'Version', one: String(seen.version), other: String(incident.version) },
    ...differencesOf(seen, incident),
  ].filter(({ one, other }) => one !== other)
  const isPlain = move !== 'merge' && move !== 'undo' && move !== 'redact'
  return (
    <div class="inline-notice conflict" role="alert">
      <p>
        <strong>Your decision was not taken.</strong> {message}
        {last && ` ${last.by.name} ${STEP_WORDS[last.step] ?? last.step}.`}
      </p>
      {rows.length > 0 && (
        <table class="comparison">
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">You saw</th>
              <th scope="col">It is</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, one, other }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{one}</td>
                <td>{other}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div class="row-of-buttons">
        {isPlain && allows(move, incident.status) && (
          <button type="button" class="button small" onClick={() => decide(move, incident)}>
            {MOVES[move].verb} this version
          </button>
        )}
        <button type="button" class="button small" onClick={() => dismissConflict(incident.id)}>
          Leave it
        </button>
      </div>
    </div>
  )
}
