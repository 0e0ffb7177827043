import { confidenceOf } from '../domain/confidence.ts'
import { newIdentifier } from '../domain/identifier.ts'
import {
  type Casualties,
  type ConfidenceReason,
  type Incident,
  type Precision,
  type Source,
  severityOf,
  type TimePrecision,
} from '../domain/incident.ts'
import type { Places } from '../domain/places.ts'
import type { Reliability } from '../domain/publishers.ts'
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

export interface Evidence {
  readonly sources: Source[]
  readonly confidence: number
  readonly confidence_reasons: ConfidenceReason[]
  /** True if one of the sources is an authority. */
  readonly official: boolean
}

const SOURCE_COUNT = weightedChoice(SOURCE_COUNTS)
const ANY_PUBLISHER = weightedChoice(PUBLISHERS.map((publisher) => [publisher, publisher.weight] as const))
const ARTICLE_LENGTH = 8
const CLASSES = new Map(PUBLISHERS.map(({ name, kind }) => [name, kind]))
const reliability: Reliability = (publisher) => CLASSES.get(publisher) ?? 'unknown'

export interface Circumstances {
  readonly precision: Precision
  readonly timePrecision: TimePrecision
  readonly reported: string
  readonly reportedAt: number
  readonly publishedAt: number
}

/** Draws sources, and rates their confidence by the rules for real reports. */
export function drawEvidence(id: string, circumstances: Circumstances, random: Random): Evidence {
  const { precision, timePrecision, reported, reportedAt, publishedAt } = circumstances
  const article = id.slice(-ARTICLE_LENGTH)
  const sources: Source[] = []
  for (const { name, address } of drawPublishers(random)) {
    const later = sources.length > 0 && Math.floor(reportedAt + random() * (publishedAt - reportedAt))
    sources.push({
      url: address && address + article,
      publisher: name,
      published_at: later ? isoTime(later) : reported,
    })
  }
  const evidence = { sources, precision, timePrecision, importQuality: null, override: null }
  const { confidence, reasons } = confidenceOf(evidence, reliability)
  const official = sources.some(({ publisher }) => reliability(publisher) === 'official')
  return { sources, confidence, confidence_reasons: reasons, official }
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
