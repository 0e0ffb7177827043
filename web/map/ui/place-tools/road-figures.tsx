import { useEffect, useState } from 'preact/hooks'
import { t } from '../../../shared/language.ts'
import { useStore } from '../../../shared/store.ts'
import { numberText } from '../../../shared/text.ts'
import { currentQuestion } from '../../data/question/current-question.ts'
import { queryApi } from '../../data/question/query-api.ts'
import { mapQuery } from '../../data/question/question.ts'
import { onFeedEvent } from '../../live/feed.ts'
import type { Road } from '../../view/near-and-road.ts'

interface RoadStatistics {
  readonly total: {
    readonly count: number
    readonly casualties: Readonly<Record<'killed' | 'injured' | 'abducted', number | null>>
  }
}

const REFRESH_DELAY_MS = 5000

/** How many incidents lie along the road in the chosen time, and how many people they harmed. */
export function RoadFigures({ road }: { road: Road }) {
  const { polygon } = useStore(currentQuestion)
  const query = mapQuery(useStore(currentQuestion))
  query.set('group_by', 'severity')
  const question = query.toString()
  const [total, setTotal] = useState<RoadStatistics['total'] | null>(null)
  const [error, setError] = useState<string | null>(null)
  useEffect(() => {
    const request = new AbortController()
    let refresh: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      refresh = undefined
      try {
        const asked = new URLSearchParams(question)
        const { total } = await queryApi<RoadStatistics>('/v1/stats', asked, { road, polygon }, request.signal)
        setTotal(total)
        setError(null)
      } catch (failure) {
        if (!request.signal.aborted) setError((failure as Error).message)
      }
    }
    setTotal(null)
    void load()
    const unsubscribe = onFeedEvent(() => {
      refresh ??= setTimeout(load, REFRESH_DELAY_MS)
    })
    return () => {
      request.abort()
      clearTimeout(refresh)
      unsubscribe()
    }
  }, [question, road, polygon])
  if (error !== null) return <p class="tool-note">{error}</p>
  if (total === null) return <p class="tool-note">{t('map.road_counting')}</p>
  const { killed, injured, abducted } = total.casualties
  return (
    <p class="tool-note" role="status">
      <strong>{t('map.road_incidents', { count: total.count, km: road.bufferKm })}</strong>
      <br />
      {t('map.road_casualties', {
        killed: numberText(killed ?? 0),
        injured: numberText(injured ?? 0),
        abducted: numberText(abducted ?? 0),
      })}
    </p>
  )
}
