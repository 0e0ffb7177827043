import { isDeepStrictEqual } from 'node:util'
import type { Incident } from '../../domain/incident.ts'
import type { IncidentChange, Store } from '../../store/store.ts'

/** The change; if it takes an accepted source out again, with the proposal that is open again. */
export async function reopeningProposal(
  before: Incident,
  change: IncidentChange,
  store: Store,
): Promise<IncidentChange> {
  const { sources } = change.incident
  const taken = before.sources.filter((source) => !sources.some((other) => isDeepStrictEqual(source, other)))
  if (taken.length === 0) return change
  const proposals = await store.sources.proposalsFor(before.id)
  const accepted = proposals.findLast(
    ({ state, report }) =>
      state === 'accepted' && taken.some((source) => isDeepStrictEqual(source, report.incident.sources[0])),
  )
  return accepted === undefined ? change : { ...change, decides: { id: accepted.id, state: 'open' } }
}
