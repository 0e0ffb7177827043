import { createStore } from '../../shared/store.ts'
import { serverNow } from '../initial-data.ts'
import { currentView } from '../view/current-view.ts'
import type { BoundingBox } from '../view/view.ts'
import { questionOf } from './question.ts'

/** The part of the map that is visible; null while it shows all of Nigeria. */
export const visibleBox = createStore<BoundingBox | null>(null)

/** The delay after which the page notices a new hour or day. */
const CLOCK_INTERVAL_MS = 5000

/**
 * The question that everything on the page answers. It changes with the view, the map and the
 * clock.
 */
export const currentQuestion = createStore(questionOf(currentView.get(), visibleBox.get(), serverNow()))

export function startQuestion(): void {
  currentView.subscribe(update)
  visibleBox.subscribe(update)
  setInterval(update, CLOCK_INTERVAL_MS)
}

function update(): void {
  const before = currentQuestion.get()
  const next = questionOf(currentView.get(), visibleBox.get(), serverNow(), before)
  if (JSON.stringify(next) !== JSON.stringify(before)) currentQuestion.set(next)
}
