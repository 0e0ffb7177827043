import { t } from '../../../../shared/language.ts'
import { useStore } from '../../../../shared/store.ts'
import { currentQuestion } from '../../../data/question/current-question.ts'
import { changeView, currentView } from '../../../view/current-view.ts'
import { filterCount, NO_FILTERS } from '../../../view/view.ts'
import { useNow } from '../../use-now.ts'
import { windowText } from '../../window-text.ts'

/** Says that the list is empty, and offers what might help. */
export function NoMatches() {
  const view = useStore(currentView)
  const { box, window } = useStore(currentQuestion)
  const now = useNow()
  const isFiltered = filterCount(view) > 0 || view.window !== null
  return (
    <div class="empty">
      <p>{box === null ? t('panel.none_in_window', { window: windowText(window, now) }) : t('panel.none_here')}</p>
      {isFiltered && (
        <button type="button" class="button" onClick={() => changeView(NO_FILTERS)}>
          {t('panel.clear_filters')}
        </button>
      )}
      {box !== null && (
        <button type="button" class="button" onClick={() => changeView({ camera: null, box: null })}>
          {t('panel.show_all_of_nigeria')}
        </button>
      )}
      {!isFiltered && box === null && view.period !== 'all' && (
        <button type="button" class="button" onClick={() => changeView({ period: 'all' })}>
          {t('panel.show_all_years')}
        </button>
      )}
    </div>
  )
}
