import type { Casualties } from '../domain/incident.ts'
import type { IncidentType, Severity } from '../domain/taxonomy.ts'

/** Distribution of one casualty figure. Figures that a type does not list are never known. */
export interface Figure {
  /** Share of incidents whose figure is known. */
  readonly known: number
  /** Share of the known figures that are above zero. */
  readonly some: number
  readonly least: number
  /** Mean above `least`. */
  readonly more: number
  readonly most: number
}

interface TypeTraits {
  readonly hours: HoursName
  readonly settings: readonly Setting[]
  /** Severity of an incident without known victims. */
  readonly unhurt: Severity
  readonly figures: Partial<Record<keyof Casualties, Figure>>
}

const figure = (known: number, some: number, more: number, most: number, least = 1): Figure => {
  return { known, some, least, more, most }
}
const traits = (
  hours: HoursName,
  settings: readonly Setting[],
  unhurt: Severity,
  figures: TypeTraits['figures'],
): TypeTraits => ({ hours, settings, unhurt, figures })

export const TRAITS: Readonly<Record<IncidentType, TypeTraits>> = {
  kidnapping: traits('dusk', ['road', 'rural', 'home', 'road'], 'high', {
    abducted: figure(0.86, 1, 1.8, 9),
    killed: figure(0.3, 0.45, 0.5, 4),
    injured: figure(0.15, 0.7, 1, 6),
  }),
  mass_abduction: traits('night', ['rural', 'school', 'rural', 'road'], 'critical', {
    abducted: figure(1, 1, 19, 140, 10),
    killed: figure(0.45, 0.6, 2, 18),
    injured: figure(0.2, 0.8, 3, 20),
  }),
  hostage_taking: traits('daylight', ['home', 'town'], 'high', {
    abducted: figure(0.8, 1, 3, 9),
    killed: figure(0.3, 0.25, 0.3, 3),
    injured: figure(0.25, 0.6, 1, 5),
  }),
  hostage_release: traits('daylight', ['rural', 'forest', 'road'], 'low', {}),
  armed_robbery: traits('night', ['town', 'home', 'town'], 'medium', {
    killed: figure(0.5, 0.4, 0.4, 6),
    injured: figure(0.35, 0.7, 1, 8),
  }),
  highway_robbery: traits('dusk', ['road'], 'medium', {
    killed: figure(0.45, 0.35, 0.5, 6),
    injured: figure(0.3, 0.7, 1.2, 9),
  }),
  cattle_rustling: traits('night', ['rural', 'grazing'], 'low', {
    killed: figure(0.45, 0.45, 1.2, 10),
    injured: figure(0.25, 0.7, 1.2, 8),
  }),
  homicide: traits('night', ['home', 'town', 'rural'], 'high', { killed: figure(1, 1, 0.25, 4) }),
  assassination: traits('evening', ['home', 'road'], 'medium', {
    killed: figure(1, 0.7, 0, 1),
    injured: figure(0.35, 0.6, 0.5, 3),
  }),
  banditry: traits('night', ['rural', 'rural', 'town', 'road'], 'medium', {
    killed: figure(0.68, 0.75, 3, 45),
    injured: figure(0.35, 0.8, 3, 30),
    abducted: figure(0.3, 0.8, 4, 30),
  }),
  insurgent_attack: traits('night', ['rural', 'town', 'rural', 'post'], 'medium', {
    killed: figure(0.66, 0.8, 4, 70),
    injured: figure(0.4, 0.85, 4, 50),
    abducted: figure(0.15, 0.7, 3, 20),
  }),
  explosion: traits('daylight', ['road', 'town', 'rural'], 'medium', {
    killed: figure(0.72, 0.7, 2.6, 40),
    injured: figure(0.6, 0.9, 5, 80),
  }),
  military_operation: traits('any', ['forest', 'rural', 'forest'], 'low', {
    killed: figure(0.6, 0.75, 4, 40),
    injured: figure(0.2, 0.7, 1.5, 10),
  }),
  attack_on_security_forces: traits('night', ['post', 'road', 'post'], 'medium', {
    killed: figure(0.7, 0.72, 1.6, 20),
    injured: figure(0.4, 0.75, 1.5, 15),
  }),
  separatist_violence: traits('daylight', ['town', 'road', 'public'], 'medium', {
    killed: figure(0.6, 0.6, 0.9, 9),
    injured: figure(0.35, 0.75, 1.2, 10),
  }),
  communal_clash: traits('daylight', ['rural', 'town'], 'medium', {
    killed: figure(0.6, 0.68, 2, 25),
    injured: figure(0.45, 0.85, 3, 30),
  }),
  farmer_herder_clash: traits('any', ['rural', 'grazing'], 'medium', {
    killed: figure(0.66, 0.75, 2.8, 40),
    injured: figure(0.4, 0.85, 3, 30),
  }),
  sectarian_violence: traits('daylight', ['town', 'public'], 'medium', {
    killed: figure(0.5, 0.5, 1.5, 20),
    injured: figure(0.5, 0.85, 3, 30),
  }),
  cult_clash: traits('evening', ['town', 'home', 'public'], 'medium', {
    killed: figure(0.72, 0.75, 0.9, 12),
    injured: figure(0.35, 0.75, 1.2, 10),
  }),
  gang_violence: traits('evening', ['town', 'public', 'home'], 'medium', {
    killed: figure(0.5, 0.45, 0.6, 6),
    injured: figure(0.5, 0.85, 2, 15),
  }),
  political_violence: traits('daylight', ['campaign', 'public'], 'medium', {
    killed: figure(0.45, 0.35, 0.5, 6),
    injured: figure(0.5, 0.8, 2, 15),
  }),
  protest: traits('daylight', ['public', 'town', 'public'], 'low', {
    killed: figure(0.4, 0.06, 0.4, 4),
    injured: figure(0.35, 0.25, 1.5, 12),
  }),
  riot: traits('daylight', ['public', 'town'], 'medium', {
    killed: figure(0.45, 0.4, 1, 12),
    injured: figure(0.5, 0.85, 4, 40),
  }),
  mob_violence: traits('daylight', ['town', 'public', 'home'], 'medium', {
    killed: figure(0.8, 0.75, 0.3, 4),
    injured: figure(0.3, 0.7, 0.5, 5),
  }),
  piracy: traits('dusk', ['water'], 'medium', {
    killed: figure(0.4, 0.35, 0.6, 6),
    injured: figure(0.3, 0.6, 1, 8),
    abducted: figure(0.45, 0.7, 2.5, 9),
  }),
  pipeline_vandalism: traits('night', ['pipeline'], 'low', {
    killed: figure(0.45, 0.22, 3, 30),
    injured: figure(0.3, 0.4, 2, 20),
  }),
  infrastructure_attack: traits('night', ['outskirts'], 'medium', {
    killed: figure(0.4, 0.15, 0.5, 4),
    injured: figure(0.25, 0.3, 0.8, 5),
  }),
}

/** Weights of the types in each kind of state; they add up to about 100. */
// biome-ignore format: a table
export const MIXES = {
  insurgency: {
    insurgent_attack: 32, explosion: 13, military_operation: 15, attack_on_security_forces: 10, kidnapping: 9,
    hostage_release: 4, mass_abduction: 2, farmer_herder_clash: 3, cattle_rustling: 3, communal_clash: 2,
    armed_robbery: 3, infrastructure_attack: 2, homicide: 2, mob_violence: 1, protest: 1,
  },
  banditry: {
    banditry: 30, kidnapping: 22, military_operation: 11, cattle_rustling: 8, mass_abduction: 6, hostage_release: 5,
    attack_on_security_forces: 4, highway_robbery: 4, farmer_herder_clash: 2, homicide: 2, armed_robbery: 2,
    explosion: 1, hostage_taking: 1, infrastructure_attack: 1, protest: 1, sectarian_violence: 1,
  },
  northern_city: {
    armed_robbery: 18, gang_violence: 15, kidnapping: 12, homicide: 11, farmer_herder_clash: 8, protest: 8,
    communal_clash: 6, mob_violence: 6, political_violence: 5, military_operation: 3, cattle_rustling: 3, riot: 3,
    sectarian_violence: 2,
  },
  middle_belt: {
    farmer_herder_clash: 26, kidnapping: 15, communal_clash: 13, banditry: 9, homicide: 6, armed_robbery: 5,
    military_operation: 5, cattle_rustling: 4, attack_on_security_forces: 3, hostage_release: 3, cult_clash: 3,
    sectarian_violence: 3, protest: 3, mob_violence: 2, highway_robbery: 2, riot: 1,
  },
  crossroads: {
    kidnapping: 27, armed_robbery: 16, highway_robbery: 9, protest: 9, homicide: 8, banditry: 5, mob_violence: 4,
    communal_clash: 4, farmer_herder_clash: 4, hostage_release: 4, cult_clash: 3, infrastructure_attack: 2,
    political_violence: 2, attack_on_security_forces: 2, explosion: 1, military_operation: 1,
  },
  niger_delta: {
    cult_clash: 19, kidnapping: 15, pipeline_vandalism: 14, piracy: 9, armed_robbery: 9, homicide: 7, communal_clash:
    6, protest: 6, political_violence: 3, mob_violence: 3, military_operation: 3, gang_violence: 2,
    attack_on_security_forces: 2, hostage_release: 1, infrastructure_attack: 1,
  },
  inland_delta: {
    cult_clash: 24, kidnapping: 20, armed_robbery: 12, homicide: 10, farmer_herder_clash: 6, mob_violence: 6, protest:
    6, communal_clash: 4, highway_robbery: 4, political_violence: 3, pipeline_vandalism: 3, hostage_release: 2,
  },
  south_east: {
    separatist_violence: 20, kidnapping: 16, attack_on_security_forces: 14, cult_clash: 9, homicide: 9, armed_robbery:
    8, communal_clash: 6, military_operation: 5, farmer_herder_clash: 3, mob_violence: 3, protest: 3,
    political_violence: 2, assassination: 2, pipeline_vandalism: 1,
  },
  south_west: {
    kidnapping: 19, armed_robbery: 17, cult_clash: 12, homicide: 11, protest: 9, farmer_herder_clash: 7, mob_violence:
    6, gang_violence: 6, highway_robbery: 5, political_violence: 4, communal_clash: 3, riot: 1, hostage_release: 1,
    assassination: 1, pipeline_vandalism: 1,
  },
  metropolis: {
    armed_robbery: 24, protest: 17, gang_violence: 13, cult_clash: 11, homicide: 10, mob_violence: 8, kidnapping: 5,
    riot: 3, pipeline_vandalism: 3, political_violence: 3, piracy: 2, communal_clash: 2, infrastructure_attack: 1,
  },
} as const satisfies Record<string, Partial<Record<IncidentType, number>>>
type MixName = keyof typeof MIXES

/** Factors by month, January first; types that are not listed have no season. */
export const SEASONS: Partial<Record<IncidentType, readonly number[]>> = {
  farmer_herder_clash: [1.2, 1.3, 1.4, 1.5, 1.4, 1.1, 0.8, 0.7, 0.6, 0.7, 1, 1.2],
  cattle_rustling: [1.2, 1.2, 1.3, 1.2, 1.1, 0.9, 0.8, 0.7, 0.8, 0.9, 1, 1.1],
  insurgent_attack: [1.2, 1.3, 1.2, 1.1, 1, 0.9, 0.8, 0.7, 0.8, 1, 1.1, 1.2],
  mass_abduction: [1.1, 1.3, 1.4, 1.1, 1.1, 1.1, 1, 0.5, 0.8, 1, 1.1, 1.2],
  piracy: [1.3, 1.2, 1.2, 1.1, 1, 0.8, 0.6, 0.6, 0.8, 1, 1.2, 1.3],
  highway_robbery: [1, 0.9, 1, 1.1, 0.9, 0.9, 0.9, 0.9, 0.9, 1, 1.2, 1.5],
  protest: [1, 1.1, 0.9, 0.8, 0.9, 1.1, 1, 1.2, 1, 1.4, 0.9, 0.8],
}

/** Shares of incidents by number of sources. */
export const SOURCE_COUNTS = [
  [1, 0.46],
  [2, 0.36],
  [3, 0.18],
] as const

export const PRECISION_SHARES = [
  ['settlement', 0.5],
  ['lga', 0.3],
  ['exact', 0.14],
  ['state', 0.06],
] as const

export const TIME_PRECISION_SHARES = [
  ['day', 0.42],
  ['hour', 0.37],
  ['exact', 0.18],
  ['week', 0.03],
] as const

interface PlaceTemplate {
  /** The words before the place: `at`, `on the`. */
  readonly lead: string
  /** `{town}`, `{name}`: main town; `{next}`: a neighbour's; `{side}`: direction from the town. */
  readonly place: string
}

const at = (lead: string, place: string): PlaceTemplate => ({ lead, place })

/** Places derived from an LGA's name, so that no real village is named. */
export const PLACE_TEMPLATES = {
  town: [
    at('at', '{town} market'),
    at('near', '{town} motor park'),
    at('at a', 'filling station in {town}'),
    at('on the', '{side} side of {town}'),
    at('near the', 'main market in {town}'),
  ],
  home: [
    at('at a', 'house in {town}'),
    at('in a', 'housing estate in {town}'),
    at('in a', 'residential area of {town}'),
    at('on the', 'outskirts of {town}'),
  ],
  road: [
    at('on the', '{name}–{next} road'),
    at('on the', '{name}–{next} road'),
    at('along the', 'road linking {name} and {next}'),
    at('on a', 'stretch of road {side} of {town}'),
  ],
  rural: [
    at('in a', 'village {side} of {town}'),
    at('in a', 'farming settlement near {town}'),
    at('on', 'farmland {side} of {town}'),
    at('on the', 'outskirts of {town}'),
    at('in a', 'hamlet between {name} and {next}'),
  ],
  grazing: [
    at('in a', 'grazing area {side} of {town}'),
    at('in a', 'herding settlement near {town}'),
    at('at a', 'livestock camp {side} of {town}'),
  ],
  forest: [
    at('in a', 'forest {side} of {town}'),
    at('in', 'bush between {name} and {next}'),
    at('in a', 'wooded area near {town}'),
  ],
  school: [
    at('at a', 'boarding school near {town}'),
    at('at a', 'secondary school {side} of {town}'),
    at('at a', 'primary school on the outskirts of {town}'),
  ],
  post: [
    at('at a', 'checkpoint outside {town}'),
    at('at a', 'police post in {town}'),
    at('at a', 'security base near {town}'),
    at('at a', 'checkpoint on the {name}–{next} road'),
  ],
  public: [
    at('at', '{name} roundabout'),
    at('near the', 'council secretariat in {town}'),
    at('on the', 'main road through {town}'),
    at('at a', 'busy junction in {town}'),
  ],
  campaign: [
    at('at a', 'party office in {town}'),
    at('at a', 'rally ground in {town}'),
    at('near a', 'polling unit in {town}'),
    at('near a', 'collation centre in {town}'),
  ],
  water: [
    at('on a', 'waterway near {town}'),
    at('in a', 'creek {side} of {town}'),
    at('near', '{name} jetty'),
    at('on the', '{name} channel'),
  ],
  outskirts: [at('near', '{town}'), at('on the', 'outskirts of {town}'), at('in', 'open country {side} of {town}')],
  pipeline: [
    at('on a', 'pipeline right of way near {town}'),
    at('in a', 'settlement {side} of {town}'),
    at('near a', 'flow station outside {town}'),
    at('in', 'bush {side} of {town}'),
  ],
} as const satisfies Record<string, readonly PlaceTemplate[]>

/** Kind of place in which an incident happens. */
export type Setting = keyof typeof PLACE_TEMPLATES

export const YEARLY_GROWTH = 1.13

/** Weights by month, January first: the dry season has more incidents. */
export const MONTHS = [1.1, 1.08, 1.12, 1.1, 1.06, 0.98, 0.9, 0.86, 0.88, 0.94, 0.98, 1.04] as const

/** Weights by weekday, Sunday first: fewer editors work at weekends. */
export const WEEKDAYS = [0.78, 1.1, 1.08, 1.05, 1.05, 1.04, 0.9] as const

/** Weights of publication by hour, in Nigerian time. */
export const DESK_HOURS = [
  0.3, 0.2, 0.15, 0.15, 0.25, 0.5, 0.9, 1.3, 1.7, 1.8, 1.7, 1.6, 1.5, 1.4, 1.5, 1.6, 1.6, 1.5, 1.3, 1.1, 0.9, 0.7, 0.5,
  0.4,
] as const

/** Weights of occurrence by hour, in Nigerian time. */
export const HOURS = {
  night: [9, 9, 8, 6, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4, 6, 8, 9, 10, 10],
  dusk: [2, 2, 1, 1, 2, 4, 5, 4, 3, 3, 3, 3, 3, 3, 4, 5, 7, 9, 10, 9, 7, 5, 3, 2],
  daylight: [0, 0, 0, 0, 0, 1, 3, 6, 9, 10, 10, 9, 8, 7, 7, 6, 5, 3, 2, 1, 0, 0, 0, 0],
  evening: [3, 2, 1, 1, 1, 1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 6, 8, 10, 10, 9, 8, 6, 4],
  any: [4, 4, 3, 3, 4, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 4],
} as const satisfies Record<string, readonly number[]>
export type HoursName = keyof typeof HOURS

interface StateTraits {
  /** Approximate share of incidents, in thousandths. */
  readonly weight: number
  readonly mix: MixName
  /** LGAs with far more incidents than their neighbours. */
  readonly hotspots: readonly string[]
}

const stateTraits = (weight: number, mix: MixName, ...hotspots: string[]): StateTraits => ({ weight, mix, hotspots })

// biome-ignore format: a table
export const STATES: Readonly<Record<string, StateTraits>> = {
  'NG-BO': stateTraits(112, 'insurgency', 'Maiduguri', 'Bama', 'Gwoza', 'Konduga', 'Damboa', 'Monguno', 'Dikwa', 'Kukawa'),
  'NG-ZA': stateTraits(92, 'banditry', 'Anka', 'Maradun', 'Maru', 'Shinkafi', 'Tsafe', 'Zurmi', 'Gusau'),
  'NG-KD': stateTraits(84, 'banditry', 'Birnin Gwari', 'Chikun', 'Kajuru', 'Kachia', 'Igabi', 'Giwa'),
  'NG-KT': stateTraits(72, 'banditry', 'Batsari', 'Jibia', 'Kankara', 'Faskari', 'Safana', 'Danmusa', 'Sabuwa'),
  'NG-NI': stateTraits(60, 'banditry', 'Shiroro', 'Rafi', 'Mashegu', 'Mariga'),
  'NG-PL': stateTraits(52, 'middle_belt', 'Barkin Ladi', 'Riyom', 'Bokkos', 'Mangu', 'Bassa', 'Jos North'),
  'NG-BE': stateTraits(50, 'middle_belt', 'Guma', 'Logo', 'Agatu', 'Gwer West', 'Katsina-Ala', 'Ukum'),
  'NG-RI': stateTraits(40, 'niger_delta', 'Port Harcourt', 'Khana', 'Ahoada East', 'Degema', 'Emohua'),
  'NG-DE': stateTraits(36, 'niger_delta', 'Warri South', 'Ughelli North', 'Ethiope East', 'Isoko South'),
  'NG-LA': stateTraits(34, 'metropolis', 'Ikeja', 'Mushin', 'Ikorodu', 'Alimosho', 'Ajeromi/Ifelodun'),
  'NG-IM': stateTraits(32, 'south_east', 'Orlu', 'Orsu', 'Okigwe', 'Owerri Municipal'),
  'NG-FC': stateTraits(30, 'crossroads', 'Kuje', 'Bwari', 'Abaji'),
  'NG-SO': stateTraits(30, 'banditry', 'Isa', 'Sabon Birni', 'Goronyo', 'Rabah'),
  'NG-AN': stateTraits(24, 'south_east', 'Ihiala', 'Nnewi South', 'Onitsha North'),
  'NG-YO': stateTraits(22, 'insurgency', 'Geidam', 'Gujba', 'Damaturu'),
  'NG-TA': stateTraits(20, 'middle_belt', 'Wukari', 'Takum', 'Ussa'),
  'NG-NA': stateTraits(18, 'middle_belt', 'Doma', 'Keana', 'Toto'),
  'NG-AD': stateTraits(17, 'insurgency', 'Madagali', 'Michika', 'Numan'),
  'NG-KE': stateTraits(17, 'banditry', 'Sakaba', 'Zuru'),
  'NG-KO': stateTraits(16, 'crossroads', 'Lokoja', 'Okene'),
  'NG-ED': stateTraits(15, 'inland_delta', 'Oredo', 'Egor'),
  'NG-BY': stateTraits(14, 'niger_delta', 'Yenagoa', 'Southern Ijaw', 'Brass'),
  'NG-AB': stateTraits(13, 'south_east', 'Aba South', 'Umunneochi'),
  'NG-ON': stateTraits(13, 'south_west', 'Owo', 'Akure North'),
  'NG-OG': stateTraits(13, 'south_west', 'Ado-Odo/Ota', 'Ijebu North'),
  'NG-EN': stateTraits(12, 'south_east', 'Uzo-Uwani', 'Nsukka'),
  'NG-EB': stateTraits(12, 'south_east', 'Ohaukwu', 'Abakaliki'),
  'NG-KN': stateTraits(12, 'northern_city', 'Kano Municipal', 'Dala'),
  'NG-CR': stateTraits(11, 'niger_delta', 'Calabar South', 'Obubra'),
  'NG-OY': stateTraits(11, 'south_west', 'Ibarapa North', 'Ibadan North'),
  'NG-BA': stateTraits(10, 'northern_city', 'Bauchi', 'Tafawa Balewa'),
  'NG-AK': stateTraits(10, 'niger_delta', 'Etim Ekpo', 'Ukanafun'),
  'NG-KW': stateTraits(10, 'crossroads', 'Ilorin West', 'Kaiama'),
  'NG-OS': stateTraits(7, 'south_west', 'Osogbo', 'Ife Central'),
  'NG-EK': stateTraits(6, 'south_west', 'Ado Ekiti', 'Ikole'),
  'NG-GO': stateTraits(6, 'northern_city', 'Gombe', 'Billiri'),
  'NG-JI': stateTraits(5, 'northern_city', 'Guri', 'Birniwa'),
}

/** Default for states that the table does not list. */
export const QUIET_STATE = stateTraits(5, 'crossroads')

/** LGAs on navigable water; piracy happens only there. */
export const WATERSIDE: Readonly<Record<string, readonly string[]>> = {
  'NG-RI': ['Bonny', 'Degema', 'Akuku Toru', 'Asari-Toru', 'Andoni', 'Okrika'],
  'NG-BY': ['Brass', 'Southern Ijaw', 'Ekeremor', 'Nembe'],
  'NG-DE': ['Warri South-West', 'Burutu', 'Bomadi', 'Patani'],
  'NG-AK': ['Ibeno', 'Mbo', 'Eastern Obolo', 'Oron'],
  'NG-CR': ['Bakassi', 'Akpabuyo', 'Calabar South'],
  'NG-LA': ['Apapa', 'Badagry', 'Ibeju-Lekki', 'Epe'],
}
