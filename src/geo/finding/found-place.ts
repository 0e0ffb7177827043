import type { FoundPlace, Meaning } from '../../domain/places.ts'
import { rivalsOf } from './choose-place.ts'
import type { PlaceCandidate } from './place-candidate.ts'

/** The candidates of a text as responses show them, and whether it means one of them. */
export function foundPlaces(candidates: readonly PlaceCandidate[]): {
  readonly meaning: Meaning
  readonly places: FoundPlace[]
} {
  const rivals = rivalsOf(candidates)
  const [first] = candidates
  const meaning = !first ? 'none' : first.matched.how === 'similar' ? 'similar' : rivals.length > 0 ? 'several' : 'one'
  return { meaning, places: candidates.map((candidate) => foundPlace(candidate, rivals.includes(candidate))) }
}

export function foundPlace(candidate: PlaceCandidate, rival: boolean): FoundPlace {
  const { name, lat, lng, precision, radius_km, score, state, lga, matched, relation } = candidate
  return {
    name,
    lat,
    lng,
    precision,
    radius_km,
    score,
    state: state.name,
    state_code: state.code,
    lga: lga?.name ?? null,
    lga_code: lga?.code ?? null,
    matched: { how: matched.how, text: matched.text },
    relation,
    rival,
  }
}
