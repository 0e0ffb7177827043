import { percentText } from '../../../shared/format.ts'
import type { DeskIncident, PossibleDuplicate } from '../../api/types.ts'
import { dismissPair } from '../../pairs/decide-pair.ts'
import { dialog } from '../../panels.ts'
import { openReport } from '../../report/current.ts'
import { useDetails } from '../../report/details.ts'
import { differencesOf } from '../../report/differences.ts'
import { mergeTarget } from '../../report/merge-target.ts'
import { STATUS_WORDS } from '../../words.ts'
import { Comparison } from './comparison.tsx'
import { MatchReasons } from './match-reasons.tsx'

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
        {canMerge && (
          <button type="button" class="button small" onClick={merge}>
            Merge <kbd>m</kbd>
          </button>
        )}
        {canMerge && full !== null && (
          <button type="button" class="button small" onClick={() => void dismissPair({ incident, other: full })}>
            Not the same
          </button>
        )}
        <button type="button" class="text-button" onClick={() => openReport(id)}>
          Open
        </button>
      </div>
    </div>
  )
}
