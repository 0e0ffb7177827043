import type { IncidentType } from '../../../domain/taxonomy.ts'
import type { Translate } from '../../../i18n/translate.ts'
import { calendarDay } from '../../../lib/nigeria-time.ts'
import { numberText } from '../../../lib/text.ts'
import { type Html, html } from '../../html.ts'
import type { PeriodCount } from '../content/counts.ts'

const [WIDTH, HEIGHT] = [400, 120]
/** Below the bars: the names of some periods. */
const AXIS = 18
/** Above them: the largest number. */
const TOP = 16
const MIN_LABEL_DISTANCE = 64

export interface ChartWords {
  readonly title: string
  readonly note: string
}

/** Bars from the oldest period to the present one, which is not over and drawn lighter. */
export function periodChart(
  periods: readonly PeriodCount[],
  unit: 'month' | 'year',
  { title, note }: ChartWords,
  t: Translate,
): Html {
  const most = periods.reduce((best, one) => (one.count > best.count ? one : best))
  const step = WIDTH / periods.length
  const full = HEIGHT - AXIS - TOP
  const bars = periods.map(({ count }, index) => {
    const height = count === 0 ? 0 : Math.max(2, (count / most.count) * full)
    const [x, width] = [rounded(index * step + step * 0.1), rounded(step * 0.8)]
    const bar = html`<rect${index === periods.length - 1 ? html` class="now"` : null} x="${x}" y="${rounded(TOP + full - height)}" width="${width}" height="${rounded(height)}"><title>${periodText(periods[index]!, unit)}: ${numberText(count)}</title></rect>`
    return height === 0 ? null : bar
  })
  const label = t('areas.chart_label', { title, count: numberText(most.count), period: periodText(most, unit) })
  return html`<figure class="chart"><figcaption><h2>${title}</h2></figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}"><path d="M0 ${HEIGHT - AXIS}H${WIDTH}"/>${bars}${highest(periods, most, step)}${axis(periods, unit, step)}</svg>
<p class="quiet">${note}</p>
<details><summary>${t('areas.as_table')}</summary>${table(periods, unit, t)}</details></figure>`
}

/** The number of the highest bar, above it. */
function highest(periods: readonly PeriodCount[], most: PeriodCount, step: number): Html {
  const middle = (periods.indexOf(most) + 0.5) * step
  const anchor = middle < 24 ? 'start' : middle > WIDTH - 24 ? 'end' : 'middle'
  const x = anchor === 'start' ? 0 : anchor === 'end' ? WIDTH : rounded(middle)
  return html`<text x="${x}" y="${TOP - 4}" text-anchor="${anchor}">${numberText(most.count)}</text>`
}

/** Januaries of months, some of many years; never so many that they touch. */
function axis(periods: readonly PeriodCount[], unit: 'month' | 'year', step: number): Html[] {
  const every = unit === 'month' ? 1 : Math.ceil(MIN_LABEL_DISTANCE / step)
  const labelled = periods
    .map((period, index) => ({ ...period, index }))
    .filter(({ name, index }) => (unit === 'month' ? name.endsWith('-01') : (periods.length - 1 - index) % every === 0))
  return labelled.map(({ name, index }) => {
    const x = unit === 'month' ? index * step : (index + 0.5) * step
    const anchor = x > WIDTH - 20 ? 'end' : x < 20 && unit === 'year' ? 'start' : unit === 'month' ? 'start' : 'middle'
    const at = anchor === 'end' ? WIDTH : x < 20 ? 0 : rounded(x)
    const tick = unit === 'month' ? html`<path d="M${rounded(x)} ${HEIGHT - AXIS}v6"/>` : null
    return html`${tick}<text x="${at + (unit === 'month' && anchor === 'start' ? 3 : 0)}" y="${HEIGHT - 3}" text-anchor="${anchor}">${name.slice(0, 4)}</text>`
  })
}

function table(periods: readonly PeriodCount[], unit: 'month' | 'year', t: Translate): Html {
  const rows = periods
    .toReversed()
    .map((period) => html`<tr><td>${periodText(period, unit)}</td><td>${numberText(period.count)}</td></tr>`)
  return html`<table><thead><tr><th>${t('areas.period')}</th><th>${t('areas.incidents')}</th></tr></thead><tbody>${rows}</tbody></table>`
}

function periodText({ name, start }: PeriodCount, unit: 'month' | 'year'): string {
  if (unit === 'year') return name
  const { shortMonth, year } = calendarDay(start)
  return `${shortMonth} ${year}`
}

export interface TypeCount {
  readonly type: IncidentType
  readonly count: number
  readonly href: string
}

/** One line for each type, with its number and a bar. */
export function typeChart(types: readonly TypeCount[], { title, note }: ChartWords, t: Translate): Html {
  const most = Math.max(...types.map(({ count }) => count))
  const lines = types.map(
    ({ type, count, href }) =>
      html`<li><a href="${href}"><span>${t(`common.type_${type}`)}</span><b>${numberText(count)}</b><svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true"><rect width="${rounded(Math.max(1, (count / most) * 100))}" height="6"/></svg></a></li>`,
  )
  return html`<figure class="chart"><figcaption><h2>${title}</h2></figcaption><ul class="types">${lines}</ul><p class="quiet">${note}</p></figure>`
}

function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10
}
