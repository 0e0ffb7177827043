import type { IncidentType } from '../../domain/taxonomy.ts'
import type { Setting } from './settings.ts'

export type Noun = readonly [one: string, many: string]

export const PERSON: Noun = ['person', 'people']
const RESIDENT: Noun = ['resident', 'residents']
const FARMER: Noun = ['farmer', 'farmers']
const OFFICER: Noun = ['officer', 'officers']
const GUNMAN: Noun = ['gunman', 'gunmen']

export const VICTIMS: Readonly<Record<Setting | 'area', readonly Noun[]>> = {
  area: [PERSON, RESIDENT],
  town: [PERSON, RESIDENT, ['trader', 'traders']],
  home: [PERSON, RESIDENT],
  road: [
    ['traveller', 'travellers'],
    ['motorist', 'motorists'],
    ['passenger', 'passengers'],
  ],
  rural: [['villager', 'villagers'], FARMER, RESIDENT],
  grazing: [['herder', 'herders'], FARMER],
  forest: [PERSON],
  school: [
    ['student', 'students'],
    ['pupil', 'pupils'],
  ],
  post: [OFFICER],
  public: [PERSON, RESIDENT],
  campaign: [PERSON, ['party supporter', 'party supporters']],
  water: [PERSON],
  pipeline: [PERSON],
  outskirts: [PERSON],
}

/** Victims of types that override the setting. */
export const VICTIMS_OF: Partial<Record<IncidentType, readonly Noun[]>> = {
  assassination: [
    ['community leader', 'community leaders'],
    ['party official', 'party officials'],
    ['local politician', 'local politicians'],
    ['village head', 'village heads'],
    ['retired civil servant', 'retired civil servants'],
  ],
  attack_on_security_forces: [OFFICER, ['operative', 'operatives']],
  military_operation: [GUNMAN, ['fighter', 'fighters'], ['armed suspect', 'armed suspects']],
  mob_violence: [
    ['suspect', 'suspects'],
    ['man', 'men'],
  ],
  homicide: [
    ['man', 'men'],
    ['woman', 'women'],
    ['trader', 'traders'],
    ['motorcycle taxi rider', 'motorcycle taxi riders'],
    ['student', 'students'],
  ],
  communal_clash: [PERSON],
  cult_clash: [PERSON],
  explosion: [PERSON],
  gang_violence: [PERSON],
  pipeline_vandalism: [PERSON],
  protest: [['protester', 'protesters'], PERSON],
  riot: [PERSON],
  sectarian_violence: [PERSON],
  separatist_violence: [PERSON, ['trader', 'traders'], RESIDENT],
}

const ARMED_MEN = ['gunmen', 'armed men', 'unidentified gunmen']

/** Perpetrators, never a named group: the demo accuses nobody. */
export const ACTORS: Partial<Record<IncidentType, readonly string[]>> = {
  kidnapping: [...ARMED_MEN, 'suspected kidnappers'],
  mass_abduction: [...ARMED_MEN, 'a large group of gunmen'],
  hostage_taking: ARMED_MEN,
  armed_robbery: ['armed robbers', 'a gang of armed men', 'suspected robbers', 'armed men'],
  highway_robbery: ['armed robbers', 'armed men', 'suspected highway robbers'],
  cattle_rustling: ['suspected rustlers', 'armed rustlers', 'gunmen'],
  homicide: ['unknown assailants', 'unidentified gunmen', 'unknown attackers'],
  assassination: ['gunmen', 'unidentified gunmen', 'masked gunmen'],
  banditry: ['bandits', 'armed bandits', 'suspected bandits', 'gunmen'],
  insurgent_attack: ['suspected insurgents', 'insurgents', 'armed insurgents'],
  military_operation: ['an armed group', 'suspected bandits', 'an armed gang'],
  attack_on_security_forces: ['gunmen', 'unidentified gunmen', 'armed assailants'],
  separatist_violence: ['gunmen', 'armed men', 'suspected separatist gunmen'],
  piracy: ['suspected pirates', 'sea robbers', 'armed men in speedboats'],
  infrastructure_attack: ['suspected vandals', 'unknown saboteurs', 'gunmen'],
  pipeline_vandalism: ['suspected vandals', 'oil thieves', 'suspected oil thieves'],
}
export const UNKNOWN_ACTORS = ['unknown attackers']

export const OFFICIAL_ATTRIBUTIONS = [
  'police said',
  'a police spokesperson said',
  'officials said',
  'a local official said',
]
export const OTHER_ATTRIBUTIONS = [
  'locals said',
  'witnesses said',
  'a community leader said',
  'according to local reports',
]

/** Targets of an attack by setting, in general terms. */
export const TARGETS: Partial<Record<Setting, string>> = { road: 'vehicles', post: 'a security post' }
export const DEFAULT_TARGET = 'people'

export const LOOT: Partial<Record<Setting, string>> = { road: 'vehicles', town: 'shops' }
export const DEFAULT_LOOT = 'food and livestock'
