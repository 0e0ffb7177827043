import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { createStore } from '../../shared/store.ts'

/** The rows on the first screen of a phone, beside the map. */
const FIRST_ROWS = 6
const ROWS_PER_STEP = 11
const LAST_STEP = 6

/**
 * The page is drawn in steps: a phone needs a third of a second for all of it at once, and would
 * not react to a touch in that time. Step 0 is map and list, 1 and 2 the controls, later ones rows.
 */
const step = createStore(0)

/** Draws the rest of the page, once its first step is drawn. */
export async function drawRest(): Promise<void> {
  while (step.get() < LAST_STEP) {
    await yieldToBrowser()
    step.set(step.get() + 1)
  }
}

/** Parts that are drawn in a later step. */
export function FromStep({ number, children }: { number: 1 | 2; children: ComponentChildren }) {
  return useStep() >= number ? children : null
}

/** Returns true until the last step is drawn. */
export function useIsBeingDrawn(): boolean {
  return useStep() < LAST_STEP
}

/** Returns how many rows of the list may be drawn. */
export function useRowLimit(): number {
  const reached = useStep()
  return reached === LAST_STEP ? Number.POSITIVE_INFINITY : FIRST_ROWS + Math.max(0, reached - 2) * ROWS_PER_STEP
}

/** Unlike `useStore` it listens from the first drawing on, so that no step is skipped. */
function useStep(): number {
  const [reached, setReached] = useState(step.get)
  useLayoutEffect(() => step.subscribe(setReached), [])
  return reached
}

interface Scheduler {
  yield?(): Promise<void>
}

/** Lets the browser paint, and react to a touch, between two parts of long work. */
export function yieldToBrowser(): Promise<void> {
  const { scheduler } = globalThis as { readonly scheduler?: Scheduler }
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve))
}
