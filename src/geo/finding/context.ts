import type { Lga, State } from '../../domain/places.ts'
import type { GazetteerPlace } from '../gazetteer.ts'
import { places } from '../places.ts'
import { lgasNamed, stateNamed } from './areas.ts'
import type { Mention } from './mentions.ts'

/** Restricts the search to a state or LGA, by name, code or alias. */
export interface PlaceScope {
  readonly state?: string
  readonly lga?: string
}

/** The states and LGAs that a text names: they decide between namesakes. */
export interface Context {
  readonly states: ReadonlySet<State>
  /** Stated as such: "Gwoza LGA". */
  readonly lgas: ReadonlySet<Lga>
  /** Named after another place: "Kumshe, Bama". */
  readonly containing: ReadonlySet<Lga>
  /** Of the regions that the text names, or of the group that it names; empty where none. */
  readonly likely: ReadonlySet<State>
}

export function contextOf(
  text: string,
  mentions: readonly Mention[],
  within: PlaceScope,
  likelyStates: Iterable<State>,
  citiesNamed: (key: string) => readonly GazetteerPlace[],
): Context {
  const states = new Set<State>()
  const given = within.state === undefined ? null : stateNamed(within.state)
  if (given) states.add(given)
  // A bare name that is only a state's is one: "in Borno"; "Kano" may be the city, in that state.
  const isBareState = ({ kind, relation }: Mention): boolean => kind !== 'lga' && kind !== 'road' && relation !== 'road'
  // A headline may name a city of elsewhere; a sentence that only says where decides.
  const hasLocationLine = mentions.some(({ known, locationLine }) => known && locationLine)
  for (const mention of mentions) {
    if (!mention.known || !(mention.kind === 'state' || isBareState(mention))) continue
    const state = stateNamed(mention.key)
    if (state) states.add(state)
    // A city states its state as well.
    else if (mention.relation === 'at' && (!hasLocationLine || mention.locationLine))
      for (const city of citiesNamed(mention.key)) states.add(city.state)
  }
  const fitting = (key: string): Lga[] => lgasNamed(key).filter(({ state }) => states.size === 0 || states.has(state))
  const lgas = new Set<Lga>()
  const containing = new Set<Lga>()
  for (const { key, known, kind, later } of mentions) {
    if (!known || (kind !== 'lga' && !later)) continue
    const inStates = fitting(key)
    const found = inStates.length > 0 || kind !== 'lga' ? inStates : lgasNamed(key)
    if (found.length === 1) (kind === 'lga' ? lgas : containing).add(found[0]!)
  }
  // An LGA whose name is unique states its state as well.
  for (const { state } of lgas) states.add(state)
  if (within.lga !== undefined) for (const lga of fitting(within.lga)) lgas.add(lga)
  const likely = statesOfRegions(text)
  for (const state of likelyStates) likely.add(state)
  // A road is named after a town at its end: what lies along it is near that town.
  for (const { key, known, relation } of mentions) {
    const ends = known && relation === 'road' ? lgasNamed(key) : []
    if (ends.length === 1) likely.add(ends[0]!.state)
  }
  return { states, lgas, containing, likely }
}

/** Parts of the country as news names them: they exclude states, and are no place themselves. */
const REGIONS: readonly (readonly [words: RegExp, states: string])[] = [
  [/\b(north[- ]?east(ern)?|ne nigeria)\b/gi, 'BO YO AD TA BA GO'],
  [/\b(north[- ]?west(ern)?|nw nigeria)\b/gi, 'KD KN KT KE SO ZA JI'],
  [/\b(north[- ]central|middle[- ]belt|central nigeria)\b/gi, 'BE KO KW NA NI PL FC'],
  [/\b(south[- ]?east(ern)?|se nigeria|biafran?)\b/gi, 'AB AN EB EN IM'],
  [/\b(south[- ]?west(ern)?|sw nigeria)\b/gi, 'EK LA OG ON OS OY'],
  [/\b(south[- ]south|niger delta)\b/gi, 'AK BY CR DE ED RI'],
  [/\bsouthern kaduna\b/gi, 'KD'],
]

const byCode = new Map(places.states.map((state) => [state.code, state]))
const regions = REGIONS.map(([words, states]) => {
  return { words, states: states.split(' ').map((code) => byCode.get(`NG-${code}`)!) }
})

/** The states of the regions that a text names; empty where it names none. */
export function statesOfRegions(text: string): Set<State> {
  const found = new Set<State>()
  for (const { words, states } of regions) {
    words.lastIndex = 0
    if (words.test(text)) for (const state of states) found.add(state)
  }
  return found
}
