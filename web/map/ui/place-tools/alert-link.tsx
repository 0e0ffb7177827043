import { Icon } from '../../../shared/components.tsx'
import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { visibleBox } from '../../data/question/visible-box.ts'
import { currentView } from '../../view/current-view.ts'
import { alertAddress } from './alert-address.ts'

/** Leads to the page that asks for an e-mail address, with the area that the map shows. */
export function AlertLink() {
  const view = useStore(currentView)
  const box = useStore(visibleBox)
  const label = t('page.alerts')
  return (
    <a class="tool-link" href={alertAddress(view, box, document.documentElement.lang)} aria-label={label} title={label}>
      <Icon name="bell" />
    </a>
  )
}
