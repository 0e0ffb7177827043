import { useStore } from '../../shared/store.ts'
import { place } from '../view.ts'
import { AreaList } from './area-list.tsx'
import { EditArea, NewArea } from './edit-area.tsx'

/** The list of saved areas, or the form; as the address says. */
export function AreasView() {
  const { area } = useStore(place).query
  if (area === undefined) return <AreaList />
  return area === 'new' ? <NewArea /> : <EditArea key={area} id={area} />
}
