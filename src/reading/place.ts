import type { State } from '../domain/places.ts'
import type { PlaceCandidate } from '../geo/finding/candidates.ts'
import { type ChosenPlace, choosePlace, findPlace } from '../geo/finding/find-place.ts'
import type { Gazetteer } from '../geo/gazetteer.ts'
import { places } from '../geo/places.ts'
import type { Actor } from './actors-and-actions.ts'

/** News says where in its first sentences. */
const LEAD = 1500
const MAX_LENGTH = 6000
const MAX_CHOICES = 6

interface ReadPlace {
  /** Null where the text names none, or where its names may lie in several states. */
  readonly place: ChosenPlace | null
  /** The places that the text may mean, best first, where it may mean several. */
  readonly choices: readonly PlaceCandidate[]
}

/** The place of what a passage reports: from its lead, or else from all of it. */
export function readPlace(text: string, gazetteer: Gazetteer, likelyStates: readonly State[]): ReadPlace {
  const read = (maxLength: number): ReadPlace => {
    const candidates = findPlace(text, {}, { gazetteer, maxLength, likelyStates })
    const place = choosePlace(candidates)
    return { place, choices: choicesOf(candidates, place) }
  }
  const lead = read(LEAD)
  if (lead.place !== null || text.length <= LEAD) return lead
  const whole = read(MAX_LENGTH)
  return whole.place === null && lead.choices.length > 0 ? lead : whole
}

function choicesOf(candidates: readonly PlaceCandidate[], place: ChosenPlace | null): PlaceCandidate[] {
  const all = place === null ? candidates : answersTo(candidates, place)
  // A town and the LGA of its name are one answer.
  const unique = new Map(all.toReversed().map((each) => [`${each.name}/${each.lga?.code}/${each.state.code}`, each]))
  return all.filter((each) => [...unique.values()].includes(each)).slice(0, MAX_CHOICES)
}

/** None where the place is certain. */
function answersTo(candidates: readonly PlaceCandidate[], place: ChosenPlace): readonly PlaceCandidate[] {
  const [first] = candidates
  if (place.matched.how === 'similar')
    return candidates.filter(({ matched }) => matched.start === place.matched.start && matched.how === 'similar')
  return place.rivals.length > 0 ? [first!, ...place.rivals] : []
}

/** States in which a group is active: decides between namesakes, never a place by itself. */
const ACTIVE_IN: Partial<Record<Actor, string>> = {
  insurgents: 'BO YO AD',
}

const byCode = new Map(places.states.map((state) => [state.code, state]))

export function likelyStates(actors: Iterable<Actor>): State[] {
  return [...actors].flatMap((actor) =>
    (ACTIVE_IN[actor] ?? '').split(' ').flatMap((code) => byCode.get(`NG-${code}`) ?? []),
  )
}
