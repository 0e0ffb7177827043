import type { IncidentType } from '../../domain/taxonomy.ts'

/**
 * First sentences, with the placeholders of text/placeholders.ts; a capitalised one begins a
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
