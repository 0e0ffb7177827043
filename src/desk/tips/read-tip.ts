import type { FieldError } from '../../domain/errors.ts'
import { EMPTY_MODERATION_RECORD } from '../../domain/moderation.ts'
import { singleLine } from '../../domain/summary.ts'
import { type IncidentType, TYPE_NAMES } from '../../domain/taxonomy.ts'
import { MIN_TIP_LENGTH, withoutContacts } from '../../domain/tips.ts'
import type { Geography } from '../../geo/geography.ts'
import { extract } from '../../reading/extract.ts'
import type { Store } from '../../store/store.ts'
import { buildIncident } from '../reports/build-incident.ts'
import { readReport } from '../reports/read-report.ts'
import { loadReliability, type ReceivedReport, reportedNow } from '../reports/receive-reports.ts'
import { placeTip, type TipPlace } from './place-tip.ts'

/** What somebody sends, by the page or by the API. */
export interface TipContent extends TipPlace {
  readonly text: string
  /** Null: read from the text. */
  readonly type: IncidentType | null
  /** An RFC 3339 time or a date. */
  readonly occurred_at: string
  readonly contact: string | null
}

/** Makes a report of a tip, or says what is missing or could mean several things. */
export async function readTip(
  tip: TipContent,
  store: Pick<Store, 'publishers'>,
  geography: Geography,
  now: number,
): Promise<ReceivedReport> {
  const errors: FieldError[] = []
  if (singleLine(tip.text).length < MIN_TIP_LENGTH)
    errors.push({ pointer: '/text', message: `must have at least ${MIN_TIP_LENGTH} characters` })
  const candidates = extract({ text: tip.text })
  const type = tip.type ?? candidates[0]?.type ?? null
  if (type === null)
    errors.push({ pointer: '/type', message: 'is not clear from the text: choose one', allowed: TYPE_NAMES })
  const { report, text } = readReport(
    {
      type: type ?? TYPE_NAMES[0]!,
      occurred_at: tip.occurred_at,
      // People say when by the clock, and know it to the hour.
      ...(tip.occurred_at.includes('T') ? { time_precision: 'hour' } : {}),
      summary: withoutContacts(tip.text),
      text: tip.text,
      // Of several incidents in one text, nobody knows whose figures are meant.
      ...(candidates.length === 1 ? { casualties: candidates[0]!.casualties } : {}),
    },
    now,
    errors,
  )
  const placed = placeTip(tip, report.type, geography)
  if ('errors' in placed) errors.push(...placed.errors)
  if ('errors' in placed || errors.length > 0) return { errors: atText(errors) }
  const moderation = { ...EMPTY_MODERATION_RECORD, text, origin: 'tip' as const }
  const reliability = await loadReliability(store)
  const incident = buildIncident(report, placed.placement, reportedNow(now), moderation, null, reliability)
  return { record: { incident, moderation, claim: null } }
}

/** The summary is made from the text: a fault of it is one of the text. */
function atText(errors: readonly FieldError[]): FieldError[] {
  const moved = errors.map((error) => (error.pointer === '/summary' ? { ...error, pointer: '/text' } : error))
  return moved.filter(({ pointer }, index) => moved.findIndex((other) => other.pointer === pointer) === index)
}
