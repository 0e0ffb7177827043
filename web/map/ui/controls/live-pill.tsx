import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { ago } from '../../../shared/text.ts'
import { usePageFreshness } from '../../data/page-freshness.ts'
import { feedStatus } from '../../live/feed.ts'
import { useNow } from '../use-now.ts'

const WORDS = {
  live: ['map.live', 'map.live_title'],
  behind: ['map.behind', 'map.behind_title'],
  offline: ['map.offline_pill', 'map.offline_title'],
} as const

/** Shows how current the page is, and the age of the newest incident. */
export function LivePill() {
  const { newestAt } = useStore(feedStatus)
  const freshness = usePageFreshness()
  const time = useNow()
  const [label, title] = WORDS[freshness]
  return (
    <span class={`pill live-pill ${freshness}`} title={t(title)}>
      <span class="live-dot" />
      <strong>{t(label)}</strong>
      <span class="live-age">
        {newestAt === null ? t('map.nothing_yet') : t('map.newest', { age: ago(newestAt, time) })}
      </span>
    </span>
  )
}
