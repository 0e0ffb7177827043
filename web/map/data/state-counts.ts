import { createStore } from '../../shared/store.ts'
import { queryApi } from '../api.ts'
import { onFeedEvent } from '../live/feed.ts'
import { currentView } from '../view/current-view.ts'
import { shapeMembers } from '../view/shapes.ts'
import { currentQuestion } from './current-question.ts'
import { mapQuery, type Question } from './question.ts'
import type { Statistics } from './statistics.ts'

/** Incidents by state code, for the layer "By state"; null until they are counted. */
export const stateCounts = createStore<ReadonlyMap<string, number> | null>(null)

const DEBOUNCE_MS = 150
const REFRESH_INTERVAL_MS = 5000
const RETRY_DELAY_MS = 5000

/** Counts the states while their layer is shown, again whenever the view or the feed changes. */
export function startStateCounts(): () => void {
  let load = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let refresh: ReturnType<typeof setTimeout> | undefined

  const count = async (question: Question) => {
    load.abort()
    load = new AbortController()
    const { signal } = load
    try {
      const { data } = await queryApi<Statistics>('/v1/stats', statesQuery(question), question, signal)
      stateCounts.set(new Map(data.map(({ state, count }) => [state!.key, count])))
    } catch (error) {
      if (signal.aborted) return
      console.warn('The states could not be counted; trying again:', error)
      schedule(RETRY_DELAY_MS)
    }
  }
  const schedule = (delayMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (currentView.get().layer === 'states') void count(currentQuestion.get())
    }, delayMs)
  }
  const unsubscribes = [
    currentView.subscribe((view, before) => {
      if (view.layer !== before.layer) schedule(0)
    }),
    currentQuestion.subscribe((question, before) => {
      if (keyOf(question) !== keyOf(before)) schedule(DEBOUNCE_MS)
    }),
    onFeedEvent(() => {
      refresh ??= setTimeout(() => {
        refresh = undefined
        schedule(0)
      }, REFRESH_INTERVAL_MS)
    }),
  ]
  schedule(0)
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe()
    load.abort()
    clearTimeout(timer)
    clearTimeout(refresh)
  }
}

/** All states are counted, also while one is chosen: the others keep their colours. */
function statesQuery(question: Question): URLSearchParams {
  const query = mapQuery(question)
  query.delete('state')
  query.delete('lga')
  query.set('group_by', 'state')
  return query
}

function keyOf(question: Question): string {
  return `${statesQuery(question)} ${JSON.stringify(shapeMembers(question))}`
}
