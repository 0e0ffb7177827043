import { UCDP_TYPES } from '../../src/desk/importing/formats/ucdp.ts'
import { actorsIn } from '../../src/desk/importing/formats/values.ts'
import type { IncidentType } from '../../src/domain/taxonomy.ts'
import { nameKey } from '../../src/geo/names.ts'
import { places } from '../../src/geo/places.ts'
import { NUMBER, readNumber } from '../../src/reading/casualty-rules.ts'
import { textOf, type UcdpRow } from './rows.ts'

const letters = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '')
const withoutKind = (name: string): string => name.replace(/\s+(?:state|lga|town|village|city)$/i, '')

/** The state's code; null where UCDP has none. */
export function trueState({ adm_1 }: UcdpRow): string | null {
  const found = places.findState(nameKey(adm_1!))
  return found.kind === 'found' ? found.place.code : null
}

/** The text has the state, the LGA or the place, however spelled apart from letters. */
export function namesItsPlace(row: UcdpRow): boolean {
  const text = letters(textOf(row))
  const names = [row.adm_1, row.adm_2, row.where_coordinates].map((name) => letters(withoutKind(name!)))
  return names.some((name) => name !== '' && text.includes(name))
}

const EXPLOSION = /bomb|blast|explo|\bmine|landmine|\bied|suicide|grenade/i

/**
 * The types that are right for a row. Fighting between the army and insurgents may be told as an
 * attack, as one on the army, or as an operation, whoever lost more; a bomb is an explosion if the
 * text says so.
 */
export function trueTypes(row: UcdpRow): ReadonlySet<IncidentType> {
  const violence = Number(row.type_of_violence)
  const actors = new Set(actorsIn(row.side_a!))
  if (violence !== 3) for (const actor of actorsIn(row.side_b!)) actors.add(actor)
  const fitting = UCDP_TYPES.find(
    (rule) => rule.violence === violence && rule.lostMost === null && (rule.actor === null || actors.has(rule.actor)),
  )!
  const types = new Set<IncidentType>([fitting.type])
  if (violence === 1) for (const type of ['military_operation', 'attack_on_security_forces'] as const) types.add(type)
  if (EXPLOSION.test(textOf(row))) types.add('explosion')
  return types
}

const NUMBERS = new RegExp(`\\b${NUMBER}\\b`, 'gi')

/** The deaths, where the headlines have that number; null elsewhere. */
export function deathsInHeadline({ best, source_headline }: UcdpRow): number | null {
  const deaths = Number(best)
  const numbers = [...source_headline!.matchAll(NUMBERS)].map(([written]) => readNumber(written))
  return deaths > 0 && numbers.includes(deaths) ? deaths : null
}
