import type { State } from '../../domain/places.ts'
import { places } from '../places.ts'

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
