import { newIdentifier } from '../domain/identifier.ts'
import { type Casualties, type Incident, severityOf } from '../domain/incident.ts'
import type { Places } from '../domain/places.ts'
import { categoryOf, type IncidentType } from '../domain/taxonomy.ts'
import { pickWeighted, type Random, randomExponential, seededBytes, seededRandom } from '../lib/random.ts'
import { drawEvidence } from './evidence.ts'
import { type Country, countryOf } from './place/country.ts'
import { drawLocation } from './place/location.ts'
import { type Figure, TRAITS } from './tables/types.ts'
import { summaryOf } from './text/summary.ts'
import { isoTime } from './time/iso-time.ts'
import { drawOccurrenceTime, timePhrase } from './time/occurrence-time.ts'
import { publishingTimes } from './time/publishing-times.ts'

export interface SyntheticHistory {
  readonly places: Places
  readonly seed: number
  readonly count: number
  /** Incidents are published from here up to, but not including, `until`; both in milliseconds. */
  readonly from: number
  readonly until: number
}

/** Generates in order of publication. The same arguments give the same bytes. */
export function* syntheticIncidents({ places, seed, count, from, until }: SyntheticHistory): Generator<Incident> {
  const random = seededRandom(seed)
  const ground = countryOf(places)
  for (const publishedAt of publishingTimes(count, from, until, random)) {
    yield syntheticIncident(ground, publishedAt, random)
  }
}

/** Generates one synthetic incident, confirmed and published at that time. */
export function syntheticIncident(ground: Country, publishedAt: number, random: Random): Incident {
  const published = isoTime(publishedAt)
  const state = pickWeighted(random, ground)
  const type = pickWeighted(random, state.types[Number(published.slice(5, 7)) - 1]!)
  const times = drawOccurrenceTime(publishedAt, type, random)
  const reported = isoTime(times.reportedAt)
  const { lga, lat, lng, location, phrase, shorter, setting } = drawLocation(state, type, random)
  const casualties = drawCasualties(type, random)
  const id = newIdentifier('incident', times.reportedAt, seededBytes(random))
  const circumstances = {
    precision: location.precision,
    timePrecision: times.precision,
    reported,
    reportedAt: times.reportedAt,
    publishedAt,
  }
  const evidence = drawEvidence(id, circumstances, random)
  const summaryInput = {
    type,
    casualties,
    setting,
    where: phrase,
    shorter,
    when: timePhrase(times),
    official: evidence.official,
  }
  return {
    id,
    type,
    category: categoryOf(type),
    severity: severityOf(type, casualties),
    state: state.state.name,
    lga,
    lat,
    lng,
    location,
    confidence: evidence.confidence,
    confidence_reasons: evidence.confidence_reasons,
    summary: summaryOf(summaryInput, random),
    sources: evidence.sources,
    casualties,
    occurred_at: isoTime(times.occurredAt),
    time_precision: times.precision,
    reported_at: reported,
    confirmed_at: published,
    published_at: published,
    updated_at: published,
    status: 'confirmed',
    version: 1,
  }
}

function drawCasualties(type: IncidentType, random: Random): Casualties {
  const { killed, injured, abducted } = TRAITS[type].figures
  return {
    killed: drawFigure(killed, random),
    injured: drawFigure(injured, random),
    abducted: drawFigure(abducted, random),
  }
}

function drawFigure(figure: Figure | undefined, random: Random): number | null {
  if (!figure || random() >= figure.known) return null
  if (random() >= figure.some) return 0
  return Math.min(figure.most, figure.least + Math.floor(randomExponential(random, figure.more)))
}
