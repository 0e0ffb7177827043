import type { FieldError } from '../../domain/errors.ts'
import type { Casualties, ReportedCasualties, TimePrecision } from '../../domain/incident.ts'
import { isWebUrl, plausibleTimes, type Report, type ReportBody, timeFault } from '../../domain/report.ts'
import { normalizeSummary, singleLine } from '../../domain/summary.ts'
import { parseTime, timeText } from '../../lib/time.ts'

const NOTHING_KNOWN: Casualties = { killed: null, injured: null, abducted: null }

/** The body fits the schema; wrong content is added to `errors`. */
export function readReport(body: ReportBody, now: number, errors: FieldError[]) {
  const moment = readMoment(body.occurred_at, now, errors)
  const report: Report = {
    type: body.type,
    severity: body.severity ?? null,
    occurred_at: moment.occurredAt,
    time_precision: body.time_precision ?? moment.precision,
    ...readPlace(body),
    summary: readSummary(body, errors),
    sources: readSources(body.sources ?? [], now, errors),
    casualties: { ...NOTHING_KNOWN, ...body.casualties },
    ...readReportedCasualties(body.casualties_reported ?? [], errors),
    ...readEnd(body.occurred_until, moment.occurredAt, now, errors),
  }
  return { report, text: body.text ?? null }
}

export function readPlace(body: Partial<ReportBody>) {
  return {
    lat: body.lat ?? null,
    lng: body.lng ?? null,
    state: line(body.state),
    lga: line(body.lga),
    place: line(body.place),
    precision: body.precision ?? null,
  }
}

/** A date has the precision `day`, a time `exact`. `occurredAt` is empty if the text is wrong. */
export function readMoment(text: string, now: number, errors: FieldError[]) {
  const moment = readTime('/occurred_at', text, now, errors)
  const precision: TimePrecision = text.length > 'YYYY-MM-DD'.length ? 'exact' : 'day'
  return { occurredAt: moment === null ? '' : new Date(moment).toISOString(), precision }
}

/** The end of an event that lasted; nothing if there is none. */
export function readEnd(
  text: string | null | undefined,
  occurredAt: string,
  now: number,
  errors: FieldError[],
): { occurred_until?: string } {
  if (text === null || text === undefined) return {}
  const pointer = '/occurred_until'
  const end = readTime(pointer, text, now, errors)
  if (end === null) return {}
  if (!(end < Date.parse(occurredAt))) return { occurred_until: timeText(end) }
  errors.push({ pointer, message: 'must not lie before occurred_at' })
  return {}
}

function readTime(pointer: string, text: string, now: number, errors: FieldError[]): number | null {
  const time = parseTime(text)
  const fault = time === null ? null : timeFault(time, now)
  if (time !== null && fault === null) return time
  const message =
    time === null
      ? 'must be an RFC 3339 time or a date, as 2026-05-01T12:00:00Z'
      : `${text} ${fault}; ${plausibleTimes(now)}`
  errors.push({ pointer, message })
  return null
}

/** The figures of each source; nothing for an empty list. */
export function readReportedCasualties(
  list: NonNullable<ReportBody['casualties_reported']>,
  errors: FieldError[],
): { casualties_reported?: ReportedCasualties[] } {
  const sources = new Set<string>()
  const figures = list.map(({ source, ...casualties }, index) => {
    const name = line(source) ?? ''
    const pointer = `/casualties_reported/${index}/source`
    if (name === '') errors.push({ pointer, message: 'has no letter' })
    else if (sources.has(name)) errors.push({ pointer, message: 'is named twice; give one entry for each source' })
    sources.add(name)
    return { source: name, ...NOTHING_KNOWN, ...casualties }
  })
  return figures.length === 0 ? {} : { casualties_reported: figures }
}

export function readSummary(body: Pick<ReportBody, 'summary' | 'text'>, errors: FieldError[]): string {
  const summary = normalizeSummary(body.summary ?? body.text ?? '')
  if (summary === '') {
    const given = (body.summary ?? body.text ?? '') !== ''
    const message = given ? 'has no letter and no digit' : 'is missing: give a summary or a text'
    errors.push({ pointer: '/summary', message })
  }
  return summary
}

const WANTED_ADDRESS =
  'must be an http or https address without a user name and a password, as https://example.org/story'

export function readSources(sources: NonNullable<ReportBody['sources']>, now: number, errors: FieldError[]) {
  return sources.map(({ url = null, publisher = null, published_at = null, official = false }, index) => {
    const at = `/sources/${index}`
    const isAddress = url !== null && isWebUrl(url)
    if (url !== null && !isAddress) errors.push({ pointer: `${at}/url`, message: WANTED_ADDRESS })
    const name = line(publisher) ?? (isAddress ? new URL(url).hostname.replace(/^www\./, '') : null)
    if (url === null && name === null) errors.push({ pointer: at, message: 'needs a url or a publisher' })
    const publishedAt = published_at === null ? null : parseTime(published_at)
    if (published_at !== null && (publishedAt === null || timeFault(publishedAt, now) !== null))
      errors.push({
        pointer: `${at}/published_at`,
        message: `must be an RFC 3339 time or a date; ${plausibleTimes(now)}`,
      })
    return {
      url,
      publisher: name ?? '',
      published_at: publishedAt === null ? null : new Date(publishedAt).toISOString(),
      official,
    }
  })
}

function line(text: string | null | undefined): string | null {
  return singleLine(text ?? '') || null
}
