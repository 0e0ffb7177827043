import { t } from '../../../../shared/language.ts'
import { useStore } from '../../../../shared/store.ts'
import { momentText } from '../../../../shared/text.ts'
import { retryNow, snapshot } from '../../../data/snapshot.ts'

/**
 * Says what failed and how old what is shown is, with a button for those who do not want to wait.
 */
export function FailureNote({ message }: { message: string }) {
  const { loading, currentAt } = useStore(snapshot)
  return (
    <div class="note warning failure" role="alert">
      <p>
        {message} {t('panel.as_of', { time: momentText(currentAt) })}
      </p>
      <button type="button" class="button" disabled={loading} onClick={retryNow}>
        {loading ? t('common.loading') : t('common.retry')}
      </button>
    </div>
  )
}
