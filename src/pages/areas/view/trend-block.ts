import { trendText } from '../../../i18n/trend-text.ts'
import type { TrendGroup, TrendPeriod } from '../../../trends/find-trends.ts'
import { type Html, html } from '../../html.ts'
import type { PageLanguage } from '../../page-language.ts'

const GUIDE = '/docs/guides/trends'
/** Of the picture, in its own units; it is as wide as the text. */
const [WIDTH, HEIGHT] = [400, 16]

/** Compares the last whole month and the running one with what would be usual. */
export function trendBlock(trend: TrendGroup | null, { translate: t }: PageLanguage): Html {
  const periods = trend?.periods ?? []
  const scale = Math.max(1, ...periods.map(({ observed, upperBound }) => Math.max(observed, upperBound ?? 0)))
  const lines = periods.map((period) => {
    const mark = period.verdict === 'higher' ? html` <strong class="higher">${t('areas.trend_higher')}</strong>` : null
    return html`<li>${trendText(period, t)}${mark}${picture(period, scale)}</li>`
  })
  const isThin = !trend?.enoughHistory
  const years = Math.max(0, ...periods.map((period) => period.years))
  const note = isThin ? t('areas.trend_thin') : t('areas.trend_note', { years })
  return html`<section class="area-trend"><h2>${t('areas.trend_title')}</h2>${lines.length === 0 ? null : html`<ul>${lines}</ul>`}
<p class="quiet">${note} <a href="${GUIDE}">${t('areas.trend_how')}</a></p></section>`
}

/**
 * The usual counts as a band, and the observed one as a line in front of it. The sentence says the
 * same.
 */
function picture({ usual, observed, verdict }: TrendPeriod, scale: number): Html | null {
  if (usual === null) return null
  const at = (count: number) => Math.round((count / scale) * (WIDTH - 4) * 10) / 10
  const from = at(usual.from)
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><rect class="scale" y="6" width="${WIDTH}" height="4"/><rect class="usual" x="${from}" y="3" width="${Math.max(4, at(usual.to) - from + 4)}" height="10"/><rect class="${verdict === 'higher' ? 'seen higher' : 'seen'}" x="${at(observed)}" width="4" height="${HEIGHT}"/></svg>`
}
