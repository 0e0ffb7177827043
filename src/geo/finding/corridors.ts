import { distanceKm } from '../../lib/geometry.ts'
import type { GazetteerPlace } from '../gazetteer/gazetteer.ts'
import type { MatchedSettlement, Options } from './candidates.ts'
import type { Mention } from './mentions.ts'
import type { PlaceCandidate } from './place-candidate.ts'
import { SCORES, withContext } from './score.ts'

const MAX_LENGTH_KM = 300
/** Shorter ones are known to the size of an LGA. */
const SHORT_RADIUS_KM = 30
const MAX_NAMESAKES = 8
/** Roads are named after towns, not after hamlets. */
const TOWN = 10_000

/** Roads between two towns, and "between A and B": somewhere along the line that joins them. */
export function corridorsIn(
  mentions: readonly Mention[],
  settlements: readonly (readonly MatchedSettlement[])[],
  { text, context }: Options,
): PlaceCandidate[] {
  const found: PlaceCandidate[] = []
  const weight = (place: GazetteerPlace): number =>
    withContext(1, place, context) * (place.population >= TOWN || place.lga?.name === place.name ? 2 : 1)
  for (const [at, mention] of mentions.entries()) {
    const next = mentions[at + 1]
    if (!next || next.relation !== mention.relation || (mention.relation !== 'road' && mention.relation !== 'between'))
      continue
    let shortest: [GazetteerPlace, GazetteerPlace, number] | null = null
    for (const { place: one } of settlements[at]!.slice(0, MAX_NAMESAKES)) {
      for (const { place: other } of settlements[at + 1]!.slice(0, MAX_NAMESAKES)) {
        const km = distanceKm(one.lat, one.lng, other.lat, other.lng)
        const weighted = km / weight(one) / weight(other)
        if (km > 0 && km <= MAX_LENGTH_KM && (shortest === null || weighted < shortest[2]))
          shortest = [one, other, weighted]
      }
    }
    if (shortest === null) continue
    const [one, other] = shortest
    const end = context.states.size > 0 && !context.states.has(one.state) ? other : one
    const radius_km = Math.round(distanceKm(one.lat, one.lng, other.lat, other.lng) / 2 + 5)
    const { start } = mention
    found.push({
      name: mention.relation === 'road' ? `${one.name}–${other.name} road` : `between ${one.name} and ${other.name}`,
      lat: (one.lat + other.lat) / 2,
      lng: (one.lng + other.lng) / 2,
      precision: radius_km <= SHORT_RADIUS_KM ? 'lga' : 'state',
      radius_km,
      state: end.state,
      lga: one.lga === other.lga ? one.lga : null,
      score: withContext(SCORES.corridor, end, context),
      matched: { how: 'exact', text: text.slice(start, next.end), start, end: next.end },
      relation: mention.relation,
      stated: 'road',
      // Of a road through two states, the text must say which.
      certain: one.state === other.state || context.states.size === 1,
      around: null,
    })
  }
  return found
}
