import { useStore } from '../../../shared/store.ts'
import type { DeskIncident } from '../../api/types.ts'
import { currentPair, currentPairKey } from '../../pairs/current-pair.ts'
import type { Pair } from '../../pairs/pairs.ts'
import { dialog } from '../../panels.ts'
import { HelpDialog } from '../dialogs/help-dialog.tsx'
import { MergeDialog } from '../dialogs/merge-dialog.tsx'

/** The dialogs of the list of pairs: merging, and the keys. */
export function PairDialogs() {
  const name = useStore(dialog)
  const key = useStore(currentPairKey)
  if (name === 'help') return <HelpDialog />
  const pair = currentPair()
  return name === 'merge' && pair !== null ? <MergeDialog key={key} incident={withOther(pair)} /> : null
}

/** The incident with the other one as its only possible duplicate, as the dialog takes it. */
function withOther({ incident, other, score, reasons }: Pair): DeskIncident {
  const { id, status, type, state, lga, occurred_at, summary } = other
  const candidate = { id, score, reasons, status, type, state, lga, occurred_at, summary }
  return { ...incident, desk: { ...incident.desk, possible_duplicates: [candidate] } }
}
