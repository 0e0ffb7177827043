import type { MatchReason } from '../../src/domain/near-duplicates.ts'
import { type Page, RequestError, request } from '../shared/parts/request.ts'
import { createStore } from '../shared/store.ts'
import type { DeskIncident } from './desk-api.ts'

export interface Pair {
  readonly incident: DeskIncident
  readonly other: DeskIncident
  readonly score: number
  readonly reasons: readonly MatchReason[]
  readonly offered_at: string | null
  readonly dismissed_at: string | null
}

export type PairListName = 'open' | 'dismissed'

interface PairList {
  readonly name: PairListName
  readonly items: readonly Pair[]
  readonly isLoading: boolean
  readonly cursor: string | null
  readonly message: string
}

const PAGE = 50
const MAX_PAGE = 100
/** One decision changes two incidents: their changes are taken together. */
const COLLECT_MS = 300

export const pairList = createStore<PairList>({ name: 'open', items: [], isLoading: true, cursor: null, message: '' })

/**
 * Counts decisions and requests: an answer must not bring back what was decided after it was asked
 * for.
 */
let moment = 0
const decidedAt = new Map<string, number>()
let stopping = new AbortController()
let timer: ReturnType<typeof setTimeout> | undefined

export function pairKey({ incident, other }: Pick<Pair, 'incident' | 'other'>): string {
  return [incident.id, other.id].sort().join(' ')
}

/** Shows a list from its beginning. */
export function openPairs(name: PairListName): void {
  pairList.set({ name, items: [], isLoading: true, cursor: null, message: '' })
  void load(name, null, [], PAGE)
}

export function loadMorePairs(): void {
  const { name, cursor, items, isLoading } = pairList.get()
  if (!isLoading) void load(name, cursor, items, PAGE)
}

/** Reads what is shown again. */
export function reloadPairs(): void {
  const { name, items } = pairList.get()
  void load(name, null, [], Math.min(MAX_PAGE, Math.max(PAGE, items.length)))
}

/** A pair leaves the list at once, and no answer that is under way brings it back. */
export function dropPair(key: string): void {
  decidedAt.set(key, ++moment)
  const list = pairList.get()
  pairList.set({ ...list, items: list.items.filter((pair) => pairKey(pair) !== key) })
}

/** All pairs of an incident that was merged leave the list. */
export function dropPairsOf(id: string): void {
  for (const pair of pairList.get().items) if (pair.incident.id === id || pair.other.id === id) dropPair(pairKey(pair))
}

/**
 * A colleague, or an import, has changed an incident: if it is of a pair that is shown, the pairs
 * are read again.
 */
export function noteChangeOf(id: string): void {
  if (pairList.get().items.some(({ incident, other }) => incident.id === id || other.id === id)) reloadPairsSoon()
}

export function reloadPairsSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(reloadPairs, COLLECT_MS)
}

async function load(name: PairListName, cursor: string | null, before: readonly Pair[], limit: number): Promise<void> {
  // An earlier question has lost its point: its answer would show the other list, or what was.
  stopping.abort()
  stopping = new AbortController()
  const { signal } = stopping
  const asked = ++moment
  pairList.set({ ...pairList.get(), isLoading: true, message: '' })
  try {
    const query = new URLSearchParams({ list: name, limit: String(limit), ...(cursor === null ? {} : { cursor }) })
    const { data, next_cursor } = await request<Page<Pair>>('GET', `/v1/desk/duplicates?${query}`, { signal })
    if (signal.aborted) return
    const items = [...before, ...data].filter((pair) => (decidedAt.get(pairKey(pair)) ?? 0) < asked)
    pairList.set({ name, items, isLoading: false, cursor: next_cursor, message: '' })
    // A page may be empty although more follow.
    if (items.length === before.length && next_cursor !== null) void load(name, next_cursor, items, limit)
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof RequestError)) throw error
    pairList.set({ ...pairList.get(), isLoading: false, message: error.message })
  }
}

/** The key of the pair that the keyboard is about; null: the first. */
export const currentPairKey = createStore<string | null>(null)

/** Its last place: once it is decided on, the one that takes that place follows. */
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
