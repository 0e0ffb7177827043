import type { IncidentType } from '../../domain/taxonomy.ts'

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
