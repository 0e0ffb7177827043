export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

interface Described {
  readonly label: string
  readonly description: string
}

export const SEVERITY_DESCRIPTIONS = {
  low: { label: 'Low', description: 'Nobody hurt; little disruption.' },
  medium: { label: 'Medium', description: 'Injuries or serious disruption; no deaths known.' },
  high: { label: 'High', description: 'Deaths or abductions.' },
  critical: { label: 'Critical', description: 'Many dead or abducted, or a threat that goes on.' },
} as const satisfies Record<Severity, Described>

export const CATEGORIES = {
  abduction: { label: 'Abduction', description: 'People taken or held against their will.' },
  crime: { label: 'Crime', description: 'Violent crime for gain.' },
  armed_conflict: {
    label: 'Armed conflict',
    description: 'Attacks by organised armed groups, and operations against them.',
  },
  communal: {
    label: 'Communal violence',
    description: 'Violence between communities, over land, herds, chieftaincy or faith.',
  },
  gang: { label: 'Cult and gang violence', description: 'Fights between cults, gangs and political thugs.' },
  civil_unrest: { label: 'Civil unrest', description: 'Protest, riot and mob action.' },
  maritime: { label: 'Maritime', description: 'Attacks at sea, in the creeks and on the rivers.' },
  infrastructure: {
    label: 'Infrastructure',
    description: 'Attacks on pipelines, power, rail and roads, and what follows from them.',
  },
} as const satisfies Record<string, Described>
export type Category = keyof typeof CATEGORIES

/**
 * The types of each category, with their labels, their severities if no casualties are known, and
 * what they are. No entry is removed or renamed within v1: clients depend on the names.
 */
// biome-ignore format: a table
const TYPES_BY_CATEGORY = {
  abduction: {
    kidnapping: ['Kidnapping', 'high', 'One or a few people abducted, usually for ransom.'],
    mass_abduction: ['Mass abduction', 'critical',
      'Ten or more people abducted at once, as from a school or a village.'],
    hostage_taking: ['Hostage taking', 'high', 'People held at a known place.'],
    hostage_release: ['Release or rescue', 'low', 'Abducted people freed, rescued or escaped.'],
  },
  crime: {
    armed_robbery: ['Armed robbery', 'medium', 'Robbery with weapons: homes, shops, banks.'],
    highway_robbery: ['Highway robbery', 'medium', 'Travellers robbed on the road.'],
    cattle_rustling: ['Cattle rustling', 'low', 'Livestock stolen by force.'],
    homicide: ['Homicide', 'high', 'A killing, ritual killings among them, with no known political or communal cause.'],
    assassination: ['Assassination', 'medium', 'The targeted killing of a public figure, or an attempt.'],
  },
  armed_conflict: {
    banditry: ['Banditry', 'medium', 'A raid by an armed gang on a village, camp or road.'],
    insurgent_attack: ['Insurgent attack', 'medium', 'An attack by an insurgent or terrorist group.'],
    explosion: ['Explosion', 'medium', 'A bomb, an improvised device, a mine or a suicide attack.'],
    military_operation: ['Military operation', 'low', 'A raid, clash or air strike by the security forces.'],
    attack_on_security_forces: ['Attack on security forces', 'medium',
      'Police, soldiers or guards attacked at a post or on patrol.'],
    separatist_violence: ['Separatist violence', 'medium',
      'Violence by or against separatist groups, and the enforcing of sit-at-home orders.'],
  },
  communal: {
    communal_clash: ['Communal clash', 'medium', 'Fighting between neighbouring communities.'],
    farmer_herder_clash: ['Farmer–herder clash', 'medium', 'Violence between farmers and herders.'],
    sectarian_violence: ['Sectarian violence', 'medium', 'Violence over religion.'],
  },
  gang: {
    cult_clash: ['Cult clash', 'medium', 'Fighting between cults or confraternities.'],
    gang_violence: ['Gang violence', 'medium', 'Fighting between street gangs or transport unions.'],
    political_violence: ['Political violence', 'medium', 'Thuggery at elections, rallies and party offices.'],
  },
  civil_unrest: {
    protest: ['Protest', 'low', 'A demonstration, strike or road block, peaceful or not.'],
    riot: ['Riot', 'medium', 'Crowds burning, looting or fighting.'],
    mob_violence: ['Mob violence', 'medium', 'A crowd attacking people it accuses: jungle justice.'],
  },
  maritime: {
    piracy: ['Piracy', 'medium', 'A vessel attacked at sea or on a river.'],
  },
  infrastructure: {
    pipeline_vandalism: ['Pipeline vandalism', 'low',
      'Pipelines broken, oil stolen, illegal refining, and the fires that follow.'],
    infrastructure_attack: ['Infrastructure attack', 'medium', 'Power lines, rail tracks, bridges or masts attacked.'],
  },
} as const satisfies Record<Category, Record<string, readonly [label: string, Severity, description: string]>>
export type IncidentType = { [C in Category]: keyof (typeof TYPES_BY_CATEGORY)[C] }[Category]

const ROWS = Object.entries(TYPES_BY_CATEGORY).flatMap(([category, types]) =>
  Object.entries(types).map(([type, row]) => ({ type, category, row })),
)
export const TYPES = Object.fromEntries(
  ROWS.map(({ type, category, row: [label, , description] }) => [type, { category, label, description }]),
) as Readonly<Record<IncidentType, Described & { readonly category: Category }>>

/** Severity by type if no casualties are known. */
export const BASE_SEVERITY = Object.fromEntries(ROWS.map(({ type, row }) => [type, row[1]])) as Readonly<
  Record<IncidentType, Severity>
>

export const TYPE_NAMES = Object.keys(TYPES) as readonly IncidentType[]
export const CATEGORY_NAMES = Object.keys(CATEGORIES) as readonly Category[]

export function categoryOf(type: IncidentType): Category {
  return TYPES[type].category
}

export function typesIn(category: Category): IncidentType[] {
  return TYPE_NAMES.filter((type) => TYPES[type].category === category)
}

export function severitiesFrom(least: Severity): Severity[] {
  return SEVERITIES.slice(SEVERITIES.indexOf(least))
}

/** The confidence in words, from the least; docs/confidence.md says what each means. */
export const CONFIDENCE_LEVELS = ['unconfirmed', 'likely', 'well_supported'] as const
export type ConfidenceLevel = (typeof CONFIDENCE_LEVELS)[number]

/**
 * The least confidence of each level. A single source that is not official reaches 0.58 at most,
 * with the exact place and minute, and a single official source 0.66.
 */
export const LEVEL_THRESHOLDS = {
  unconfirmed: 0,
  likely: 0.6,
  well_supported: 0.75,
} as const satisfies Record<ConfidenceLevel, number>

export function confidenceLevel(confidence: number): ConfidenceLevel {
  return CONFIDENCE_LEVELS.findLast((level) => confidence >= LEVEL_THRESHOLDS[level]) ?? 'unconfirmed'
}
