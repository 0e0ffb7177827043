import type { Lga, State } from '../../domain/places.ts'
import { editDistance } from '../../lib/text/edit-distance.ts'
import { readData, type SettlementRecord } from '../data.ts'
import { nameKey } from '../name-key.ts'
import { places } from '../places.ts'

export interface Settlement {
  readonly name: string
  readonly lat: number
  readonly lng: number
  readonly state: State
  readonly lga: Lga | null
  readonly population: number
}

const states = new Map(places.states.map((state) => [state.code, state]))
const lgas = new Map(places.lgas.map((lga) => [lga.code, lga]))
const byName = new Map<string, Settlement[]>()
const byOther = new Map<string, Settlement[]>()
for (const { name, lat, lng, state, lga, population, others } of readData<SettlementRecord[]>('settlements.json')) {
  const settlement = { name, lat, lng, state: states.get(state)!, lga: (lga && lgas.get(lga)) || null, population }
  addToIndex(byName, nameKey(name), settlement)
  for (const other of others) addToIndex(byOther, nameKey(other), settlement)
}

function addToIndex(index: Map<string, Settlement[]>, key: string, settlement: Settlement): void {
  const same = index.get(key)
  if (same) same.push(settlement)
  else index.set(key, [settlement])
}

export function settlementsNamed(key: string): readonly Settlement[] {
  return byName.get(key) ?? []
}

/** Settlements with this old name or other spelling: Suleja was called Abuja. */
export function settlementsAlsoCalled(key: string): readonly Settlement[] {
  return byOther.get(key) ?? []
}

/** Allows one edit per five letters: with more, every word would match. */
export function settlementsLike(key: string): readonly Settlement[] {
  const maxEdits = Math.floor(key.length / 5)
  if (maxEdits === 0) return []
  let least = maxEdits + 1
  let found: Settlement[] = []
  for (const [other, settlements] of [...byName, ...byOther]) {
    const distance = editDistance(key, other, maxEdits)
    if (distance > maxEdits || distance > least) continue
    found = distance < least ? [...settlements] : [...found, ...settlements]
    least = distance
  }
  return found
}
