import type { MatchReason } from '../../../src/domain/near-duplicates.ts'
import { Button } from '../../shared/parts/controls.tsx'
import { useStore } from '../../shared/store.ts'
import { percentText } from '../../shared/text.ts'
import type { DeskIncident, PossibleDuplicate } from '../desk-api.ts'
import { currentId, mergeTarget, openReport, useDetails } from '../report.ts'
import { dismissPair } from '../undo.ts'
import { dialog } from '../view.ts'
import { type Difference, differencesOf, matchWords, STATUS_WORDS } from '../words.ts'

export function Duplicates({ incident }: { incident: DeskIncident }) {
  const candidates = incident.desk.possible_duplicates
  return (
    <section class={`duplicates ${(candidates?.length ?? 0) > 0 ? 'some' : ''}`}>
      <h2>
        Possible duplicates
        {candidates !== null && candidates.length > 0 && <span class="count">{candidates.length}</span>}
      </h2>
      {candidates === null && <p class="quiet">They are being looked for.</p>}
      {candidates?.length === 0 && <p class="quiet">None was found.</p>}
      <ul>
        {candidates?.map((candidate) => (
          <li key={candidate.id}>
            <Candidate incident={incident} candidate={candidate} />
          </li>
        ))}
      </ul>
    </section>
  )
}

interface CandidateProperties {
  readonly incident: DeskIncident
  readonly candidate: PossibleDuplicate
}

function Candidate({ incident, candidate }: CandidateProperties) {
  const { id, score, summary } = candidate
  const { incident: full } = useDetails(id)
  const status = full?.status ?? candidate.status
  const canMerge = status === 'reported' || status === 'confirmed'
  const merge = () => {
    mergeTarget.set(id)
    dialog.set('merge')
  }
  return (
    <div class="candidate">
      <p class="candidate-head">
        <span class={`status ${status}`}>{STATUS_WORDS[status]}</span>
        <span class="quiet">{percentText(score)} alike</span>
      </p>
      <p class="candidate-summary">{summary}</p>
      <MatchReasons reasons={candidate.reasons} />
      {full !== null && <Comparison differences={differencesOf(incident, full)} />}
      <div class="row-of-buttons">
        {canMerge && <Button class="button small" label="Merge" shortcut="m" onClick={merge} />}
        {canMerge && full !== null && (
          <Button
            class="button small"
            label="Not the same"
            onClick={() => void dismissPair({ incident, other: full })}
          />
        )}
        <Button class="text-button" label="Open" onClick={() => openReport(id)} />
      </div>
    </div>
  )
}

/** The right column: what may be the same incident. */
export function DuplicatesPanel() {
  const id = useStore(currentId)
  return <aside class="duplicates-panel">{id !== null && <OfReport id={id} />}</aside>
}

function OfReport({ id }: { id: string }) {
  const { incident } = useDetails(id)
  return incident === null ? null : <Duplicates incident={incident} />
}

/** Two incidents side by side: only the fields that differ. */
export function Comparison({ differences }: { differences: readonly Difference[] }) {
  if (differences.length === 0) return <p class="quiet">They say the same.</p>
  return (
    <table class="comparison">
      <thead>
        <tr>
          <th scope="col">
            <span class="hidden">Field</span>
          </th>
          <th scope="col">This</th>
          <th scope="col">That one</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ field, label, one, other }) => (
          <tr key={field}>
            <th scope="row">{label}</th>
            <td>{one}</td>
            <td>{other}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The reasons for and against two being of one incident. */
export function MatchReasons({ reasons }: { reasons: readonly MatchReason[] }) {
  const { for: speaks, against } = matchWords(reasons)
  return (
    <ul class="match-reasons quiet">
      {speaks.length > 0 && <li class="for">{speaks.join(', ')}</li>}
      {against.length > 0 && <li class="against">{against.join(', ')}</li>}
    </ul>
  )
}
