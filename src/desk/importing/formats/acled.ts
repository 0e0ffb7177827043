import type { Precision, TimePrecision } from '../../../domain/incident.ts'
import type { Report } from '../../../domain/report.ts'
import { type IncidentType, TYPE_NAMES, TYPES } from '../../../domain/taxonomy.ts'
import { type ClassifiedText, classifyText } from '../../../reading/extract.ts'
import { type Assumed, rejected } from './format.ts'
import { type Columns, datasetFormat, needed, optional } from './tables.ts'
import {
  type Actor,
  actorsIn,
  listedSources,
  readCode,
  readCountCell,
  readDayCell,
  readPoint,
  sourceOf,
} from './values.ts'

/** Case-insensitive: older files have column names in upper case. */
const ACLED_COLUMNS = {
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
type FieldReader = (field: keyof typeof ACLED_COLUMNS) => string

/**
 * A type, a group whose type depends on the actors or the notes, or null if it is not an incident.
 */
type EventClass = IncidentType | 'clash' | 'attack' | 'loot' | 'demonstration' | 'notes' | null

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

type ActorTypes = readonly (readonly [Actor | '*', IncidentType])[]

/** The first actor kind that is present gives the type; `*` matches any. */
// biome-ignore format: a table
export const ACLED_ACTORS: Readonly<Record<'clash' | 'attack' | 'loot', ActorTypes>> = {
  clash: [
    ['pirates', 'piracy'], ['separatists', 'separatist_violence'], ['state', 'military_operation'],
    ['insurgents', 'insurgent_attack'], ['militants', 'insurgent_attack'], ['bandits', 'banditry'],
    ['cults', 'cult_clash'], ['gangs', 'gang_violence'], ['parties', 'political_violence'],
    ['faiths', 'sectarian_violence'], ['herders', 'farmer_herder_clash'], ['vigilantes', 'banditry'],
    ['*', 'communal_clash'],
  ],
  attack: [
    ['pirates', 'piracy'], ['insurgents', 'insurgent_attack'], ['militants', 'insurgent_attack'],
    ['separatists', 'separatist_violence'], ['bandits', 'banditry'], ['state', 'military_operation'],
    ['cults', 'gang_violence'], ['gangs', 'gang_violence'], ['parties', 'political_violence'],
    ['faiths', 'sectarian_violence'], ['herders', 'farmer_herder_clash'], ['vigilantes', 'mob_violence'],
    ['*', 'banditry'],
  ],
  loot: [
    ['pirates', 'piracy'], ['insurgents', 'insurgent_attack'], ['militants', 'insurgent_attack'],
    ['separatists', 'separatist_violence'], ['bandits', 'banditry'], ['parties', 'political_violence'],
    ['herders', 'farmer_herder_clash'], ['*', 'armed_robbery'],
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

const COMPILER = 'ACLED'

interface NotesReading<Type = IncidentType> {
  readonly type: Type
  /** The number abducted, where the type is an abduction. */
  readonly abducted: number | null
}

interface NoteRule {
  /** `loot`: by the actors, as rows of that kind are. */
  readonly means: IncidentType | 'loot'
  readonly words: RegExp
  readonly example: string
}

/** Incidents of files alone; news about arrests reports none. The first that fits counts. */
export const STRATEGIC_NOTES: readonly NoteRule[] = [
  {
    means: 'military_operation',
    words:
      /\b(?:defus\w+|deactivat\w+|diffus(?:ed?|es)|safely detonat\w+|unexploded|discover(?:ed|s)? (?:\w+ ){0,4}(?:bombs?|ieds?|explosives?)|bombs? (?:\w+ ){0,3}(?:found|discovered))\b/i,
    example: 'Police defuse a bomb planted at a motor park.',
  },
  {
    means: 'military_operation',
    words:
      /\b(?:arrest(?:s|ed|ing)?|detain(?:s|ed|ing)?|apprehend(?:s|ed)?|nab(?:s|bed)|captur(?:es?|ed)|took (?:\w+ ){0,3}into custody|round(?:s|ed)? up|raid(?:s|ed)|intercept(?:s|ed)?|recover(?:s|ed)?|seiz(?:es?|ed)|uncover(?:s|ed)?|confiscat\w+|demolish(?:es|ed)?)\b/i,
    example: 'Soldiers arrested five suspects and recovered rifles.',
  },
  {
    means: 'loot',
    words:
      /\b(?:loot(?:s|ed|ing)?|burn(?:s|t|ed|ing)?|set (?:\w+ ){0,4}(?:ablaze|on fire|alight)|set fire|torch(?:es|ed)?|destroy(?:s|ed)?|destruction|vandali[sz]\w+|ransack\w*|damag(?:es|ed|ing)|steal(?:s|ing)?|stole)\b/i,
    example: 'Unidentified men set ten houses ablaze.',
  },
]

/** They are told of after the fact, or are not what the words after them would make them. */
const NO_INCIDENT =
  /\b(?:agree(?:s|d|ment)|cease-?fire|peace (?:talks|deal|accord|committee)|amnesty|negotiat\w+|disband\w*|merge[sd]?|new faction|splinter|pledge[sd]? allegiance|curfew|deploy(?:s|ed|ment)|redeploy\w*|withdr[ae]w\w*|relocat\w+|threaten\w*|warn(?:s|ed)?|claim(?:s|ed)? responsibility|statement|declar(?:es?|ed)|emergency rule|surrender\w*|recruit\w*|training camp|inaugurat\w+|appoint\w*)\b/i

/** Types that fighting may have which the army did not start. */
const STARTED_BY_OTHERS: ReadonlySet<IncidentType> = new Set([
  'attack_on_security_forces',
  'insurgent_attack',
  'banditry',
  'separatist_violence',
  'farmer_herder_clash',
  'cult_clash',
  'political_violence',
])
const CERTAIN = 0.7
const ABDUCTIONS: ReadonlySet<IncidentType> = new Set(['kidnapping', 'mass_abduction'])

export const acled = datasetFormat('an ACLED file', ACLED_COLUMNS, (get, now) => {
  const faults: string[] = []
  if (get('id') === '') faults.push('event_id_cnty is empty')
  // Without the number of demonstrators that ACLED appends.
  const notes = get('notes')
    .replace(/\s*\[size=[^\]]*\]\s*$/i, '')
    .trim()
  const reading = typeOf(get, notes, faults)
  const type = reading?.type ?? null
  const place = readCode(GEO_PRECISION, 'geo_precision', get('geoPrecision'), faults)
  const timePrecision = readCode(TIME_PRECISION, 'time_precision', get('timePrecision'), faults)
  const day = readDayCell('event_date', get('date'), now, 'day first', faults)
  const point = readPoint(['latitude', get('lat')], ['longitude', get('lng')], type === 'piracy', faults)
  const killed = readCountCell('fatalities', get('fatalities'), faults)
  if (type === null || faults.length > 0) return rejected(faults.join('; '))

  const sources = listedSources(get('source'), '', now)
  const report: Report = {
    type,
    severity: null,
    occurred_at: new Date(day!).toISOString(),
    time_precision: timePrecision ?? 'day',
    ...point,
    state: get('state') || null,
    lga: get('lga') || null,
    place: place?.named === false ? null : get('location') || null,
    precision: place?.precision ?? null,
    summary: notes === '' ? summaryOf(type, get) : notes,
    sources: sources.length === 0 ? [sourceOf(COMPILER)] : sources,
    ...ACLED_DATASET,
    casualties: { killed, injured: null, abducted: reading!.abducted },
  }
  const radiusKm = place?.radiusKm ?? null
  const assumed = assumedIn(report, notes, get)
  return { kind: 'report', sourceId: `acled:${get('id')}`, report, radiusKm, quality: null, assumed }
})

/** Files with fewer columns say less: that is no reason to forget what another one said. */
function assumedIn({ sources }: Report, notes: string, get: FieldReader): Assumed {
  const typeIsVague = notes === '' || get('actor1') === ''
  return {
    ...(typeIsVague ? { type: TYPE_NAMES } : {}),
    ...(get('timePrecision') === '' ? { timePrecision: true } : {}),
    ...(sources.length === 1 && sources[0]!.publisher === COMPILER ? { sources: true } : {}),
    ...(notes === '' ? { summary: 'all' as const } : {}),
  }
}

function typeOf(get: FieldReader, notes: string, faults: string[]): NotesReading | null {
  const event = get('event').toLowerCase()
  const subEvent = get('subEvent').toLowerCase()
  const subEvents = Object.hasOwn(ACLED_TYPES, event) ? ACLED_TYPES[event]! : {}
  const eventClass = Object.hasOwn(subEvents, subEvent) ? subEvents[subEvent] : undefined
  const said = [get('event'), get('subEvent')].filter(Boolean).join(' / ')
  const judged = eventClass === 'notes' ? judgeNotes(notes) : null
  if (eventClass === undefined) faults.push(`event_type "${said}" is not known`)
  if (eventClass === null) faults.push(`"${said}" is not an incident`)
  if (eventClass === 'notes' && judged === null) faults.push(`the notes of "${said}" tell of no incident`)
  if (eventClass === undefined || eventClass === null) return null
  if (eventClass === 'notes') return judged && { ...judged, type: typeByActors(judged.type, get) }
  const firstIsState = actorKindsOf(get, false).has('state')
  return correctByNotes(typeByActors(eventClass, get), eventClass, notes, firstIsState)
}

function typeByActors(eventClass: Exclude<EventClass, 'notes' | null>, get: FieldReader): IncidentType {
  if (eventClass === 'demonstration') return /^rioters/i.test(get('actor1')) ? 'riot' : 'protest'
  if (eventClass !== 'clash' && eventClass !== 'attack' && eventClass !== 'loot') return eventClass
  const actors = actorKindsOf(get, eventClass === 'clash')
  return ACLED_ACTORS[eventClass].find(([actor]) => actor === '*' || actors.has(actor))![1]
}

/** For an attack only the first side counts: the second one is the victim. */
function actorKindsOf(get: FieldReader, both: boolean): Set<Actor> {
  const names = both ? [get('actor1'), get('ally1'), get('actor2'), get('ally2')] : [get('actor1'), get('ally1')]
  return new Set(names.flatMap((name) => [...actorsIn(name)]))
}

function summaryOf(type: IncidentType, get: FieldReader): string {
  const actors = [get('actor1'), get('actor2')].filter(Boolean).join(' and ')
  const where = [get('location'), get('state')].filter(Boolean).join(', ')
  return `${TYPES[type].label}: ${[actors, where].filter(Boolean).join('; ')}.`
}

/**
 * Corrects the type that a row's codes give by what its notes say. `firstIsState`: actor1 is of the
 * state.
 */
function correctByNotes(
  coded: IncidentType,
  eventClass: EventClass,
  notes: string,
  firstIsState: boolean,
): NotesReading {
  const told = classifyText(notes)
  if (coded === 'explosion')
    return { type: firstIsState || told?.actions.has('air strike') ? 'military_operation' : coded, abducted: null }
  const byKind = eventClass === 'attack' || eventClass === 'clash' || eventClass === 'loot'
  if (told && (byKind || coded === 'kidnapping') && ABDUCTIONS.has(told.type)) return abduction(told)
  if (eventClass === 'clash' && coded === 'military_operation')
    return { type: fighting(told, firstIsState), abducted: null }
  return { type: coded, abducted: null }
}

function abduction({ type, casualties }: ClassifiedText): NotesReading {
  return { type, abducted: casualties.abducted }
}

/** Fighting with the army or police: an operation only if they began it. */
function fighting(told: ClassifiedText | null, firstIsState: boolean): IncidentType {
  if (told?.type === 'military_operation' && told.score >= CERTAIN) return 'military_operation'
  const isTold = told !== null && STARTED_BY_OTHERS.has(told.type)
  if (isTold && !firstIsState) return told.type
  // "Soldiers clashed with …" does not say who began; "ambushed soldiers" does.
  if (isTold && told.score >= CERTAIN && told.actions.has('attack')) return told.type
  return firstIsState ? 'military_operation' : 'attack_on_security_forces'
}

/** Reads the notes of a row without a kind; null where they tell of no incident. */
export function judgeNotes(notes: string): NotesReading<IncidentType | 'loot'> | null {
  const told = classifyText(notes)
  if (told && told.score >= CERTAIN)
    return ABDUCTIONS.has(told.type) ? abduction(told) : { type: told.type, abducted: null }
  const fitting = STRATEGIC_NOTES.find(({ words }) => words.test(notes))
  if (fitting && !(NO_INCIDENT.test(notes) && fitting.means !== 'loot')) return { type: fitting.means, abducted: null }
  return told && !NO_INCIDENT.test(notes) ? { type: told.type, abducted: null } : null
}
