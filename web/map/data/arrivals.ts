import { createStore } from '../../shared/store.ts'
import type { ListAnswer } from './load-together.ts'

interface Arrivals {
  /** Ids of the incidents that arrived while the page was open; the list marks them. */
  readonly arrived: ReadonlySet<string>
  /** Incidents that wait behind a button, so that nothing moves under the finger of a reader. */
  readonly waiting: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

export const arrivals = createStore<Arrivals>({ arrived: NONE, waiting: NONE })

let isListRead = () => false

/** The list says how to find out whether somebody is reading it. */
export function setListReader(isRead: () => boolean): () => void {
  isListRead = isRead
  return () => {
    isListRead = () => false
  }
}

/** Finds what is new in the next list, and lets it wait while somebody reads. */
export function holdArrivals(before: ListAnswer | null, next: ListAnswer): void {
  if (before === null || before.key !== next.key) {
    arrivals.set({ arrived: NONE, waiting: NONE })
    return
  }
  const known = new Set(before.incidents.map(({ id }) => id))
  // A retraction lets older incidents move up at the end of the list; they are not new.
  const newest = before.incidents[0]?.published_at ?? ''
  const added = next.incidents
    .filter(({ id, published_at }) => !known.has(id) && published_at! >= newest)
    .map(({ id }) => id)
  const { arrived, waiting } = arrivals.get()
  const present = new Set(next.incidents.map(({ id }) => id))
  const stillWaiting = [...waiting].filter((id) => present.has(id))
  arrivals.set({
    arrived: new Set([...arrived, ...added]),
    waiting: isListRead() ? new Set([...stillWaiting, ...added]) : NONE,
  })
}

export function showWaitingArrivals(): void {
  arrivals.patch({ waiting: NONE })
}

/**
 * Returns the next list with the incidents of the one before where they are the same, so that their
 * rows stay. After a loss, another version may have the number of one that was shown.
 */
export function keepUnchanged(before: ListAnswer | null, next: ListAnswer): ListAnswer {
  const known = new Map(before?.incidents.map((incident) => [incident.id, incident]))
  const incidents = next.incidents.map((incident) => {
    const old = known.get(incident.id)
    return old?.version === incident.version && old.updated_at === incident.updated_at ? old : incident
  })
  return { ...next, incidents }
}
