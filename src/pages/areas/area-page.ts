import { offersAlerts } from '../../api/alerts/ask.ts'
import { casualtiesText as casualtyTotalsText } from '../../api/alerts/subscription-text.ts'
import type { Environment } from '../../api/services.ts'
import type { Incident } from '../../domain/incident.ts'
import type { Lga, Places, State } from '../../domain/places.ts'
import { confidenceLevel, type IncidentType, SEVERITIES } from '../../domain/taxonomy.ts'
import { casualtiesText, occurredText, trendText } from '../../i18n/texts.ts'
import type { Translate } from '../../i18n/translate.ts'
import { calendarDay, momentText } from '../../lib/nigeria-time.ts'
import { numberText } from '../../lib/text.ts'
import type { TrendGroup, TrendPeriod } from '../../trends/find-trends.ts'
import { Html, html } from '../html.ts'
import { linkPreviewTags } from '../map/document.ts'
import type { Page } from '../page.ts'
import { type PageLanguage, pathInLanguage } from '../page-language.ts'
import {
  type Area,
  areaCode,
  areaPath,
  areaQuery,
  COUNTRY,
  type FoundArea,
  lgaArea,
  type Neighbours,
  stateArea,
} from './area.ts'
import { type AreaContent, type PeriodCount, partsOf } from './area-content.ts'

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

/** Links to the map name the language where the page's address does. */
function mapAddress(area: Area, language: PageLanguage, more: Readonly<Record<string, string>> = {}): string {
  const query = areaQuery(area)
  for (const [name, value] of Object.entries(more)) query.set(name, value)
  if (language.inAddress) query.set('lang', language.language)
  return query.size === 0 ? '/' : `/?${query}`
}

/** The name of the area alone, and with its state. */
function areaName(area: Area, t: Translate): string {
  return area.kind === 'country' ? t('share.nigeria') : area.kind === 'state' ? area.state.name : area.lga.name
}

export function areaTitle(area: Area, t: Translate): string {
  return area.kind === 'lga' ? `${area.lga.name}, ${area.state.name}` : areaName(area, t)
}

/** The areas around this one, from the country down. */
function areasAround(area: Area): Area[] {
  if (area.kind === 'country') return []
  return area.kind === 'state' ? [COUNTRY] : [COUNTRY, stateArea(area.state)]
}

interface AreaBody {
  readonly area: Area
  readonly content: AreaContent
  readonly map: Html
  /** The lists of areas in this one and beside it. */
  readonly places: Html
  readonly isDemo: boolean
  readonly hasAlerts: boolean
}

/**
 * Writes the page: the figures, the map, how they compare with the usual, what happened, and the
 * ways to follow it.
 */
function areaBody(parts: AreaBody, language: PageLanguage): Html {
  const { area, content, map, places, isDemo, hasAlerts } = parts
  const t = language.translate
  return html`<article class="area"><div class="area-head">${trail(area, language)}<h1>${t('areas.heading', { place: areaTitle(area, t) })}</h1>
${isDemo ? html`<p><strong>${t('about.demo')}</strong></p>` : null}${figures(content, t)}</div>
<div class="area-map">${map}<p><a href="${mapAddress(area, language, { span: content.span === 'year' ? '1y' : 'all' })}">${t('areas.on_map')}</a></p></div>
${content.oldest === null ? null : trendBlock(content.trend, language)}
<section class="area-list"><h2>${t('areas.lately')}</h2>${lately(area, content, language)}</section>
<div class="area-charts">${charts(area, content, language)}</div>
<div class="area-rest">${places}${follow(area, hasAlerts, language)}
<h2>${t('about.complete')}</h2><p>${t('about.complete_missing')} ${t('about.complete_compare')} ${t('about.complete_late')}</p>
${content.credits.length === 0 ? null : html`<p class="quiet credits">${t('areas.data', { names: content.credits.join(' · ') })}</p>`}
<p class="quiet">${t('share.as_of', { time: momentText(content.now) })}</p></div></article>`
}

function trail(area: Area, language: PageLanguage): Html | null {
  const around = areasAround(area)
  if (around.length === 0) return null
  const t = language.translate
  const links = around.map(
    (one) => html`<a href="${pathInLanguage(areaPath(one), language)}">${areaName(one, t)}</a> › `,
  )
  return html`<nav class="trail" aria-label="${t('areas.path')}">${links}${areaName(area, t)}</nav>`
}

function figures({ month, yearCount, totalCount, oldest, now }: AreaContent, t: Translate): Html | null {
  if (oldest === null) return null
  const year = calendarDay(oldest).year
  const isOld = year < calendarDay(now).year
  const casualties = casualtyTotalsText(month.total, t)
  const severities = SEVERITIES.toReversed().filter((severity) => month.bySeverity[severity] > 0)
  const figure = (count: number, label: string) => html`<li><b>${numberText(count)}</b>${label}</li>`
  return html`<ul class="figures">${figure(month.total.count, t('areas.last_30_days'))}${figure(yearCount, t('areas.last_12_months'))}${isOld ? figure(totalCount, t('areas.since_year', { year })) : null}</ul>
${severities.length === 0 ? null : html`<ul class="severities" aria-label="${t('areas.last_30_days')}">${severities.map((severity) => html`<li class="with-mark"><span class="mark ${severity}"></span>${t(`common.severity_${severity}`)} ${numberText(month.bySeverity[severity])}</li>`)}</ul>`}
${casualties === '' ? null : html`<p>${t('areas.casualties_30_days', { casualties })} <span class="quiet">${t('share.casualties_least')}</span></p>`}`
}

function lately(area: Area, { newest, month }: AreaContent, language: PageLanguage): Html {
  const t = language.translate
  if (newest.length === 0) return html`<p>${t('areas.nothing')}</p>`
  const { count } = month.total
  const more =
    count > newest.length
      ? html`<p><a href="${mapAddress(area, language)}">${t('areas.all_on_map', { count: numberText(count) })}</a></p>`
      : null
  return html`${count === 0 ? html`<p>${t('areas.older')}</p>` : null}<ol class="rows">${newest.map((incident) => row(incident, area, language))}</ol>${more}`
}

/** With its date, not its age: the page stays the same for hours. */
function row(incident: Incident, area: Area, language: PageLanguage): Html {
  const t = language.translate
  const { location, lga, state, severity } = incident
  const place = [location.place, area.kind === 'lga' ? null : lga, area.kind === 'country' ? state : null]
  const casualties = casualtiesText(incident.casualties, t, 'known')
  const facts = [
    t(`common.type_${incident.type}`),
    t('common.severity_label', { severity: t(`common.severity_${severity}`) }),
    ...(casualties === '' ? [] : [casualties]),
    t(`common.confidence_${confidenceLevel(incident.confidence)}`),
  ]
  const where = [...new Set(place.filter((name) => name !== null))].join(', ')
  return html`<li><a class="row" href="${pathInLanguage(`/incidents/${incident.id}`, language)}"><span class="mark ${severity}"></span><span class="row-summary">${incident.summary}</span>
<span class="row-meta"><time datetime="${incident.occurred_at}">${occurredText(incident, t)}</time>${where === '' ? '' : ` · ${where}`} · ${facts.join(' · ')}</span></a></li>`
}

function charts(area: Area, { months, years, types, span, oldest }: AreaContent, language: PageLanguage): Html | null {
  if (oldest === null) return null
  const t = language.translate
  const own = years.slice(years.findIndex(({ count }) => count > 0))
  const byMonth = months.some(({ count }) => count > 0)
  const typeCounts = types.map(({ type, count }) => ({
    type,
    count,
    href: mapAddress(area, language, { type, span: span === 'year' ? '1y' : 'all' }),
  }))
  return html`${byMonth ? periodChart(months, 'month', { title: t('areas.by_month'), note: t('areas.by_month_note') }, t) : null}
${own.length > 2 ? periodChart(own, 'year', { title: t('areas.by_year'), note: t('areas.by_year_note') }, t) : null}
${typeChart(typeCounts, { title: t('areas.by_type'), note: capitalised(t(`areas.span_${span}`)) }, t)}`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function follow(area: Area, hasAlerts: boolean, language: PageLanguage): Html {
  const t = language.translate
  const paper = `/briefing${mapAddress(area, language).slice(1)}`
  return html`<h2>${t('areas.follow')}</h2><ul class="links">${hasAlerts && area.kind !== 'country' ? html`<li><a href="/alerts${mapAddress(area, language).slice(1)}">${t('page.alerts')}</a></li>` : null}<li><a href="${areaPath(area)}/feed.atom" type="application/atom+xml">${t('areas.feed')}</a></li><li><a href="${paper}">${t('areas.paper')}</a></li></ul>`
}

/** Links to the areas in this one and beside it, with their counts. */
export function placeLists(
  area: Area,
  { counts, withoutLga }: AreaContent,
  places: Places,
  neighbours: Neighbours,
  language: PageLanguage,
): Html {
  const t = language.translate
  const list = (title: string, all: readonly (State | Lga)[], note: Html | null = null) =>
    html`<section><h2>${title}</h2><p class="quiet">${t('areas.counts_note')}${note}</p><ul class="places">${all.map((place) => line(place, area, counts, language))}</ul></section>`
  if (area.kind === 'country') return list(t('areas.states'), partsOf(area, places))
  if (area.kind === 'lga') {
    const nearby = neighbours.ofLga(area.lga.code).map(({ lga }) => lga)
    return list(t('areas.nearby'), nearby)
  }
  const unknown = withoutLga > 0 ? html` ${t('areas.without_lga', { count: numberText(withoutLga) })}` : null
  return html`${list(t('areas.lgas'), partsOf(area, places), unknown)}${list(t('areas.neighbours'), neighbours.ofState(area.state.code))}`
}

function line(place: State | Lga, area: Area, counts: AreaContent['counts'], language: PageLanguage): Html {
  const isLga = 'state' in place
  const path = areaPath(isLga ? lgaArea(place) : stateArea(place))
  const name =
    isLga && area.kind !== 'country' && place.state !== area.state ? `${place.name}, ${place.state.name}` : place.name
  return html`<li><a href="${pathInLanguage(path, language)}"><span>${name}</span><b>${numberText(counts.get(place.code) ?? 0)}</b></a></li>`
}

const GUIDE = '/docs/guides/trends'
/** Of the picture, in its own units; it is as wide as the text. */
const [BAND_WIDTH, BAND_HEIGHT] = [400, 16]

/** Compares the last whole month and the running one with what would be usual. */
function trendBlock(trend: TrendGroup | null, { translate: t }: PageLanguage): Html {
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
  const at = (count: number) => Math.round((count / scale) * (BAND_WIDTH - 4) * 10) / 10
  const from = at(usual.from)
  return html`<svg viewBox="0 0 ${BAND_WIDTH} ${BAND_HEIGHT}" preserveAspectRatio="none" aria-hidden="true"><rect class="scale" y="6" width="${BAND_WIDTH}" height="4"/><rect class="usual" x="${from}" y="3" width="${Math.max(4, at(usual.to) - from + 4)}" height="10"/><rect class="${verdict === 'higher' ? 'seen higher' : 'seen'}" x="${at(observed)}" width="4" height="${BAND_HEIGHT}"/></svg>`
}

const [WIDTH, HEIGHT] = [400, 120]
/** Below the bars: the names of some periods. */
const AXIS = 18
/** Above them: the largest number. */
const TOP = 16
const MIN_LABEL_DISTANCE = 64

interface ChartWords {
  readonly title: string
  readonly note: string
}

/** Bars from the oldest period to the present one, which is not over and drawn lighter. */
function periodChart(
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

interface TypeCount {
  readonly type: IncidentType
  readonly count: number
  readonly href: string
}

/** One line for each type, with its number and a bar. */
function typeChart(types: readonly TypeCount[], { title, note }: ChartWords, t: Translate): Html {
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

/** Describes the page to search engines, in the words of schema.org (JSON-LD). */
function structuredData(area: Area, content: AreaContent, language: PageLanguage, publicUrl: string): object {
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
function scriptJson(data: object): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c')
}

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

const AREA_STYLE = `
.area{display:grid;grid-template-columns:minmax(0,1fr);gap:0 40px}
.area h2{margin:32px 0 8px}
.trail{font-size:13px;margin:0 0 8px}
.trail a{display:inline-block;padding:4px 0}
.figures{display:flex;flex-wrap:wrap;gap:8px 32px;margin:8px 0 12px;padding:0;list-style:none}
.figures b{display:block;font-size:28px;line-height:1.2;font-weight:600}
.figures li{color:var(--quiet);font-size:13px}
.figures b{color:var(--ink)}
.severities{display:flex;flex-wrap:wrap;gap:4px 20px;margin:0 0 12px;padding:0 0 0 4px;list-style:none;font-size:13px}
.severities .mark{width:10px;height:10px}
.area-trend ul{list-style:none;margin:0;padding:0;max-width:480px}
.area-trend li{padding:4px 0}
.area-trend svg{display:block;width:100%;height:16px;margin:6px 0 4px}
.area-trend .scale{fill:var(--line)}
.area-trend .usual{fill:var(--border)}
.area-trend .seen{fill:var(--ink)}
.area-trend rect.higher{fill:var(--critical)}
.area-trend strong.higher{white-space:nowrap}
.area-trend .quiet{margin:4px 0 0}
.area-trend .quiet a{display:inline-block;padding:4px 0}
.area-map svg{display:block;width:100%;height:auto;border:1px solid var(--line);border-radius:8px}
.area-map p{margin:8px 0 0}
.area .rows{margin:8px 0 12px}
.area .row{padding:12px 16px 12px 12px}
.chart{margin:0}
.chart>svg{display:block;width:100%;max-width:480px;height:auto;overflow:visible}
.chart rect{fill:var(--accent)}
.chart rect.now{opacity:.5}
.chart path{stroke:var(--border);fill:none}
.chart text{fill:var(--quiet);font:12px system-ui,sans-serif}
.chart p{margin:4px 0 0}
.chart details{max-width:480px;font-size:13px}
.chart summary{padding:8px 0}
.types{list-style:none;margin:0;padding:0;max-width:480px}
.types a{display:grid;grid-template-columns:1fr auto;gap:2px 12px;padding:8px 0;color:inherit;text-decoration:none}
.types a:hover span,.places a:hover span{text-decoration:underline}
.types svg{grid-column:1/3;display:block;width:100%;height:6px;background:var(--outside);border-radius:3px}
.places{list-style:none;margin:8px 0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,220px),1fr));gap:0 24px}
.places a{display:flex;justify-content:space-between;gap:12px;min-height:44px;align-items:center;border-bottom:1px solid var(--line);color:inherit;text-decoration:none}
.places span{color:var(--accent)}
.links{list-style:none;margin:0;padding:0}
.links a{display:inline-block;padding:10px 0}
.credits{overflow-wrap:anywhere}
@media(min-width:900px){.area{grid-template-columns:minmax(0,1fr) 400px;grid-template-rows:auto auto auto 1fr;grid-template-areas:"head map" "list map" "list trend" "list charts" "rest rest"}
.area-head{grid-area:head}.area-map{grid-area:map}.area-trend{grid-area:trend}.area-list{grid-area:list}.area-charts{grid-area:charts}.area-rest{grid-area:rest}
.area-charts{margin-top:0}.area-list>h2:first-child{margin-top:16px}}
@media print{.area-map svg,.chart svg{break-inside:avoid;print-color-adjust:exact}.links{display:none}}
`
