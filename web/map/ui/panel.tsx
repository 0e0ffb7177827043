import { currentView } from '../current-view.ts'
import { useStore } from '../store.ts'
import { Card } from './card.tsx'
import { Filters } from './filters.tsx'
import { List } from './list.tsx'

/** Beside the map: filters and list, or the card of one incident. */
export function Panel() {
  const showCard = useStore(currentView).incident !== null
  return (
    <section class="panel" aria-label="Incidents">
      {!showCard && <Filters />}
      <div class="panel-scroll" key={showCard ? 'card' : 'list'}>
        {showCard ? <Card /> : <List />}
      </div>
    </section>
  )
}
