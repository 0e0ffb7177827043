import type { Comparable } from '../../src/domain/near-duplicates.ts'
import type { IncidentType } from '../../src/domain/taxonomy.ts'
import { KM_PER_DEGREE } from '../../src/lib/geometry.ts'
import { pick, type Random } from '../../src/lib/random.ts'
import type { Event } from './events.ts'

const DAY = 86_400_000

/** The first report: the first headline, the place, the lowest toll. */
export function firstReport({ incident, headlines, where, tolls }: Event): Comparable {
  return { ...incident, summary: `${headlines[0]} in ${where}, ${incident.state}`, casualties: tolls.low }
}

/**
 * Other names that an editor may give the same event. Independent of the table that is measured.
 */
const OTHER_NAMES: Readonly<Partial<Record<IncidentType, readonly IncidentType[]>>> = {
  insurgent_attack: ['banditry', 'explosion', 'attack_on_security_forces', 'mass_abduction', 'homicide'],
  attack_on_security_forces: ['insurgent_attack', 'explosion', 'military_operation', 'banditry'],
  military_operation: ['insurgent_attack', 'attack_on_security_forces', 'banditry', 'hostage_release'],
  banditry: ['kidnapping', 'cattle_rustling', 'farmer_herder_clash', 'homicide', 'mass_abduction'],
  communal_clash: ['farmer_herder_clash', 'banditry', 'mob_violence', 'sectarian_violence'],
  farmer_herder_clash: ['communal_clash', 'banditry', 'cattle_rustling', 'homicide'],
  sectarian_violence: ['communal_clash', 'riot', 'mob_violence', 'farmer_herder_clash'],
  separatist_violence: ['attack_on_security_forces', 'military_operation', 'insurgent_attack', 'protest'],
  cult_clash: ['gang_violence', 'homicide', 'political_violence'],
  gang_violence: ['cult_clash', 'homicide', 'political_violence', 'armed_robbery'],
  political_violence: ['gang_violence', 'riot', 'homicide', 'assassination'],
  mob_violence: ['riot', 'homicide', 'communal_clash'],
}

/**
 * A second newspaper: its own headline and toll; half judge the type otherwise, half date it one or
 * two days later; half name the place, in their own spelling if need be, and half the LGA only,
 * with a point up to 20 km off.
 */
export function secondReport({ incident, headlines, tolls }: Event, random: Random): Comparable {
  const lgaOnly = random() < 0.5
  const { place } = incident.location
  return {
    ...incident,
    type: random() < 0.5 ? pick(random, OTHER_NAMES[incident.type] ?? [incident.type]) : incident.type,
    lat: incident.lat + offset(random, lgaOnly ? 20 : 5),
    lng: incident.lng + offset(random, lgaOnly ? 20 : 5),
    location: {
      ...incident.location,
      place: lgaOnly || place === null ? null : random() < 0.5 ? place : respelled(place, random),
      ...(lgaOnly ? { precision: 'lga', radius_km: 25 } : {}),
    },
    occurred_at: new Date(Date.parse(incident.occurred_at) + pick(random, [0, 0, 1, 2]) * DAY).toISOString(),
    summary: headlines[1]!,
    casualties: tolls.high,
  }
}

function offset(random: Random, mostKm: number): number {
  return ((random() * 2 - 1) * mostKm) / KM_PER_DEGREE
}

/** A hyphen for a space, a letter doubled or dropped: as in Gonin-Gora, Dansadau and Dan Sadau. */
function respelled(place: string, random: Random): string {
  if (place.includes(' ')) return place.replace(' ', pick(random, ['-', '']))
  const at = 2 + Math.floor(random() * (place.length - 2))
  return random() < 0.5 ? place.slice(0, at) + place.slice(at - 1) : place.slice(0, at) + place.slice(at + 1)
}
