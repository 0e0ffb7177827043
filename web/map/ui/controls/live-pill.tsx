import { ago } from '../../../shared/format.ts'
import { useStore } from '../../../shared/store.ts'
import { usePageFreshness } from '../../data/page-freshness.ts'
import { feedStatus } from '../../live/feed.ts'
import { useNow } from '../use-now.ts'

const TITLES = {
  live: 'New incidents appear here within seconds of being confirmed.',
  behind: 'The connection is being made again; something may be missing.',
  offline: 'There is no connection. What you see is what was known before.',
} as const

const LABELS = { live: 'Live', behind: 'Behind', offline: 'Offline' } as const

/** Shows how current the page is, and the age of the newest incident. */
export function LivePill() {
  const { newestAt } = useStore(feedStatus)
  const freshness = usePageFreshness()
  const time = useNow()
  return (
    <span class={`pill live-pill ${freshness}`} title={TITLES[freshness]}>
      <span class="live-dot" />
      <strong>{LABELS[freshness]}</strong>
      <span class="live-age">{newestAt === null ? 'nothing yet' : `newest ${ago(newestAt, time)}`}</span>
    </span>
  )
}
