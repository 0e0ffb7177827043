import { renderIncidentList } from '../../api/incidents/incidents.ts'
import type { ArchiveView } from '../../archive/archive.ts'
import { Problem } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident.ts'
import type { Places } from '../../domain/places.ts'
import { confidenceLevel } from '../../domain/taxonomy.ts'
import { type Listing, MAP_PARAMETER_NAMES, parseListing } from '../../filter/listing.ts'
import { type AddressCorrection, filterInAddress, readMapAddress } from '../../filter/map-address.ts'
import { casualtiesText, eventAgeText, placeText } from '../../i18n/texts.ts'
import type { Steps } from '../../lib/steps.ts'
import { type Html, html } from '../html.ts'
import { type PageLanguage, pathInLanguage } from '../page-language.ts'

export interface NewestList {
  /** The body of `GET /v1/incidents`, with the placeholder of `in_step_at`. */
  readonly json: string
  readonly incidents: readonly Incident[]
  /** Without new events the list is the same until then. */
  readonly validUntil: number
}

/** Lists the first page of incidents that the listing selects. */
export function* newestSteps(view: ArchiveView, listing: Listing, now: number): Steps<NewestList> {
  const { body, validUntil } = yield* renderIncidentList(view, listing, now)
  const json = body.toString()
  const { data } = JSON.parse(json) as { data: Incident[] }
  return { json, incidents: data, validUntil }
}

export interface AddressListing {
  readonly listing: Listing
  /** The parts of the address that were read differently, or left out. */
  readonly corrections: readonly AddressCorrection[]
  /** For the scripts, as JSON texts: the address as it was read, with the names in it. */
  readonly initialData: Readonly<Record<'address' | 'corrections' | 'names', string>>
  /** The listing of a period is another one from then on. */
  readonly validUntil: number
}

/** Reads the list that the map's address selects; what cannot be read is corrected or left out. */
export function listingFor(given: URLSearchParams, places: Places, now: number): AddressListing {
  const { address, corrections: corrected, names } = readMapAddress(given, places)
  const { listing, leftOut } = parseReadable(address, (query) => parseListing(query, places, MAP_PARAMETER_NAMES), now)
  const corrections = [...corrected, ...leftOut]
  return {
    listing,
    corrections,
    initialData: {
      address: JSON.stringify(address.toString()),
      corrections: JSON.stringify(corrections),
      names: JSON.stringify(names),
    },
    validUntil: windowEnd(listing, now),
  }
}

/** The filter of the map's marks: a box in the address restricts the list, not the map. */
export function mapFilterFor(address: URLSearchParams, places: Places, now: number) {
  const whole = new URLSearchParams(address)
  whole.delete('box')
  const { listing, validUntil } = listingFor(whole, places, now)
  return { filter: listing.filter, validUntil }
}

/** A window that is over does not move. */
function windowEnd({ filter: { publishedTo } }: Listing, now: number): number {
  return publishedTo !== null && publishedTo > now ? publishedTo : Number.POSITIVE_INFINITY
}

/** Leaves out the parameters that the API refuses, so that a broken link still shows the map. */
function parseReadable(
  address: URLSearchParams,
  parse: (query: URLSearchParams) => Listing,
  now: number,
): { listing: Listing; leftOut: readonly AddressCorrection[] } {
  try {
    return { listing: parse(filterInAddress(address, now)), leftOut: [] }
  } catch (error) {
    // A list without end is no broken link: it is refused as everywhere.
    if (!(error instanceof Problem) || error.code === 'too_many_values') throw error
    const refused = new Set(error.errors.flatMap(({ parameter }) => parameter ?? []))
    const leftOut = [...refused].map((parameter) => ({
      parameter,
      given: (address.get(parameter) ?? '').slice(0, 60),
      readAs: null,
    }))
    for (const parameter of refused) address.delete(parameter)
    return { listing: parse(filterInAddress(address, now)), leftOut }
  }
}

/** Needs no script, for every browser and slow connections. */
export function plainList(incidents: readonly Incident[], now: number, language: PageLanguage): Html {
  if (incidents.length === 0) return html`<p class="empty">${language.translate('page.empty')}</p>`
  return html`<ol class="rows">${incidents.map((incident) => row(incident, now, language))}</ol>`
}

function row(incident: Incident, now: number, language: PageLanguage): Html {
  const t = language.translate
  const casualties = casualtiesText(incident.casualties, t, 'known')
  const facts = [
    t(`common.severity_${incident.severity}`).toLowerCase(),
    t(`common.confidence_${confidenceLevel(incident.confidence)}`),
    ...(casualties === '' ? [] : [casualties]),
  ]
  return html`<li><a class="row" href="${pathInLanguage(`/incidents/${incident.id}`, language)}"><span class="mark ${incident.severity}"></span><span class="row-summary">${incident.summary}</span>
<span class="row-meta">${placeText(incident)} · <time datetime="${incident.occurred_at}">${eventAgeText(incident, now, t)}</time> · ${facts.join(' · ')}</span></a></li>`
}
