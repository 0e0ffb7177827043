import { confidenceOf, type Reliability } from '../domain/confidence.ts'
import { newIdentifier } from '../domain/identifier.ts'
import { type Casualties, type Incident, type Source, severityOf } from '../domain/incident.ts'
import type { Places } from '../domain/places.ts'
import { categoryOf, type IncidentType } from '../domain/taxonomy.ts'
import {
  pickWeighted,
  type Random,
  randomExponential,
  seededBytes,
  seededRandom,
  weightedChoice,
} from '../lib/random.ts'
import { type Country, countryOf, drawLocation } from './country.ts'
import { type Figure, SOURCE_COUNTS, TRAITS } from './mixes.ts'
import { PUBLISHERS, type Publisher } from './phrases.ts'
import { summaryOf } from './summary.ts'
import { drawOccurrenceTime, isoTime, publishingTimes, timePhrase } from './times.ts'

export interface SyntheticHistory {
  readonly places: Places
  readonly seed: number
  readonly count: number
  /** Incidents are published from here up to, but not including, `until`; both in milliseconds. */
  readonly from: number
  readonly until: number
}

/**
 * Generates in order of publication. Every summary is marked as synthetic; publishers and villages
 * are invented. The same arguments give the same bytes.
 */
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
  const { lga, lat, lng, location, phrase, shorter, setting } = drawLocation(state, type, random)
  const casualties = drawCasualties(type, random)
  const id = newIdentifier('incident', times.reportedAt, seededBytes(random))
  const sources = drawSources(id, times.reportedAt, publishedAt, random)
  const { precision } = location
  const evidence = { sources, precision, timePrecision: times.precision, importQuality: null, override: null }
  const { confidence, reasons } = confidenceOf(evidence, reliability)
  const official = sources.some(({ publisher }) => reliability(publisher) === 'official')
  const summaryInput = { type, casualties, setting, where: phrase, shorter, when: timePhrase(times), official }
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
    confidence,
    confidence_reasons: reasons,
    summary: summaryOf(summaryInput, random),
    sources,
    casualties,
    occurred_at: isoTime(times.occurredAt),
    time_precision: times.precision,
    reported_at: isoTime(times.reportedAt),
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

const SOURCE_COUNT = weightedChoice(SOURCE_COUNTS)
const ANY_PUBLISHER = weightedChoice(PUBLISHERS.map((publisher) => [publisher, publisher.weight] as const))
const ARTICLE_LENGTH = 8
const CLASSES = new Map(PUBLISHERS.map(({ name, kind }) => [name, kind]))
const reliability: Reliability = (publisher) => CLASSES.get(publisher) ?? 'unknown'

function drawSources(id: string, reportedAt: number, publishedAt: number, random: Random): Source[] {
  const article = id.slice(-ARTICLE_LENGTH)
  const sources: Source[] = []
  for (const { name, address } of drawPublishers(random)) {
    const later = sources.length > 0 && Math.floor(reportedAt + random() * (publishedAt - reportedAt))
    sources.push({ url: address && address + article, publisher: name, published_at: isoTime(later || reportedAt) })
  }
  return sources
}

/** Draws distinct publishers: one that is drawn twice counts once. */
function drawPublishers(random: Random): readonly Publisher[] {
  const publishers = [pickWeighted(random, ANY_PUBLISHER)]
  for (let more = pickWeighted(random, SOURCE_COUNT) - 1; more > 0; more--) {
    const another = pickWeighted(random, ANY_PUBLISHER)
    if (!publishers.includes(another)) publishers.push(another)
  }
  return publishers
}
