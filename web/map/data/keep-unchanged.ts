import type { ListAnswer } from './load-together.ts'

/**
 * Returns the next list with the incidents of the one before where they are the same, so that their
 * rows stay.
 */
export function keepUnchanged(before: ListAnswer | null, next: ListAnswer): ListAnswer {
  const known = new Map(before?.incidents.map((incident) => [incident.id, incident]))
  const incidents = next.incidents.map((incident) => {
    const old = known.get(incident.id)
    return old?.version === incident.version ? old : incident
  })
  return { ...next, incidents }
}
