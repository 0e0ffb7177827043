import { categoryOf, type IncidentType } from '../taxonomy.ts'

/**
 * Types that editors give to one event: each pair of a row is related, and each pair of a category.
 */
const RELATED: readonly (readonly IncidentType[])[] = [
  ['banditry', 'kidnapping', 'mass_abduction', 'hostage_taking', 'cattle_rustling', 'highway_robbery', 'homicide'],
  ['banditry', 'communal_clash', 'farmer_herder_clash', 'cattle_rustling'],
  ['insurgent_attack', 'mass_abduction', 'kidnapping', 'homicide', 'infrastructure_attack'],
  ['military_operation', 'hostage_release', 'banditry', 'insurgent_attack'],
  ['separatist_violence', 'attack_on_security_forces', 'homicide', 'protest'],
  ['cult_clash', 'gang_violence', 'homicide', 'armed_robbery', 'assassination'],
  ['political_violence', 'riot', 'protest', 'assassination', 'homicide'],
  ['mob_violence', 'homicide', 'communal_clash', 'sectarian_violence', 'riot'],
  ['explosion', 'pipeline_vandalism', 'infrastructure_attack'],
  ['piracy', 'kidnapping', 'hostage_taking', 'armed_robbery'],
]

const PAIRS = new Set(RELATED.flatMap((row) => row.flatMap((one) => row.map((other) => `${one} ${other}`))))

export function areRelated(one: IncidentType, other: IncidentType): boolean {
  return categoryOf(one) === categoryOf(other) || PAIRS.has(`${one} ${other}`)
}
