import type { Precision, TimePrecision } from '../../../../domain/incident.ts'
import type { IncidentType } from '../../../../domain/taxonomy.ts'
import type { Actor } from '../actors.ts'
import type { Columns } from '../csv/find-columns.ts'

const needed = (...names: string[]) => ({ names, needed: true })
const optional = (...names: string[]) => ({ names, needed: false })

/** Case-insensitive: older files have column names in upper case. */
export const ACLED_COLUMNS = {
  id: needed('event_id_cnty'),
  date: needed('event_date'),
  event: needed('event_type'),
  actor1: needed('actor1'),
  country: needed('country'),
  lat: needed('latitude'),
  lng: needed('longitude'),
  subEvent: optional('sub_event_type'),
  actor2: optional('actor2'),
  ally1: optional('assoc_actor_1', 'ally_actor_1'),
  ally2: optional('assoc_actor_2', 'ally_actor_2'),
  state: optional('admin1'),
  lga: optional('admin2'),
  location: optional('location'),
  geoPrecision: optional('geo_precision'),
  timePrecision: optional('time_precision'),
  source: optional('source'),
  notes: optional('notes'),
  fatalities: optional('fatalities'),
} as const satisfies Columns<string>
export type AcledField = keyof typeof ACLED_COLUMNS

/**
 * A type, a group whose type depends on the actors or the notes, or null if it is not an incident.
 */
export type EventClass = IncidentType | 'clash' | 'attack' | 'loot' | 'demonstration' | 'notes' | null

/** By event and sub-event type, in lower case; '' is for files without sub-event types. */
export const ACLED_TYPES: Readonly<Record<string, Readonly<Record<string, EventClass>>>> = {
  battles: {
    'armed clash': 'clash',
    'government regains territory': 'military_operation',
    'non-state actor overtakes territory': 'insurgent_attack',
    '': 'clash',
  },
  'violence against civilians': {
    attack: 'attack',
    'sexual violence': 'attack',
    'abduction/forced disappearance': 'kidnapping',
    '': 'attack',
  },
  'explosions/remote violence': {
    'air/drone strike': 'military_operation',
    'suicide bomb': 'explosion',
    'remote explosive/landmine/ied': 'explosion',
    grenade: 'explosion',
    'shelling/artillery/missile attack': 'explosion',
    'chemical weapon': 'explosion',
    '': 'explosion',
  },
  riots: { 'violent demonstration': 'riot', 'mob violence': 'mob_violence', '': 'riot' },
  protests: {
    'peaceful protest': 'protest',
    'protest with intervention': 'protest',
    'excessive force against protesters': 'protest',
    'excessive force against protestors': 'protest',
    '': 'protest',
  },
  'strategic developments': {
    arrests: 'military_operation',
    'disrupted weapons use': 'military_operation',
    'looting/property destruction': 'loot',
    'non-violent transfer of territory': 'military_operation',
    agreement: null,
    'change to group/activity': null,
    'headquarters or base established': null,
    other: 'notes',
    '': 'notes',
  },
  'battle-no change of territory': { '': 'clash' },
  'battle-government regains territory': { '': 'military_operation' },
  'battle-non-state actor overtakes territory': { '': 'insurgent_attack' },
  'remote violence': { '': 'explosion' },
  'riots/protests': { '': 'demonstration' },
  'strategic development': { '': 'notes' },
  'headquarters or base established': { '': null },
  'non-violent transfer of territory': { '': 'military_operation' },
  'non-violent activity by a conflict actor': { '': 'notes' },
}

/** The first actor kind that is present gives the type; `*` matches any. */
export const ACLED_ACTORS: Readonly<
  Record<'clash' | 'attack' | 'loot', readonly (readonly [Actor | '*', IncidentType])[]>
> = {
  clash: [
    ['pirates', 'piracy'],
    ['separatists', 'separatist_violence'],
    ['state', 'military_operation'],
    ['insurgents', 'insurgent_attack'],
    ['militants', 'insurgent_attack'],
    ['bandits', 'banditry'],
    ['cults', 'cult_clash'],
    ['gangs', 'gang_violence'],
    ['parties', 'political_violence'],
    ['faiths', 'sectarian_violence'],
    ['herders', 'farmer_herder_clash'],
    ['vigilantes', 'banditry'],
    ['*', 'communal_clash'],
  ],
  attack: [
    ['pirates', 'piracy'],
    ['insurgents', 'insurgent_attack'],
    ['militants', 'insurgent_attack'],
    ['separatists', 'separatist_violence'],
    ['bandits', 'banditry'],
    ['state', 'military_operation'],
    ['cults', 'gang_violence'],
    ['gangs', 'gang_violence'],
    ['parties', 'political_violence'],
    ['faiths', 'sectarian_violence'],
    ['herders', 'farmer_herder_clash'],
    ['vigilantes', 'mob_violence'],
    ['*', 'banditry'],
  ],
  loot: [
    ['pirates', 'piracy'],
    ['insurgents', 'insurgent_attack'],
    ['militants', 'insurgent_attack'],
    ['separatists', 'separatist_violence'],
    ['bandits', 'banditry'],
    ['parties', 'political_violence'],
    ['herders', 'farmer_herder_clash'],
    ['*', 'armed_robbery'],
  ],
}

interface PlacePrecision {
  readonly precision: Precision
  readonly radiusKm: number
  readonly named: boolean
}

/** 1: the town; 2: part of a region, at a nearby town; 3: the region, at its capital. */
export const GEO_PRECISION: Readonly<Record<number, PlacePrecision>> = {
  1: { precision: 'settlement', radiusKm: 3, named: true },
  2: { precision: 'lga', radiusKm: 25, named: true },
  3: { precision: 'state', radiusKm: 100, named: false },
}

export const TIME_PRECISION: Readonly<Record<number, TimePrecision>> = { 1: 'day', 2: 'week', 3: 'month' }

export const ACLED_DATASET = {
  dataset: 'acled',
  attribution: 'Armed Conflict Location & Event Data (ACLED), acleddata.com',
} as const
