import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Location } from '../../../src/domain/incident.ts'
import { relocations } from '../../../src/geo/boundaries/relocations.ts'
import type { Locate } from '../../../src/geo/locating/locate.ts'
import { places } from '../../../src/geo/places.ts'

const chikun = places.lgas.find(({ code }) => code === 'NG-KD-CHIKUN')!
const intoChikun: Locate = (lat) =>
  lat > 14 ? { kind: 'outside', message: '' } : { kind: 'located', state: chikun.state, lga: chikun, basis: 'boundary' }

function incident(id: string, location: Partial<Location>, lat = 10) {
  const known = { precision: 'settlement', lga_code: 'NG-KD-KAJURU', lga_basis: 'estimated' } as const
  return { id, lat, lng: 7, location: { ...known, ...location } }
}

test('only incidents whose LGA was found from their point, and would be another, are relocated', () => {
  const incidents = [
    incident('estimated elsewhere', {}),
    incident('by an older boundary', { lga_basis: 'boundary', precision: 'exact' }),
    incident('without an LGA', { lga_code: null, lga_basis: null }),
    incident('right already', { lga_code: 'NG-KD-CHIKUN' }),
    incident('reported by its source', { lga_basis: 'reported' }),
    incident('known by its LGA only', { precision: 'lga' }),
    incident('known by its state only', { precision: 'state', lga_code: null, lga_basis: null }),
    incident('outside', {}, 15),
  ]
  const moved = [...relocations(incidents, intoChikun)]
  assert.deepEqual(
    moved.map(({ incident }) => incident.id),
    ['estimated elsewhere', 'by an older boundary', 'without an LGA'],
  )
  assert.ok(moved.every(({ lga, state }) => lga === chikun && state === chikun.state))
})
