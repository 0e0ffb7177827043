import type { Incident, Precision } from '../../domain/incident.ts'
import { EMPTY_MODERATION_RECORD, type ModerationRecord } from '../../domain/moderation.ts'
import type { Reliability } from '../../domain/publishers.ts'
import type { Report } from '../../domain/report.ts'
import type { FeedItem, ProposedReport } from '../../domain/sources.ts'
import type { Evidence, IncidentCandidate } from '../../domain/story.ts'
import { normalizeSummary } from '../../domain/summary.ts'
import type { Geography } from '../../geo/geography.ts'
import { timeText } from '../../lib/time.ts'
import { buildIncident } from '../reports/build-incident.ts'
import { type GivenPlace, type Placement, placeReport } from '../reports/place-report.ts'

export interface Story {
  readonly sourceId: string
  readonly itemId: string
  readonly publisher: string
  readonly item: FeedItem
  /** When it was published, not in the future; when it was found if the feed does not say. */
  readonly publishedAt: number
}

export interface ReportContext {
  readonly geography: Geography
  readonly reliability: Reliability
  readonly now: number
}

/** Between the title and the text, in the text that the desk shows. */
const SEPARATOR = '\n\n'
const NAMED_PRECISIONS: readonly Precision[] = ['exact', 'settlement']

/** The report of one candidate of a story; null if it has no place. */
export function reportOf(
  candidate: IncidentCandidate,
  isOnlyOne: boolean,
  incidentId: string,
  story: Story,
  { geography, reliability, now }: ReportContext,
): ProposedReport | null {
  const placement = placementOf(candidate, geography)
  if (placement === null) return null
  const { item, publisher, publishedAt } = story
  const occurredAt = Math.min(now, candidate.occurred_at === null ? publishedAt : Date.parse(candidate.occurred_at))
  const report: Report = {
    severity: null,
    occurred_at: new Date(occurredAt).toISOString(),
    // A story that does not say when was written on the day, or the day after.
    time_precision: candidate.time_precision ?? 'day',
    ...givenPlace(candidate),
    summary: summaryOf(candidate, isOnlyOne, item),
    sources: [{ url: item.url, publisher, published_at: new Date(publishedAt).toISOString(), official: false }],
    casualties: candidate.casualties,
  }
  const moderation = moderationOf(candidate, story)
  const time = timeText(now)
  const identity = {
    id: incidentId,
    reported_at: time,
    confirmed_at: null,
    published_at: null,
    updated_at: time,
    status: 'reported',
  } as const
  const incident: Incident = buildIncident(report, placement, identity, moderation, null, reliability)
  return { incident, moderation }
}

/** The title and the text, as the desk shows them. */
export function textOf({ title, text }: FeedItem): string {
  return title === '' ? text : `${title}${SEPARATOR}${text}`
}

function moderationOf({ score, evidence }: IncidentCandidate, { sourceId, itemId, item }: Story): ModerationRecord {
  const offset = item.title === '' ? 0 : item.title.length + SEPARATOR.length
  return {
    ...EMPTY_MODERATION_RECORD,
    text: textOf(item),
    origin: 'feed',
    reading: {
      source_id: sourceId,
      item_id: itemId,
      score,
      evidence: evidence.map(({ field, source, start, end, score }: Evidence) => {
        const by = source === 'title' ? 0 : offset
        return { field, start: start + by, end: end + by, score }
      }),
    },
  }
}

function givenPlace({ type, lat, lng, state, lga, precision, matched }: IncidentCandidate): GivenPlace {
  const place = precision !== null && NAMED_PRECISIONS.includes(precision) ? (matched?.name ?? null) : null
  return { type, lat, lng, state, lga, place, precision }
}

/** Without the LGA if it and the point disagree: an estimated border is not certain. */
function placementOf(candidate: IncidentCandidate, geography: Geography): Placement | null {
  if (candidate.lat === null || candidate.lng === null) return null
  const given = givenPlace(candidate)
  for (const attempt of [given, { ...given, lga: null }]) {
    const result = placeReport(attempt, geography)
    if (!('placement' in result)) continue
    const { placement } = result
    const radius_km = Math.max(placement.location.radius_km ?? 0, candidate.radius_km ?? 0)
    return { ...placement, location: { ...placement.location, radius_km } }
  }
  return null
}

/** The title tells of the whole story; with several incidents, each has its own sentence. */
function summaryOf({ evidence }: IncidentCandidate, isOnlyOne: boolean, { title, text }: FeedItem): string {
  const told = evidence.find(({ field }) => field === 'type')
  if (isOnlyOne && title !== '') return normalizeSummary(title) || title
  if (told === undefined || told.source === 'title') return normalizeSummary(title === '' ? text : title)
  return normalizeSummary(sentenceAround(text, told.start, told.end))
}

function sentenceAround(text: string, start: number, end: number): string {
  const before = text.slice(0, start).search(/[^.!?\n]*$/)
  const after = text.slice(end).search(/[.!?](?=\s|$)|\n/)
  return text.slice(before, after < 0 ? text.length : end + after + 1).trim()
}
