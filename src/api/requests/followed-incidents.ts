import { invalidBody, invalidParameters } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident.ts'
import type { Store } from '../../store/store.ts'

/**
 * Refuses ids of incidents that were never public: a watch would wait for ever. An unpublished
 * report is refused in the same words, so that nobody learns of it. Retracted and merged ones are
 * taken: they may come back, and a merged one is followed on.
 */
export async function requirePublished(
  ids: readonly string[] | null,
  { incidents }: Pick<Store, 'incidents'>,
  at: { readonly pointer: string } | { readonly parameter: string },
): Promise<void> {
  if (ids === null) return
  const found = await incidents.current(ids)
  const published = new Set(found.filter(({ document }) => wasPublished(document)).map(({ id }) => id))
  const unknown = ids.filter((id) => !published.has(id))
  if (unknown.length === 0) return
  const message = `names no public incident: ${unknown.join(', ')}; GET /v1/incidents has the ids`
  throw 'pointer' in at ? invalidBody([{ ...at, message }]) : invalidParameters([{ ...at, message }])
}

function wasPublished(document: string): boolean {
  return (JSON.parse(document) as Incident).published_at !== null
}
