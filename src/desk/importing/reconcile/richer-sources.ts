import type { Source } from '../../../domain/incident.ts'
import { publisherKey } from '../../../domain/publishers.ts'
import type { ImportedState } from './import-context.ts'

interface Sources {
  readonly sources: Source[]
  readonly official: number[]
}

/**
 * The row's sources with what is known of each; if the row has fewer than are stored, the stored
 * ones and those that are new. `assumed`: the row names none, and stands for its compiler.
 */
export function richerSources(stored: ImportedState, given: ImportedState, assumed: boolean): Sources {
  const ours = listOf(stored)
  if (assumed && ours.length > 0) return toSources(ours)
  const theirs = listOf(given).map((source) => completed(source, ours))
  if (theirs.length >= ours.length) return toSources(theirs)
  const known = new Set(ours.map(({ publisher }) => publisherKey(publisher)))
  return toSources([...ours, ...theirs.filter(({ publisher }) => !known.has(publisherKey(publisher)))])
}

interface RatedSource extends Source {
  readonly official: boolean
}

function listOf({ incident, moderation }: ImportedState): RatedSource[] {
  return incident.sources.map((source, index) => ({ ...source, official: moderation.official.includes(index) }))
}

/** Fills in the address and the day of the same publisher's only stored source. */
function completed(source: RatedSource, ours: readonly RatedSource[]): RatedSource {
  const key = publisherKey(source.publisher)
  const [same, ...more] = ours.filter(({ publisher }) => publisherKey(publisher) === key)
  if (same === undefined || more.length > 0) return source
  return { ...source, url: source.url ?? same.url, published_at: source.published_at ?? same.published_at }
}

function toSources(list: readonly RatedSource[]): Sources {
  return {
    sources: list.map(({ url, publisher, published_at }) => ({ url, publisher, published_at })),
    official: list.flatMap(({ official }, index) => (official ? [index] : [])),
  }
}
