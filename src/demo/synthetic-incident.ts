import { newIdentifier } from '../domain/identifier.ts'
import type { Incident } from '../domain/incident.ts'
import type { Places } from '../domain/places.ts'
import { severityOf } from '../domain/severity.ts'
import { categoryOf } from '../domain/taxonomy.ts'
import { draw, type Random, seededBytes, seededRandom } from '../lib/random.ts'
import { drawEvidence } from './evidence.ts'
import { type Country, countryOf } from './place/country.ts'
import { whereabouts } from './place/location.ts'
import { summaryOf } from './text/summary.ts'
import { isoTime } from './time/iso-time.ts'
import { momentBefore, momentPhrase } from './time/occurrence-time.ts'
import { publishingTimes } from './time/publishing-times.ts'
import { drawToll } from './toll.ts'

export interface SyntheticHistory {
  readonly places: Places
  readonly seed: number
  readonly count: number
  /** Milliseconds; the incidents are published from here up to, but not including, `until`. */
  readonly from: number
  readonly until: number
}

/** Made-up incidents in published order. The same arguments give the same bytes. */
export function* syntheticIncidents({ places, seed, count, from, until }: SyntheticHistory): Generator<Incident> {
  const random = seededRandom(seed)
  const ground = countryOf(places)
  for (const publishedAt of publishingTimes(count, from, until, random)) {
    yield syntheticIncident(ground, publishedAt, random)
  }
}

/** One made-up incident, confirmed and published at that time. */
export function syntheticIncident(ground: Country, publishedAt: number, random: Random): Incident {
  const published = isoTime(publishedAt)
  const region = draw(random, ground)
  const type = draw(random, region.types[Number(published.slice(5, 7)) - 1]!)
  const moment = momentBefore(publishedAt, type, random)
  const reported = isoTime(moment.reportedAt)
  const { lga, lat, lng, location, phrase, shorter, setting } = whereabouts(region, type, random)
  const toll = drawToll(type, random)
  const id = newIdentifier('incident', moment.reportedAt, seededBytes(random))
  const circumstances = {
    precision: location.precision,
    timePrecision: moment.precision,
    reported,
    reportedAt: moment.reportedAt,
    publishedAt,
  }
  const evidence = drawEvidence(id, circumstances, random)
  const telling = {
    type,
    toll,
    setting,
    where: phrase,
    shorter,
    when: momentPhrase(moment),
    official: evidence.official,
  }
  return {
    id,
    type,
    category: categoryOf(type),
    severity: severityOf(type, toll),
    state: region.state.name,
    lga,
    lat,
    lng,
    location,
    confidence: evidence.confidence,
    confidence_reasons: evidence.confidence_reasons,
    summary: summaryOf(telling, random),
    sources: evidence.sources,
    casualties: toll,
    occurred_at: isoTime(moment.occurredAt),
    time_precision: moment.precision,
    reported_at: reported,
    confirmed_at: published,
    published_at: published,
    updated_at: published,
    status: 'confirmed',
    version: 1,
  }
}
