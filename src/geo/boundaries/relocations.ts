import type { Incident } from '../../domain/incident.ts'
import type { Lga, State } from '../../domain/places.ts'
import type { Locate } from '../locating/locate.ts'

export interface Relocation<Item> {
  readonly incident: Item
  readonly state: State
  readonly lga: Lga
}

type Placed = Pick<Incident, 'lat' | 'lng'> & {
  readonly location: Pick<Incident['location'], 'precision' | 'lga_code' | 'lga_basis'>
}

/**
 * Finds incidents that `locate` puts into another LGA. Skips those whose LGA was reported by the
 * source, and those known only by LGA or state, which have no point to locate.
 */
export function* relocations<Item extends Placed>(
  incidents: Iterable<Item>,
  locate: Locate,
): Generator<Relocation<Item>> {
  for (const incident of incidents) {
    const { precision, lga_code, lga_basis } = incident.location
    if (lga_basis === 'reported' || precision === 'lga' || precision === 'state') continue
    const located = locate(incident.lat, incident.lng)
    if (located.kind === 'located' && located.lga.code !== lga_code) {
      yield { incident, state: located.state, lga: located.lga }
    }
  }
}
