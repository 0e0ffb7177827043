import { MAP_TIME_ZONE } from '../../../src/filter/map-periods.ts'
import type { MonthTrend } from '../../../src/i18n/texts.ts'
import type { View } from '../view/view.ts'

/** A month of the answer of `/v1/trends`. */
interface AnsweredMonth {
  readonly from: string
  readonly observed: number
  readonly usual: MonthTrend['usual']
  readonly verdict: 'higher' | 'not_higher' | null
  readonly incomplete: boolean
}

export interface TrendsAnswer {
  readonly data: readonly { readonly periods: readonly AnsweredMonth[] }[]
}

export interface AreaTrend extends MonthTrend {
  readonly isHigher: boolean
}

/** The code of the one state or LGA that is chosen; null if it is none, or several. */
export function chosenArea({ states, lgas }: Pick<View, 'states' | 'lgas'>): string | null {
  if (lgas.length > 0) return lgas.length === 1 ? lgas[0]! : null
  return states.length === 1 ? states[0]! : null
}

const AREA_CODE = /^NG-[A-Z]{2}(-|$)/
/** `NG-KD`. */
export const STATE_CODE_LENGTH = 5

/**
 * Asks for the chosen area's last month and this one, of the chosen types and severities, as they
 * are among all areas of its kind. Null without an area, and beside a shape, which has no usual
 * count.
 */
export function trendQuery(view: View): URLSearchParams | null {
  const area = chosenArea(view)
  // An address may have names that the server did not understand.
  if (area === null || !AREA_CODE.test(area) || view.near !== null || view.road !== null || view.polygon !== null)
    return null
  const query = new URLSearchParams({
    group_by: area.length === STATE_CODE_LENGTH ? 'state' : 'lga',
    only: area,
    period: 'month',
    time_zone: MAP_TIME_ZONE,
  })
  if (view.types.length > 0) query.set('type', view.types.join(','))
  if (view.severities.length > 0) query.set('severity', view.severities.join(','))
  if (view.minConfidence !== null) query.set('min_confidence', view.minConfidence)
  return query
}

/** The month that has a verdict: this one if it is higher than usual already, else the last. */
export function trendIn({ data }: TrendsAnswer): AreaTrend | null {
  const [last, running] = data[0]?.periods ?? []
  if (running?.verdict === 'higher') return areaTrend(running, false)
  return last === undefined || last.verdict === null ? null : areaTrend(last, true)
}

function areaTrend({ from, observed, usual, verdict, incomplete }: AnsweredMonth, isOver: boolean): AreaTrend {
  return { start: Date.parse(from), observed, usual, isOver, isComplete: !incomplete, isHigher: verdict === 'higher' }
}
