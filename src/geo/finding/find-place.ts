import type { Precision } from '../../domain/incident.ts'
import type { Lga, State } from '../../domain/places.ts'
import { lgaRecords, MEAN_KM_PER_DEGREE } from '../data.ts'
import { places } from '../places.ts'
import { findMentions, type PlaceMention } from './mentions.ts'
import { type Settlement, settlementsAlsoCalled, settlementsLike, settlementsNamed } from './settlements.ts'

export interface PlaceCandidate {
  readonly name: string
  readonly lat: number
  readonly lng: number
  readonly precision: Precision
  readonly radius_km: number
  readonly state: State
  readonly lga: Lga | null
  /** From 0 to 1; compares candidates of the same text only. */
  readonly score: number
}

/** Restricts the search to a state or LGA, by name, code or alias. */
export interface PlaceScope {
  readonly state?: string
  readonly lga?: string
}

const SCORES = {
  settlement: 0.6,
  lga: 0.45,
  state: 0.2,
  /** The text states that it is an LGA or a state. */
  stated: 0.2,
  afterPreposition: 0.1,
  inLga: 0.2,
  inState: 0.15,
  /** An old name or another spelling. */
  alias: -0.1,
  misspelling: -0.25,
  /** Factor for the ends of a road: "the Abuja–Kaduna road" is in neither city. */
  roadEnd: 0.4,
  /** Factor for context: "Zaria, Kaduna" does not mean the town of Kaduna. */
  context: 0.4,
  /** Factor where the text names another state or LGA. */
  contradicted: 0.4,
} as const

const MAX_CANDIDATES = 10
const radiiKm = new Map(
  lgaRecords.map(({ code, box }) => [
    code,
    box ? Math.max(2, Math.round((Math.sqrt((box[2] - box[0]) * (box[3] - box[1])) * MEAN_KM_PER_DEGREE) / 2)) : 15,
  ]),
)

interface Context {
  readonly states: ReadonlySet<State>
  readonly lgas: ReadonlySet<Lga>
}

/** Finds the places that a text may mean, best first. Keeps vague ones: their precision says so. */
export function findPlace(text: string, within: PlaceScope = {}): PlaceCandidate[] {
  const { mentions, unknown } = findMentions(text, isName)
  const context = contextOf(mentions, within)
  const candidates = mentions.flatMap((mention) => candidatesFor(mention, context))
  if (unknown)
    candidates.push(...settlementsLike(unknown).map((each) => settlementCandidate(each, context, SCORES.misspelling)))
  for (const lga of context.lgas) candidates.push(lgaCandidate(lga, context, SCORES.stated))
  for (const state of context.states) candidates.push(stateCandidate(state, 0))
  return best(candidates.filter((candidate) => fits(candidate, within)))
}

function isName(key: string): boolean {
  const settlements = settlementsNamed(key).length + settlementsAlsoCalled(key).length
  return settlements > 0 || stateNamed(key) !== null || lgasNamed(key).length > 0
}

function stateNamed(name: string): State | null {
  const found = places.findState(name)
  return found.kind === 'found' ? found.place : null
}

function lgasNamed(name: string): readonly Lga[] {
  const found = places.findLga(name, null)
  return found.kind === 'found' ? [found.place] : found.kind === 'ambiguous' ? found.places : []
}

/** States and LGAs that the text states as such, or names after another place: "Zaria, Kaduna". */
function contextOf(mentions: readonly PlaceMention[], within: PlaceScope): Context {
  const states = new Set<State>()
  const lgas = new Set<Lga>()
  const given = within.state === undefined ? null : stateNamed(within.state)
  if (given) states.add(given)
  for (const { key, kind, later } of mentions) {
    const state = stateNamed(key)
    if (state && (kind === 'state' || (kind === null && later))) states.add(state)
  }
  const named = mentions.filter(({ kind, later }) => kind === 'lga' || (kind === null && later)).map(({ key }) => key)
  for (const name of [...named, ...(within.lga === undefined ? [] : [within.lga])]) {
    const fitting = lgasNamed(name).filter(({ state }) => states.size === 0 || states.has(state))
    if (fitting.length === 1) lgas.add(fitting[0]!)
  }
  return { states, lgas }
}

function candidatesFor({ key, kind, afterPreposition, later }: PlaceMention, context: Context): PlaceCandidate[] {
  const bonus = afterPreposition ? SCORES.afterPreposition : 0
  const state = kind === 'lga' ? null : stateNamed(key)
  const isContext = later && state !== null && context.states.has(state)
  const factor = kind === 'road' ? SCORES.roadEnd : isContext ? SCORES.context : 1
  const candidates: PlaceCandidate[] = []
  if (kind !== 'lga' && kind !== 'state') {
    for (const each of settlementsNamed(key)) candidates.push(settlementCandidate(each, context, bonus))
    for (const each of settlementsAlsoCalled(key))
      candidates.push(settlementCandidate(each, context, bonus + SCORES.alias))
  }
  if (kind !== 'state') {
    const stated = kind === 'lga' ? SCORES.stated : 0
    for (const lga of lgasNamed(key)) candidates.push(lgaCandidate(lga, context, bonus + stated))
  }
  const weighted = candidates.map((candidate) => ({ ...candidate, score: candidate.score * factor }))
  return state ? [...weighted, stateCandidate(state, kind === 'state' ? SCORES.stated : 0)] : weighted
}

function settlementCandidate(
  { name, lat, lng, state, lga, population }: Settlement,
  context: Context,
  bonus: number,
): PlaceCandidate {
  const radius_km = population >= 500_000 ? 10 : population >= 50_000 ? 5 : 3
  // Prefers the larger of two namesakes, by less than anything that the text states.
  const populationBonus = Math.min(population, 1e6) / 1e8
  const score = adjustScore(SCORES.settlement + bonus + populationBonus, state, lga, context)
  return { name, lat, lng, precision: 'settlement', radius_km, state, lga, score }
}

function lgaCandidate(lga: Lga, context: Context, bonus: number): PlaceCandidate {
  const { name, lat, lng, state, code } = lga
  const score = adjustScore(SCORES.lga + bonus, state, null, context)
  return { name, lat, lng, precision: 'lga', radius_km: radiiKm.get(code)!, state, lga, score }
}

function stateCandidate(state: State, bonus: number): PlaceCandidate {
  const inside = places.lgas.filter((lga) => lga.state === state)
  const lat = inside.reduce((sum, lga) => sum + lga.lat, 0) / inside.length
  const lng = inside.reduce((sum, lga) => sum + lga.lng, 0) / inside.length
  const distanceTo = (lga: Lga): number => Math.hypot(lga.lat - lat, lga.lng - lng)
  const middle = inside.reduce((one, other) => (distanceTo(one) <= distanceTo(other) ? one : other))
  const radius_km = Math.round(Math.max(...inside.map(distanceTo)) * MEAN_KM_PER_DEGREE)
  const score = SCORES.state + bonus
  return { name: state.name, lat: middle.lat, lng: middle.lng, precision: 'state', radius_km, state, lga: null, score }
}

function adjustScore(score: number, state: State, lga: Lga | null, { states, lgas }: Context): number {
  const contradicted = (states.size > 0 && !states.has(state)) || (lga !== null && lgas.size > 0 && !lgas.has(lga))
  if (contradicted) return score * SCORES.contradicted
  return score + (lga && lgas.has(lga) ? SCORES.inLga : 0) + (states.has(state) ? SCORES.inState : 0)
}

function fits({ state, lga }: PlaceCandidate, within: PlaceScope): boolean {
  if (within.state !== undefined && stateNamed(within.state) !== state) return false
  return within.lga === undefined || (lga !== null && lgasNamed(within.lga).includes(lga))
}

function best(candidates: readonly PlaceCandidate[]): PlaceCandidate[] {
  const unique = new Map<string, PlaceCandidate>()
  for (const candidate of candidates) {
    const key = `${candidate.precision} ${candidate.name} ${candidate.lat} ${candidate.lng}`
    const score = Math.min(1, Math.max(0, Math.round(candidate.score * 1000) / 1000))
    if ((unique.get(key)?.score ?? -1) < score) unique.set(key, { ...candidate, score })
  }
  return [...unique.values()].sort((one, other) => other.score - one.score).slice(0, MAX_CANDIDATES)
}
