import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { isArchiveEmpty, snapshot } from '../../data/snapshot.ts'
import { currentView } from '../../view/current-view.ts'
import { DraftNote } from '../controls/main-menu.tsx'
import { Filters } from '../filters.tsx'
import { IncidentCard } from './incident-card.tsx'
import { IncidentList } from './incident-list.tsx'

/** The panel beside the map on a wide screen: filters and list, or the card of one incident. */
export function Panel() {
  const showCard = useStore(currentView).incident !== null
  const isEmpty = isArchiveEmpty(useStore(snapshot))
  return (
    <section class="panel" aria-label={t('page.incidents')}>
      {!showCard && <DraftNote />}
      {!showCard && !isEmpty && <Filters />}
      <div class="panel-scroll" id="list" tabIndex={-1} key={showCard ? 'card' : 'list'}>
        {showCard ? <IncidentCard /> : <IncidentList />}
      </div>
    </section>
  )
}
