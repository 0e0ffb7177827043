import { casualtiesText as casualtyTotalsText } from '../../../api/alerts/filter-text.ts'
import { confidenceLevel } from '../../../domain/confidence.ts'
import type { Incident } from '../../../domain/incident.ts'
import { SEVERITIES } from '../../../domain/taxonomy.ts'
import { casualtiesText, occurredText } from '../../../i18n/incident-text.ts'
import type { Translate } from '../../../i18n/translate.ts'
import { calendarDay, momentText } from '../../../lib/nigeria-time.ts'
import { numberText } from '../../../lib/text.ts'
import { type Html, html } from '../../html.ts'
import { type PageLanguage, pathInLanguage } from '../../page-language.ts'
import type { AreaContent } from '../content/area-content.ts'
import { type Area, areaPath, areaQuery, COUNTRY, stateArea } from '../places/area.ts'
import { periodChart, typeChart } from './charts.ts'
import { trendBlock } from './trend-block.ts'

/** Links to the map name the language where the page's address does. */
export function mapAddress(area: Area, language: PageLanguage, more: Readonly<Record<string, string>> = {}): string {
  const query = areaQuery(area)
  for (const [name, value] of Object.entries(more)) query.set(name, value)
  if (language.inAddress) query.set('lang', language.language)
  return query.size === 0 ? '/' : `/?${query}`
}

/** The name of the area alone, and with its state. */
export function areaName(area: Area, t: Translate): string {
  return area.kind === 'country' ? t('share.nigeria') : area.kind === 'state' ? area.state.name : area.lga.name
}

export function areaTitle(area: Area, t: Translate): string {
  return area.kind === 'lga' ? `${area.lga.name}, ${area.state.name}` : areaName(area, t)
}

/** The areas around this one, from the country down. */
export function areasAround(area: Area): Area[] {
  if (area.kind === 'country') return []
  return area.kind === 'state' ? [COUNTRY] : [COUNTRY, stateArea(area.state)]
}

export interface AreaBody {
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
export function areaBody(parts: AreaBody, language: PageLanguage): Html {
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
