import { type PageLanguage, pathInLanguage } from '../../page-language.ts'
import type { AreaContent } from '../content/area-content.ts'
import { type Area, areaCode, areaPath } from '../places/area.ts'
import { areaName, areasAround, areaTitle } from './area-body.ts'

/** Describes the page to search engines, in the words of schema.org (JSON-LD). */
export function structuredData(area: Area, content: AreaContent, language: PageLanguage, publicUrl: string): object {
  const t = language.translate
  const addressOf = (one: Area) => publicUrl + pathInLanguage(areaPath(one), language)
  const trail = [...areasAround(area), area]
  const modified = content.newest.map(({ updated_at }) => updated_at).sort()
  return {
    '@context': 'https://schema.org',
    '@type': 'CollectionPage',
    '@id': addressOf(area),
    url: addressOf(area),
    name: t('areas.heading', { place: areaTitle(area, t) }),
    inLanguage: language.language,
    ...(modified.length > 0 ? { dateModified: modified.at(-1) } : {}),
    isPartOf: { '@type': 'WebSite', name: t('common.name'), url: `${publicUrl}/` },
    about: placeOf(area, t('share.nigeria')),
    breadcrumb: {
      '@type': 'BreadcrumbList',
      itemListElement: trail.map((one, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: areaName(one, t),
        item: addressOf(one),
      })),
    },
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: content.newest.length,
      itemListElement: content.newest.map(({ id, summary }, index) => ({
        '@type': 'ListItem',
        position: index + 1,
        name: summary,
        url: publicUrl + pathInLanguage(`/incidents/${id}`, language),
      })),
    },
  }
}

function placeOf(area: Area, country: string): object {
  if (area.kind === 'country') return { '@type': 'Country', name: country, identifier: areaCode(area) }
  const state = {
    '@type': 'State',
    name: area.state.name,
    identifier: area.state.code,
    containedInPlace: { '@type': 'Country', name: country },
  }
  if (area.kind === 'state') return state
  const { name, code, lat, lng } = area.lga
  const geo = { '@type': 'GeoCoordinates', latitude: lat, longitude: lng }
  return { '@type': 'AdministrativeArea', name, identifier: code, geo, containedInPlace: state }
}

/** As the content of a `<script>`, which a text with `</script>` must not end. */
export function scriptJson(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}
