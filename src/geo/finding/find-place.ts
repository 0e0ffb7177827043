import type { Precision } from '../../domain/incident.ts'
import type { Lga, State } from '../../domain/places.ts'
import { lgaRecords, MEAN_KM_PER_DEGREE } from '../data.ts'
import { places } from '../places.ts'
import { type Mention, readMentions } from './mentions.ts'
import { type Settlement, settlementsAlsoCalled, settlementsLike, settlementsNamed } from './settlements.ts'

export interface PlaceCandidate {
  readonly name: string
  readonly lat: number
  readonly lng: number
  readonly precision: Precision
  readonly radius_km: number
  readonly state: State
  readonly lga: Lga | null
  /** From 0 to 1; only good for comparing candidates of one text. */
  readonly score: number
}

/** Names, codes or aliases that the place must lie in. */
export interface PlaceScope {
  readonly state?: string
  readonly lga?: string
}

const SCORES = {
  settlement: 0.6,
  lga: 0.45,
  state: 0.2,
  /** The text says what it is, or that it is there. */
  said: 0.2,
  aimed: 0.1,
  inLga: 0.2,
  inState: 0.15,
  /** An old name or another spelling. */
  other: -0.1,
  /** A slip of spelling costs this. */
  slip: -0.25,
  /** "the Abuja–Kaduna road" is at neither end … */
  roadEnd: 0.4,
  /** … and "Zaria, Kaduna" is not the town of Kaduna. */
  context: 0.4,
  /** The text names another state or LGA. */
  contradicted: 0.4,
} as const

const MOST = 10
const radii = new Map(
  lgaRecords.map(({ code, box }) => [
    code,
    box ? Math.max(2, Math.round((Math.sqrt((box[2] - box[0]) * (box[3] - box[1])) * MEAN_KM_PER_DEGREE) / 2)) : 15,
  ]),
)

interface Context {
  readonly states: ReadonlySet<State>
  readonly lgas: ReadonlySet<Lga>
}

/** Where a text may mean, best first, as far as the gazetteer knows. Nothing is dropped for being vague: its precision says so. */
export function findPlace(text: string, within: PlaceScope = {}): PlaceCandidate[] {
  const { mentions, unknown } = readMentions(text, isName)
  const context = contextOf(mentions, within)
  const candidates = mentions.flatMap((mention) => meanings(mention, context))
  if (unknown) candidates.push(...settlementsLike(unknown).map((each) => settled(each, context, SCORES.slip)))
  for (const lga of context.lgas) candidates.push(lgaCandidate(lga, context, SCORES.said))
  for (const state of context.states) candidates.push(stateCandidate(state, 0))
  return best(candidates.filter((candidate) => fits(candidate, within)))
}

function isName(key: string): boolean {
  const settlements = settlementsNamed(key).length + settlementsAlsoCalled(key).length
  return settlements > 0 || stateCalled(key) !== null || lgasCalled(key).length > 0
}

function stateCalled(name: string): State | null {
  const found = places.findState(name)
  return found.kind === 'found' ? found.place : null
}

function lgasCalled(name: string): readonly Lga[] {
  const found = places.findLga(name, null)
  return found.kind === 'found' ? [found.place] : found.kind === 'ambiguous' ? found.places : []
}

/** A state or LGA counts as context where the text calls it one, or names it after something else: "Zaria, Kaduna". */
function contextOf(mentions: readonly Mention[], within: PlaceScope): Context {
  const states = new Set<State>()
  const lgas = new Set<Lga>()
  const given = within.state === undefined ? null : stateCalled(within.state)
  if (given) states.add(given)
  for (const { key, kind, later } of mentions) {
    const state = stateCalled(key)
    if (state && (kind === 'state' || (kind === null && later))) states.add(state)
  }
  const named = mentions.filter(({ kind, later }) => kind === 'lga' || (kind === null && later)).map(({ key }) => key)
  for (const name of [...named, ...(within.lga === undefined ? [] : [within.lga])]) {
    const fitting = lgasCalled(name).filter(({ state }) => states.size === 0 || states.has(state))
    if (fitting.length === 1) lgas.add(fitting[0]!)
  }
  return { states, lgas }
}

function meanings({ key, kind, aimed, later }: Mention, context: Context): PlaceCandidate[] {
  const bonus = aimed ? SCORES.aimed : 0
  const state = kind === 'lga' ? null : stateCalled(key)
  const isContext = later && state !== null && context.states.has(state)
  const factor = kind === 'road' ? SCORES.roadEnd : isContext ? SCORES.context : 1
  const candidates: PlaceCandidate[] = []
  if (kind !== 'lga' && kind !== 'state') {
    for (const each of settlementsNamed(key)) candidates.push(settled(each, context, bonus))
    for (const each of settlementsAlsoCalled(key)) candidates.push(settled(each, context, bonus + SCORES.other))
  }
  if (kind !== 'state') {
    const said = kind === 'lga' ? SCORES.said : 0
    for (const lga of lgasCalled(key)) candidates.push(lgaCandidate(lga, context, bonus + said))
  }
  const weighed = candidates.map((candidate) => ({ ...candidate, score: candidate.score * factor }))
  return state ? [...weighed, stateCandidate(state, kind === 'state' ? SCORES.said : 0)] : weighed
}

function settled(
  { name, lat, lng, state, lga, population }: Settlement,
  context: Context,
  bonus: number,
): PlaceCandidate {
  const radius_km = population >= 500_000 ? 10 : population >= 50_000 ? 5 : 3
  // A larger place is meant sooner than its namesake, by less than anything the text says.
  const renown = Math.min(population, 1e6) / 1e8
  const score = weigh(SCORES.settlement + bonus + renown, state, lga, context)
  return { name, lat, lng, precision: 'settlement', radius_km, state, lga, score }
}

function lgaCandidate(lga: Lga, context: Context, bonus: number): PlaceCandidate {
  const { name, lat, lng, state, code } = lga
  const score = weigh(SCORES.lga + bonus, state, null, context)
  return { name, lat, lng, precision: 'lga', radius_km: radii.get(code)!, state, lga, score }
}

function stateCandidate(state: State, bonus: number): PlaceCandidate {
  const inside = places.lgas.filter((lga) => lga.state === state)
  const lat = inside.reduce((sum, lga) => sum + lga.lat, 0) / inside.length
  const lng = inside.reduce((sum, lga) => sum + lga.lng, 0) / inside.length
  const off = (lga: Lga): number => Math.hypot(lga.lat - lat, lga.lng - lng)
  const middle = inside.reduce((one, other) => (off(one) <= off(other) ? one : other))
  const radius_km = Math.round(Math.max(...inside.map(off)) * MEAN_KM_PER_DEGREE)
  const score = SCORES.state + bonus
  return { name: state.name, lat: middle.lat, lng: middle.lng, precision: 'state', radius_km, state, lga: null, score }
}

function weigh(score: number, state: State, lga: Lga | null, { states, lgas }: Context): number {
  const contradicted = (states.size > 0 && !states.has(state)) || (lga !== null && lgas.size > 0 && !lgas.has(lga))
  if (contradicted) return score * SCORES.contradicted
  return score + (lga && lgas.has(lga) ? SCORES.inLga : 0) + (states.has(state) ? SCORES.inState : 0)
}

function fits({ state, lga }: PlaceCandidate, within: PlaceScope): boolean {
  if (within.state !== undefined && stateCalled(within.state) !== state) return false
  return within.lga === undefined || (lga !== null && lgasCalled(within.lga).includes(lga))
}

function best(candidates: readonly PlaceCandidate[]): PlaceCandidate[] {
  const unique = new Map<string, PlaceCandidate>()
  for (const candidate of candidates) {
    const key = `${candidate.precision} ${candidate.name} ${candidate.lat} ${candidate.lng}`
    const score = Math.min(1, Math.max(0, Math.round(candidate.score * 1000) / 1000))
    if ((unique.get(key)?.score ?? -1) < score) unique.set(key, { ...candidate, score })
  }
  return [...unique.values()].sort((one, other) => other.score - one.score).slice(0, MOST)
}
