import { offersAlerts } from '../../../api/alerts/ask.ts'
import type { Environment } from '../../../api/services.ts'
import { numberText } from '../../../lib/text.ts'
import { Html, html } from '../../html.ts'
import { linkPreviewTags } from '../../map/link-preview.ts'
import type { Page } from '../../page.ts'
import { type PageLanguage, pathInLanguage } from '../../page-language.ts'
import type { AreaContent } from '../content/area-content.ts'
import { type Area, areaPath } from '../places/area.ts'
import { areaBody, areaTitle, mapAddress } from './area-body.ts'
import { scriptJson, structuredData } from './structured-data.ts'
import { AREA_STYLE } from './style.ts'

/** The whole page of an area. */
export function areaPage(
  area: Area,
  content: AreaContent,
  { map, places }: Readonly<Record<'map' | 'places', Html>>,
  language: PageLanguage,
  { config, publicUrl: currentUrl }: Pick<Environment, 'config' | 'publicUrl'>,
): Page {
  const t = language.translate
  const publicUrl = currentUrl()
  const place = areaTitle(area, t)
  const name = t('common.name')
  const title = t('areas.heading', { place })
  const description = t('areas.description', { place, count: numberText(content.yearCount) })
  const path = pathInLanguage(areaPath(area), language)
  const image = `/preview.png${mapAddress(area, language, { span: '1y' }).slice(1)}`
  const data = new Html(scriptJson(structuredData(area, content, language, publicUrl)))
  return {
    title: `${title} · ${name}`,
    description,
    words: language,
    address: publicUrl + areaPath(area),
    style: AREA_STYLE,
    forSearch: true,
    head: html`<link rel="canonical" href="${publicUrl}${path}"><link rel="alternate" type="application/atom+xml" title="${title}" href="${areaPath(area)}/feed.atom">${linkPreviewTags({ path, image }, { name, title, description }, publicUrl)}<script type="application/ld+json">${data}</script>`,
    body: areaBody({ area, content, map, places, isDemo: config.DEMO, hasAlerts: offersAlerts(config) }, language),
  }
}
