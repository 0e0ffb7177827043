import type { SourceClass } from '../domain/confidence.ts'
import type { IncidentType } from '../domain/taxonomy.ts'
import type { Setting } from './mixes.ts'

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

interface Count {
  readonly least: number
  readonly most: number
  readonly noun: Noun
}

/** Ranges of numbers that appear only in summaries. */
export const COUNTS = {
  cattle: { least: 12, most: 160, noun: ['head of cattle', 'head of cattle'] },
  houses: { least: 2, most: 24, noun: ['house', 'houses'] },
  vehicles: { least: 1, most: 5, noun: ['vehicle', 'vehicles'] },
  freed: { least: 2, most: 28, noun: ['abducted person', 'abducted people'] },
  days: { least: 2, most: 45, noun: ['day', 'days'] },
} as const satisfies Record<string, Count>

export const GRIEVANCES = [
  'repeated abductions',
  'fuel prices',
  'prolonged power cuts',
  'the killing of a local youth',
  'unpaid salaries',
  'the state of the road',
  'the demolition of shops',
  'rising food prices',
]

export const OFFENCES = ['theft', 'robbery', 'child abduction', 'stealing a motorcycle']

export interface Publisher {
  readonly name: string
  readonly kind: SourceClass
  /** Relative frequency of quotes. */
  readonly weight: number
  /** Base URL of its articles; null for broadcasters. */
  readonly address: string | null
}

/** Publishers with invented names that cannot be mistaken for real ones. */
export const PUBLISHERS: readonly Publisher[] = [
  { name: 'Synthetic Daily', kind: 'national', weight: 26, address: 'https://example.org/daily/' },
  { name: 'Demo Wire', kind: 'national', weight: 22, address: 'https://example.org/wire/' },
  { name: 'Specimen Post', kind: 'national', weight: 16, address: 'https://example.org/post/' },
  { name: 'Placeholder Courier', kind: 'local', weight: 14, address: 'https://example.org/courier/' },
  { name: 'Made-up Echo', kind: 'local', weight: 10, address: 'https://example.org/echo/' },
  { name: 'Pretend Radio', kind: 'local', weight: 7, address: null },
  {
    name: 'Demo Official Bulletin',
    kind: 'official',
    weight: 12,
    address: 'https://example.org/bulletin/',
  },
]

/**
 * First sentences, with the placeholders of summary.ts; a capitalised one begins a
 * sentence. A template with a figure (`{killed}`) is used only for incidents that have it.
 */
export const OPENINGS: Readonly<Record<IncidentType, readonly string[]>> = {
  kidnapping: [
    '{Actors} abducted {abducted} {where} {when}{harm}{said}.',
    '{AbductedWere} abducted by {actors} {where} {when}{said}.',
    '{Actors} opened fire and took away {abducted} {where} {when}{harm}{said}.',
    '{Actors} seized {abducted} {where} {when}{harm}{said}.',
  ],
  mass_abduction: [
    '{Actors} abducted {abducted} in a raid {where} {when}{harm}{said}.',
    '{AbductedWere} abducted when {actors} struck {where} {when}{said}.',
    '{Actors} on motorcycles led away {abducted} {where} {when}{harm}{said}.',
  ],
  hostage_taking: [
    '{Actors} held {abducted} hostage {where} {when}{harm}{said}.',
    '{AbductedWere} held for several hours by {actors} {where} {when}{said}.',
    'A standoff began {where} {when} after {actors} took {abducted} hostage{said}.',
  ],
  hostage_release: [
    'Security forces rescued {freed} {where} {when}{said}.',
    '{Freed} regained their freedom {where} {when} after {days} in captivity{said}.',
    '{Freed} were freed {where} {when} in a joint operation by police and vigilantes{said}.',
    'Police and local hunters found {freed} {where} {when}, {days} after they were taken{said}.',
  ],
  armed_robbery: [
    '{Actors} held up shops and passers-by {where} {when}{casualties}{said}.',
    '{Actors} struck {where} {when} and escaped with cash and phones{leaving}{said}.',
    '{Lead} {when} during an armed robbery {where}{said}.',
    '{Actors} fired into the air and carted away cash {where} {when}{leaving}{said}.',
  ],
  highway_robbery: [
    '{Actors} blocked traffic and robbed travellers {where} {when}{casualties}{said}.',
    '{Actors} stopped {vehicles} {where} {when} and robbed the passengers{leaving}{said}.',
    '{Lead} {when} when {actors} waylaid vehicles {where}{said}.',
  ],
  cattle_rustling: [
    '{Actors} drove off {cattle} {where} {when}{casualties}{said}.',
    '{Actors} raided herds {where} {when} and made away with {cattle}{leaving}{said}.',
    '{Lead} {when} when {actors} stole {cattle} {where}{said}.',
  ],
  homicide: [
    '{KilledWere} killed by {actors} {where} {when}{said}.',
    '{KilledWere} found dead with machete wounds {where} {when}{said}.',
    '{KilledWere} shot dead {where} {when} by {actors}{said}.',
    '{KilledWere} found with fatal gunshot wounds {where} {when}{said}.',
  ],
  assassination: [
    '{KilledWere} shot dead by {actors} {where} {when}{said}.',
    '{KilledWere} killed in a targeted attack by {actors} {where} {when}{said}.',
    '{Survivor} survived an attack by {actors} {where} {when}{said}.',
    '{Actors} fired on the car of {survivor} {where} {when}{said}.',
  ],
  banditry: [
    '{Actors} struck {where} {when}{casualties}{said}.',
    '{Lead} {when} when {actors} on motorcycles attacked {target} {where}{said}.',
    '{Actors} opened fire {where} {when} and looted {loot}{leaving}{said}.',
    '{Actors} burned {houses} in a raid {where} {when}{casualties}{said}.',
    '{Actors} on motorcycles attacked {target} {where} {when}{casualties}{said}.',
  ],
  insurgent_attack: [
    '{Actors} struck {where} {when}{casualties}{said}.',
    '{Lead} {when} in an attack by {actors} {where}{said}.',
    '{Actors} in gun trucks opened fire {where} {when}{casualties}{said}.',
    '{Actors} set fire to {houses} {where} {when}{casualties}{said}.',
  ],
  explosion: [
    'An improvised explosive device went off {where} {when}{casualties}{said}.',
    '{Lead} {when} when a planted device exploded {where}{said}.',
    'An explosion {where} {when} was traced to a homemade bomb{leaving}{said}.',
    'A suspected suicide bomber detonated a device {where} {when}{casualties}{said}.',
  ],
  military_operation: [
    'Troops killed {killed} in an operation against {actors} {where} {when}.',
    'Troops on patrol clashed with {actors} {where} {when}{leaving}{said}.',
    'A joint security team raided a hideout of {actors} {where} {when}{leaving}{said}.',
    'Soldiers and vigilantes dislodged {actors} {where} {when}{leaving}{said}.',
  ],
  attack_on_security_forces: [
    '{Actors} opened fire on security personnel {where} {when}{casualties}{said}.',
    '{Actors} ambushed a patrol {where} {when}{casualties}{said}.',
    '{Lead} {when} when {actors} attacked a security team {where}{said}.',
    'Security personnel came under attack by {actors} {where} {when}{leaving}{said}.',
  ],
  separatist_violence: [
    '{Actors} enforcing a sit-at-home order opened fire {where} {when}{casualties}{said}.',
    '{Actors} burned {vehicles} {where} {when} over a sit-at-home order{leaving}{said}.',
    'Security forces clashed with suspected separatists {where} {when}{leaving}{said}.',
    '{Lead} {when} when {actors} attacked people who had ignored a sit-at-home order {where}{said}.',
  ],
  communal_clash: [
    'Fighting between neighbouring communities broke out {where} {when}{leaving}{said}.',
    'Youths from two communities clashed over land {where} {when}{leaving}{said}.',
    '{Lead} {when} as a boundary dispute turned violent {where}{said}.',
    'A chieftaincy dispute led to fighting {where} {when}{leaving}{said}.',
  ],
  farmer_herder_clash: [
    'Farmers and herders clashed {where} {when}{leaving}{said}.',
    '{Lead} {when} in violence between farmers and herders {where}{said}.',
    'A quarrel over grazed crops led to violence between farmers and herders {where} {when}{leaving}{said}.',
    '{Houses} were burned {where} {when} in violence between farmers and herders{leaving}{said}.',
  ],
  sectarian_violence: [
    'Violence between youths of different faiths broke out {where} {when}{leaving}{said}.',
    '{Lead} {when} as a religious dispute turned violent {where}{said}.',
    'A place of worship was damaged {where} {when} in violence between religious groups{leaving}{said}.',
  ],
  cult_clash: [
    'Rival cult groups clashed {where} {when}{leaving}{said}.',
    '{Lead} {when} as cultists fought for control of territory {where}{said}.',
    '{Lead} {when} in a suspected reprisal between rival cults {where}{said}.',
    'Cultists exchanged gunfire {where} {when}{leaving}{said}.',
  ],
  gang_violence: [
    'Street gangs fought with machetes and bottles {where} {when}{leaving}{said}.',
    'Rival factions of transport workers clashed {where} {when}{leaving}{said}.',
    '{Lead} {when} in fighting between street gangs {where}{said}.',
  ],
  political_violence: [
    'Thugs disrupted a party meeting {where} {when}{leaving}{said}.',
    'Supporters of rival parties clashed {where} {when}{leaving}{said}.',
    '{Lead} {when} when thugs attacked party members {where}{said}.',
    'Armed thugs chased away voters and party agents {where} {when}{leaving}{said}.',
  ],
  protest: [
    'Residents blocked traffic {where} {when} in protest at {grievance}{leaving}{said}.',
    'Traders staged a protest {where} {when} over {grievance}{leaving}{said}.',
    'Students and youths demonstrated {where} {when} over {grievance}{leaving}{said}.',
    'Police fired tear gas to disperse a protest over {grievance} {where} {when}{leaving}.',
  ],
  riot: [
    'Crowds looted shops and burned tyres {where} {when}{leaving}{said}.',
    'Rioting broke out {where} {when} over {grievance}{leaving}{said}.',
    '{Lead} {when} during rioting {where}{said}.',
  ],
  mob_violence: [
    '{KilledWere} beaten to death by a mob {where} {when}{said}.',
    'A mob attacked people accused of {offence} {where} {when}{leaving}{said}.',
    '{Lead} {when} when a crowd turned on people accused of {offence} {where}{said}.',
  ],
  piracy: [
    '{Actors} attacked a passenger boat {where} {when}{casualties}{said}.',
    '{Actors} boarded a cargo vessel {where} {when} and robbed the crew{leaving}{said}.',
    '{Lead} {when} when {actors} opened fire on a boat {where}{said}.',
    '{Actors} intercepted a fishing boat {where} {when} and made off with its engine{leaving}{said}.',
  ],
  pipeline_vandalism: [
    '{Actors} breached a petrol line {where} {when}{leaving}{said}.',
    'Fire swept through an illegal refining site {where} {when}{leaving}{said}.',
    '{Actors} ruptured a crude oil line {where} {when}, causing a spill{leaving}{said}.',
    'Guards found an illegal tapping point {where} {when}{unhurt}{said}.',
    '{Lead} {when} when a vandalised pipeline caught fire {where}{said}.',
  ],
  infrastructure_attack: [
    '{Actors} brought down a power transmission tower {where} {when}{leaving}{said}.',
    '{Actors} removed fittings from a rail line {where} {when}{leaving}{said}.',
    'A telecommunications mast was set on fire by {actors} {where} {when}{leaving}{said}.',
    '{Actors} damaged a power substation {where} {when}{leaving}{said}.',
  ],
}

const SEARCH = [
  'Police and vigilantes were searching the surrounding area.',
  'No ransom demand had been made public.',
  'A rescue operation was under way.',
  'Relatives were waiting for word from the abductors.',
]
const FREED = [
  'They were taken to hospital for checks.',
  'They were handed over to state officials.',
  'It was not clear whether a ransom had been paid.',
]
const INQUIRY = [
  'An investigation had begun.',
  'No arrest had been made.',
  'Police patrols in the area were increased.',
  'Two suspects were in custody.',
]
const PURSUIT = [
  'Troops were sent to the area.',
  'Local vigilantes went after the attackers.',
  'The attackers had left before security forces arrived.',
  'Many residents fled to neighbouring communities.',
  'A search for the attackers was under way.',
]
const OPERATION = [
  'Weapons and motorcycles were recovered.',
  'The operation was continuing.',
  'Some of the suspects escaped into the bush.',
  'The troops stayed on to search the area.',
]
const CALM = [
  'Security forces were deployed to restore calm.',
  'Community leaders appealed for calm.',
  'A night curfew was imposed.',
  'Calm was later restored by police.',
]
const CROWD = ['Police later cleared the area.', 'Shops in the area closed early.', 'Traffic was held up for hours.']
const BOMB_SQUAD = [
  'Bomb disposal officers sealed off the scene.',
  'The injured were taken to hospital.',
  'No group claimed responsibility.',
]
const WATER = [
  'A naval patrol was sent to the area.',
  'Marine police were searching nearby creeks.',
  'Boat operators suspended night trips.',
]
const REPAIR = [
  'Repair crews were waiting for security clearance.',
  'Guards sealed off the site.',
  'Services in the area were disrupted.',
]

/** Second sentences, about the reaction. */
export const ENDINGS: Readonly<Record<IncidentType, readonly string[]>> = {
  kidnapping: SEARCH,
  mass_abduction: SEARCH,
  hostage_taking: ['Negotiators were sent to the scene.', 'Police cordoned off the scene.'],
  hostage_release: FREED,
  armed_robbery: INQUIRY,
  highway_robbery: INQUIRY,
  cattle_rustling: PURSUIT,
  homicide: INQUIRY,
  assassination: [...INQUIRY, 'The motive was not known.'],
  banditry: PURSUIT,
  insurgent_attack: PURSUIT,
  explosion: BOMB_SQUAD,
  military_operation: OPERATION,
  attack_on_security_forces: [...PURSUIT.slice(0, 2), 'Reinforcements were sent to the area.', 'Weapons were taken.'],
  separatist_violence: [...INQUIRY, 'Shops and banks in the area stayed closed.'],
  communal_clash: CALM,
  farmer_herder_clash: CALM,
  sectarian_violence: CALM,
  cult_clash: INQUIRY,
  gang_violence: INQUIRY,
  political_violence: [...INQUIRY, 'Party leaders appealed for calm.'],
  protest: CROWD,
  riot: CALM,
  mob_violence: INQUIRY,
  piracy: WATER,
  pipeline_vandalism: REPAIR,
  infrastructure_attack: REPAIR,
}

export const UNKNOWN_CASUALTIES = [
  'The number of casualties was not immediately known.',
  'Casualty figures were not immediately available.',
]
export const NO_DEATHS = ['No deaths were recorded.', 'No one was killed.']
export const NO_HARM = ['No one was hurt.', 'No casualties were recorded.']
