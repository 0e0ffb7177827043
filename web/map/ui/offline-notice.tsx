import { t } from '../../shared/language.ts'
import { useStore } from '../../shared/store.ts'
import { momentText } from '../../shared/text.ts'
import { savedAt } from '../initial-data.ts'
import { feedStatus } from '../live/feed.ts'

/** Says that the page is out of date, and from when it is if it comes from the device. */
export function OfflineNotice() {
  const { freshness } = useStore(feedStatus)
  const fromDevice = savedAt !== null && freshness !== 'live'
  if (freshness !== 'offline' && !fromDevice) return null
  const text = fromDevice ? t('map.offline_saved', { time: momentText(savedAt!) }) : t('map.offline')
  return (
    <p class="stale" role="status">
      {text}
    </p>
  )
}
