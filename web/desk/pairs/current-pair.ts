import { createStore } from '../../shared/store.ts'
import { type Pair, pairKey, pairList } from './pairs.ts'

/** The key of the pair that the keyboard is about; null: the first. */
export const currentPairKey = createStore<string | null>(null)

/** Where it stood last: decided on, the one that takes its place follows. */
let lastIndex = 0

pairList.subscribe(({ items }) => {
  const index = items.findIndex((pair) => pairKey(pair) === currentPairKey.get())
  if (index >= 0) lastIndex = index
  else if (items.length > 0) choosePair(items[Math.min(lastIndex, items.length - 1)]!)
})

export function choosePair(pair: Pair): void {
  lastIndex = Math.max(0, pairList.get().items.indexOf(pair))
  currentPairKey.set(pairKey(pair))
}

export function currentPair(): Pair | null {
  return pairList.get().items.find((pair) => pairKey(pair) === currentPairKey.get()) ?? null
}

/** Moves the keyboard to the next or the previous pair, and brings it into view. */
export function movePair(step: 1 | -1): void {
  const { items } = pairList.get()
  const pair = items[Math.max(0, Math.min(items.length - 1, lastIndex + step))]
  if (pair === undefined) return
  choosePair(pair)
  document.getElementById(pairElementId(pairKey(pair)))?.focus()
}

export function pairElementId(key: string): string {
  return `pair-${key.replace(' ', '-')}`
}
