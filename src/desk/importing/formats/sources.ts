import { isOfficialPublisher } from '../../../domain/publishers.ts'
import type { ReportedSource } from '../../../domain/report.ts'
import { readDay } from './values.ts'

const MAX_PUBLISHER_LENGTH = 120

export function sourceOf(
  publisher: string,
  publishedAt: number | null = null,
  url: string | null = null,
): ReportedSource {
  const name = publisher.slice(0, MAX_PUBLISHER_LENGTH).trim()
  const published_at = publishedAt === null ? null : new Date(publishedAt).toISOString()
  return { url, publisher: name, published_at, official: isOfficialPublisher(name) }
}

/** Reads names separated by `;`, with dates if there is one for each. */
export function listedSources(names: string, dates: string, now: number): ReportedSource[] {
  const publishers = names.split(';').map((name) => name.trim())
  const days = dates.split(';').map((day) => readDay(day.trim(), now))
  const paired = days.length === publishers.length
  const sources = publishers.flatMap((publisher, index) =>
    publisher === '' ? [] : [sourceOf(publisher, paired ? (days[index] ?? null) : null)],
  )
  return distinct(sources)
}

const CITED = /^(?:"([^",;]+),\d{4}-|(?!https?:)([^"“”',;\d()]{2,60}))/
const NOT_THE_NAME =
  /\s+(database|on|in|january|february|march|april|may|june|july|august|september|october|november|december)$/i
const CITED_DAY = /\b(\d{4}-\d{2}-\d{2}|\d{1,2} [A-Z][a-z]+ \d{4})\b/

/** Reads citations such as `AFP 2009-07-27 "Title"; Reuters News 3 May 2010 Title`. */
export function citedSources(article: string, now: number): ReportedSource[] {
  const citations = article.split(/[;\n]/).map((citation) => citation.trim())
  const sources = citations.flatMap((citation) => {
    const found = CITED.exec(citation)
    const publisher = (found?.[1] ?? found?.[2] ?? '').trim().replace(NOT_THE_NAME, '')
    if (publisher.length < 2) return []
    return [sourceOf(publisher, readDay(CITED_DAY.exec(citation)?.[1] ?? '', now))]
  })
  return distinct(sources)
}

function distinct(sources: readonly ReportedSource[]): ReportedSource[] {
  const byIdentity = new Map(sources.map((source) => [`${source.publisher}|${source.published_at}`, source]))
  return [...byIdentity.values()]
}
