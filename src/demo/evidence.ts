import type { ConfidenceReason, Precision, Source } from '../domain/incident.ts'
import { isoTime } from './iso.ts'
import { between, choiceOf, draw, type Random } from './random.ts'
import { BASE_CONFIDENCE, PRECISION_WEIGHTS, PUBLISHERS, type Publisher, SOURCE_WEIGHTS } from './tables/publishers.ts'
import { SOURCE_COUNTS } from './tables/shares.ts'

export interface Evidence {
  readonly sources: Source[]
  readonly confidence: number
  readonly confidence_reasons: ConfidenceReason[]
  /** Whether an authority is among the sources. */
  readonly official: boolean
}

const COUNT = choiceOf(SOURCE_COUNTS)
const ANY_PUBLISHER = choiceOf(PUBLISHERS.map((publisher) => [publisher, publisher.weight] as const))
const ARTICLE_LENGTH = 8
const DOUBT = 5

/** Who told of it, and how far that is to be believed: the reasons' weights and the base add up to the confidence. */
export function drawEvidence(
  id: string,
  precision: Precision,
  reported: string,
  reportedAt: number,
  publishedAt: number,
  random: Random,
): Evidence {
  const publishers = drawPublishers(random)

  const article = id.slice(-ARTICLE_LENGTH)
  const sources: Source[] = []
  let best = PUBLISHERS[0]!
  for (const publisher of publishers) {
    if (sources.length === 0 || publisher.reliability > best.reliability) best = publisher
    const later = sources.length > 0 && Math.floor(reportedAt + random() * (publishedAt - reportedAt))
    sources.push({
      url: publisher.address && publisher.address + article,
      publisher: publisher.name,
      published_at: later ? isoTime(later) : reported,
    })
  }

  const bySources = SOURCE_WEIGHTS[sources.length - 1]!
  const byPublisher = best.reliability - between(random, 0, DOUBT)
  const byPrecision = PRECISION_WEIGHTS[precision]
  const reasons: ConfidenceReason[] = [
    { reason: 'independent_sources', value: sources.length, weight: bySources / 100 },
    { reason: 'source_reliability', value: best.kind, weight: byPublisher / 100 },
  ]
  if (byPrecision !== 0) reasons.push({ reason: 'location_precision', value: precision, weight: byPrecision / 100 })
  return {
    sources,
    confidence: (BASE_CONFIDENCE + bySources + byPublisher + byPrecision) / 100,
    confidence_reasons: reasons,
    official: best.kind === 'official',
  }
}

/** Each once: a publisher drawn twice leaves one source fewer. */
function drawPublishers(random: Random): readonly Publisher[] {
  const publishers = [draw(random, ANY_PUBLISHER)]
  for (let more = draw(random, COUNT) - 1; more > 0; more--) {
    const another = draw(random, ANY_PUBLISHER)
    if (!publishers.includes(another)) publishers.push(another)
  }
  return publishers
}
