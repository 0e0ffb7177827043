export const SEVERITIES = ['low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

export interface Described {
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

interface TypeDescription extends Described {
  readonly category: Category
}

/** No entry is removed or renamed within v1: clients depend on the names. */
export const TYPES = {
  kidnapping: {
    category: 'abduction',
    label: 'Kidnapping',
    description: 'One or a few people abducted, usually for ransom.',
  },
  mass_abduction: {
    category: 'abduction',
    label: 'Mass abduction',
    description: 'Ten or more people abducted at once, as from a school or a village.',
  },
  hostage_taking: { category: 'abduction', label: 'Hostage taking', description: 'People held at a known place.' },
  hostage_release: {
    category: 'abduction',
    label: 'Release or rescue',
    description: 'Abducted people freed, rescued or escaped.',
  },
  armed_robbery: {
    category: 'crime',
    label: 'Armed robbery',
    description: 'Robbery with weapons: homes, shops, banks.',
  },
  highway_robbery: { category: 'crime', label: 'Highway robbery', description: 'Travellers robbed on the road.' },
  cattle_rustling: { category: 'crime', label: 'Cattle rustling', description: 'Livestock stolen by force.' },
  homicide: {
    category: 'crime',
    label: 'Homicide',
    description: 'A killing, ritual killings among them, with no known political or communal cause.',
  },
  assassination: {
    category: 'crime',
    label: 'Assassination',
    description: 'The targeted killing of a public figure, or an attempt.',
  },
  banditry: {
    category: 'armed_conflict',
    label: 'Banditry',
    description: 'A raid by an armed gang on a village, camp or road.',
  },
  insurgent_attack: {
    category: 'armed_conflict',
    label: 'Insurgent attack',
    description: 'An attack by an insurgent or terrorist group.',
  },
  explosion: {
    category: 'armed_conflict',
    label: 'Explosion',
    description: 'A bomb, an improvised device, a mine or a suicide attack.',
  },
  military_operation: {
    category: 'armed_conflict',
    label: 'Military operation',
    description: 'A raid, clash or air strike by the security forces.',
  },
  attack_on_security_forces: {
    category: 'armed_conflict',
    label: 'Attack on security forces',
    description: 'Police, soldiers or guards attacked at a post or on patrol.',
  },
  separatist_violence: {
    category: 'armed_conflict',
    label: 'Separatist violence',
    description: 'Violence by or against separatist groups, and the enforcing of sit-at-home orders.',
  },
  communal_clash: {
    category: 'communal',
    label: 'Communal clash',
    description: 'Fighting between neighbouring communities.',
  },
  farmer_herder_clash: {
    category: 'communal',
    label: 'Farmer–herder clash',
    description: 'Violence between farmers and herders.',
  },
  sectarian_violence: { category: 'communal', label: 'Sectarian violence', description: 'Violence over religion.' },
  cult_clash: { category: 'gang', label: 'Cult clash', description: 'Fighting between cults or confraternities.' },
  gang_violence: {
    category: 'gang',
    label: 'Gang violence',
    description: 'Fighting between street gangs or transport unions.',
  },
  political_violence: {
    category: 'gang',
    label: 'Political violence',
    description: 'Thuggery at elections, rallies and party offices.',
  },
  protest: {
    category: 'civil_unrest',
    label: 'Protest',
    description: 'A demonstration, strike or road block, peaceful or not.',
  },
  riot: { category: 'civil_unrest', label: 'Riot', description: 'Crowds burning, looting or fighting.' },
  mob_violence: {
    category: 'civil_unrest',
    label: 'Mob violence',
    description: 'A crowd attacking people it accuses: jungle justice.',
  },
  piracy: { category: 'maritime', label: 'Piracy', description: 'A vessel attacked at sea or on a river.' },
  pipeline_vandalism: {
    category: 'infrastructure',
    label: 'Pipeline vandalism',
    description: 'Pipelines broken, oil stolen, illegal refining, and the fires that follow.',
  },
  infrastructure_attack: {
    category: 'infrastructure',
    label: 'Infrastructure attack',
    description: 'Power lines, rail tracks, bridges or masts attacked.',
  },
} as const satisfies Record<string, TypeDescription>
export type IncidentType = keyof typeof TYPES

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
