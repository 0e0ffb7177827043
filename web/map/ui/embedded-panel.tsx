import { Icon } from '../../shared/components.tsx'
import { t } from '../../shared/language.ts'
import { useStore } from '../../shared/store.ts'
import { changeView, currentView } from '../view/current-view.ts'
import { IncidentCard } from './panel/incident-card.tsx'
import { IncidentList } from './panel/incident-list.tsx'

/** In an embedded map there is no panel: the card, or the list of a mark, opens over the map. */
export function EmbeddedPanel() {
  const { incident, box } = useStore(currentView)
  if (incident === null && box === null) return null
  return (
    <section class="embedded-panel" aria-label={t('page.incidents')}>
      {incident === null && (
        <button type="button" class="text-button back" onClick={() => changeView({ box: null })}>
          <Icon name="close" /> {t('common.close')}
        </button>
      )}
      {incident === null ? <IncidentList /> : <IncidentCard />}
    </section>
  )
}
