import type { Incident } from '../../domain/incident.ts'
import type { Lga, State } from '../../domain/places.ts'
import type { Locate } from '../locating/locate.ts'

export interface Relocation<Which> {
  readonly incident: Which
  readonly state: State
  readonly lga: Lga
}

type Placed = Pick<Incident, 'lat' | 'lng'> & {
  readonly location: Pick<Incident['location'], 'precision' | 'lga_code' | 'lga_basis'>
}

/**
 * The incidents that another way of locating puts into another LGA. One whose LGA was reported stays where its source says it was,
 * and one that is only known by its LGA or state has no point to locate.
 */
export function* relocations<Which extends Placed>(
  incidents: Iterable<Which>,
  locate: Locate,
): Generator<Relocation<Which>> {
  for (const incident of incidents) {
    const { precision, lga_code, lga_basis } = incident.location
    if (lga_basis === 'reported' || precision === 'lga' || precision === 'state') continue
    const located = locate(incident.lat, incident.lng)
    if (located.kind === 'located' && located.lga.code !== lga_code) {
      yield { incident, state: located.state, lga: located.lga }
    }
  }
}
