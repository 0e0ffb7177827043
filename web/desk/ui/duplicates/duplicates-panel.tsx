import { useStore } from '../../../shared/store.ts'
import { currentId } from '../../report/current.ts'
import { useDetails } from '../../report/details.ts'
import { Duplicates } from './duplicates.tsx'

/** The right column: what may be the same incident. */
export function DuplicatesPanel() {
  const id = useStore(currentId)
  return <aside class="duplicates-panel">{id !== null && <OfReport id={id} />}</aside>
}

function OfReport({ id }: { id: string }) {
  const { incident } = useDetails(id)
  return incident === null ? null : <Duplicates incident={incident} />
}
