import { useStore } from '../../shared/store.ts'
import { place } from '../view.ts'
import { EditWatch, NewWatch } from './edit-watch.tsx'
import { WatchList } from './watch-list.tsx'
import { WatchPage } from './watch-page.tsx'

/** The list of watches, one of them, or the form; as the address says. */
export function WatchesView() {
  const { query } = useStore(place)
  const { watch, edit, sites, incident } = query
  if (watch === undefined) return <WatchList />
  if (watch === 'new') return <NewWatch sites={sites ?? null} incident={incident ?? null} />
  return edit === undefined ? (
    <WatchPage key={watch} id={watch} incident={incident ?? ''} />
  ) : (
    <EditWatch key={watch} id={watch} />
  )
}
