import { confidenceOf } from '../domain/confidence.ts'
import type { ConfidenceReason, Precision, Source, TimePrecision } from '../domain/incident.ts'
import type { Reliability } from '../domain/publishers.ts'
import { pickWeighted, type Random, weightedChoice } from '../lib/random.ts'
import { PUBLISHERS, type Publisher } from './tables/publishers.ts'
import { SOURCE_COUNTS } from './tables/shares.ts'
import { isoTime } from './time/iso-time.ts'

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
