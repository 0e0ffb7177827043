import type { Precision, TimePrecision } from '../../../../domain/incident.ts'
import type { IncidentType } from '../../../../domain/taxonomy.ts'
import type { Actor } from '../actors.ts'
import type { Columns } from '../csv/find-columns.ts'

const needed = (...names: string[]) => ({ names, needed: true })
const optional = (...names: string[]) => ({ names, needed: false })

/** Columns of releases 17.1 to 25.1, the candidate releases and the exports of HDX. */
export const UCDP_COLUMNS = {
  id: needed('id'),
  violence: needed('type_of_violence'),
  sideA: needed('side_a'),
  sideB: needed('side_b'),
  country: needed('country'),
  lat: needed('latitude'),
  lng: needed('longitude'),
  start: needed('date_start'),
  end: optional('date_end'),
  best: needed('best', 'best_est'),
  low: optional('low', 'low_est'),
  high: optional('high', 'high_est'),
  deathsA: optional('deaths_a'),
  deathsB: optional('deaths_b'),
  deathsCivilians: optional('deaths_civilians'),
  wherePrecision: optional('where_prec'),
  whereCoordinates: optional('where_coordinates'),
  whereDescription: optional('where_description'),
  state: optional('adm_1'),
  lga: optional('adm_2'),
  datePrecision: optional('date_prec'),
  clarity: optional('event_clarity'),
  article: optional('source_article'),
  office: optional('source_office'),
  sourceDate: optional('source_date'),
} as const satisfies Columns<string>
export type UcdpField = keyof typeof UCDP_COLUMNS

export const VIOLENCE = { 1: 'state-based', 2: 'non-state', 3: 'one-sided' } as const
export type Violence = keyof typeof VIOLENCE

export const UCDP_DATASET = {
  dataset: 'ucdp',
  attribution: 'UCDP Georeferenced Event Dataset, Uppsala Conflict Data Program, CC BY 4.0',
} as const

/** The side that lost most: UCDP's only indication of the attacker. */
export type Loss = 'state' | 'armed group'

interface UcdpRule {
  readonly violence: Violence
  /** Kind of either side; null matches any. In one-sided violence only side A counts. */
  readonly actor: Actor | null
  readonly lostMost: Loss | null
  readonly type: IncidentType
}

const rule = (violence: Violence, actor: Actor | null, type: IncidentType, lostMost: Loss | null = null): UcdpRule => ({
  violence,
  actor,
  lostMost,
  type,
})

/** The first matching rule gives the type. */
export const UCDP_TYPES: readonly UcdpRule[] = [
  rule(1, 'separatists', 'separatist_violence'),
  rule(1, null, 'military_operation', 'armed group'),
  rule(1, null, 'attack_on_security_forces', 'state'),
  rule(1, null, 'insurgent_attack'),
  rule(2, 'insurgents', 'insurgent_attack'),
  rule(2, 'separatists', 'separatist_violence'),
  rule(2, 'bandits', 'banditry'),
  rule(2, 'cults', 'cult_clash'),
  rule(2, 'militants', 'gang_violence'),
  rule(2, 'gangs', 'gang_violence'),
  rule(2, 'parties', 'political_violence'),
  rule(2, 'faiths', 'sectarian_violence'),
  rule(2, 'herders', 'farmer_herder_clash'),
  rule(2, null, 'communal_clash'),
  rule(3, 'state', 'military_operation'),
  rule(3, 'insurgents', 'insurgent_attack'),
  rule(3, 'separatists', 'separatist_violence'),
  rule(3, 'militants', 'insurgent_attack'),
  rule(3, 'bandits', 'banditry'),
  rule(3, 'vigilantes', 'mob_violence'),
  rule(3, 'cults', 'gang_violence'),
  rule(3, 'gangs', 'gang_violence'),
  rule(3, 'parties', 'political_violence'),
  rule(3, 'faiths', 'sectarian_violence'),
  rule(3, 'herders', 'farmer_herder_clash'),
  rule(3, null, 'banditry'),
]

export interface PlacePrecision {
  readonly meaning: string
  readonly precision: Precision
  readonly radiusKm: number
  /** True if `where_coordinates` is more precise than the row's LGA and state. */
  readonly named: boolean
}

export const WHERE_PRECISION: Readonly<Record<number, PlacePrecision>> = {
  1: { meaning: 'the exact place', precision: 'settlement', radiusKm: 3, named: true },
  2: { meaning: 'within about 25 km of the place', precision: 'lga', radiusKm: 25, named: true },
  3: { meaning: 'the LGA', precision: 'lga', radiusKm: 30, named: false },
  4: { meaning: 'the state', precision: 'state', radiusKm: 100, named: false },
  5: { meaning: 'a road, a border, a part of the country', precision: 'state', radiusKm: 100, named: true },
  6: { meaning: 'the country', precision: 'state', radiusKm: 600, named: false },
  7: { meaning: 'at sea or in the air', precision: 'state', radiusKm: 200, named: true },
}

export const DATE_PRECISION: Readonly<Record<number, TimePrecision>> = {
  1: 'day',
  2: 'week',
  3: 'week',
  4: 'month',
  5: 'year',
}

/** 1: a report of one event; 2: of several, which UCDP has split. */
export const CLARITY: Readonly<Record<number, number>> = { 1: 1, 2: 0.5 }
