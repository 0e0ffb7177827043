import { type Html, html } from '../../html.ts'
import type { Page } from '../../page.ts'
import { type PageLanguage, pathInLanguage } from '../../page-language.ts'
import { type Area, areaPath, COUNTRY } from '../places/area.ts'
import type { FoundArea } from '../places/find-area.ts'
import { areaTitle } from './area-body.ts'
import { AREA_STYLE } from './style.ts'

/** Says that there is no such area, and which ones may be meant. */
export function unknownAreaPage(
  { within, suggestions }: Pick<Extract<FoundArea, { kind: 'unknown' }>, 'within' | 'suggestions'>,
  language: PageLanguage,
): Page {
  const t = language.translate
  const sentence =
    within.kind === 'country' ? t('areas.unknown') : t('areas.unknown_in', { place: areaTitle(within, t) })
  const link = (area: Area, text: string): Html =>
    html`<li><a href="${pathInLanguage(areaPath(area), language)}">${text}</a></li>`
  const meant = suggestions.map((area) => link(area, areaTitle(area, t)))
  const elsewhere = [
    ...(within.kind === 'country' ? [] : [link(within, t('areas.more_about', { place: areaTitle(within, t) }))]),
    link(COUNTRY, t('areas.all_areas')),
  ]
  return {
    title: t('areas.unknown_title'),
    description: sentence,
    words: language,
    style: AREA_STYLE,
    head: html`<meta name="robots" content="noindex">`,
    body: html`<h1>${t('areas.unknown_title')}</h1><p>${sentence}</p>${meant.length === 0 ? null : html`<h2>${t('areas.did_you_mean')}</h2><ul class="links">${meant}</ul>`}<ul class="links">${elsewhere}</ul>`,
  }
}
