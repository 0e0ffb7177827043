import type { Lga, PlaceLookup, Places, State } from '../../src/domain/places.ts'

const STATES: State[] = [
  { code: 'NG-KD', name: 'Kaduna' },
  { code: 'NG-RI', name: 'Rivers' },
  { code: 'NG-FC', name: 'Federal Capital Territory' },
]

const LGAS: Lga[] = [
  lga('NG-KD-CHIKUN', 'Chikun', 10.3, 7.3),
  lga('NG-KD-KAJURU', 'Kajuru', 10.3, 7.8),
  lga('NG-KD-KADUNA-SOUTH', 'Kaduna South', 10.47, 7.4),
  lga('NG-RI-BONNY', 'Bonny', 4.43, 7.24),
  lga('NG-RI-OBIO-AKPOR', 'Obio/Akpor', 4.85, 7.0),
  lga('NG-FC-ABUJA-MUNICIPAL', 'Abuja Municipal', 9.0, 7.4),
]

function lga(code: string, name: string, lat: number, lng: number): Lga {
  return { code, name, state: STATES.find((state) => code.startsWith(state.code))!, lat, lng }
}

function find<Place>(place: Place | undefined): PlaceLookup<Place> {
  return place ? { kind: 'found', place } : { kind: 'unknown', suggestions: [] }
}

/** Three states and six LGAs. */
export const smallPlaces: Places = {
  states: STATES,
  lgas: LGAS,
  findState: (name) => find(STATES.find((state) => state.name === name)),
  findLga: (name, codes) => find(LGAS.find((one) => one.name === name && (!codes || codes.includes(one.state.code)))),
}

export const TEN_YEARS = { from: Date.UTC(2016, 0, 1), until: Date.UTC(2026, 0, 1) } as const
