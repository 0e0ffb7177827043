import type { IncidentType } from '../../src/domain/taxonomy.ts'

/**
 * A story of our own making, and what it reports. Names of people are invented; places are real.
 */
export interface HeldOutStory {
  readonly text: string
  readonly type: IncidentType
  readonly state: string
  readonly killed?: number
  readonly injured?: number
  readonly abducted?: number
}

const story = (
  text: string,
  type: IncidentType,
  state: string,
  counts: Pick<HeldOutStory, 'killed' | 'injured' | 'abducted'> = {},
): HeldOutStory => ({ text, type, state, ...counts })

const HERDERS = [
  story(
    'Four farmers were killed on Monday when armed herders invaded Yelwata village in Guma Local Government Area of Benue State.',
    'farmer_herder_clash',
    'Benue',
    { killed: 4 },
  ),
  story(
    'No fewer than 17 persons have lost their lives following an attack by suspected herdsmen on Ukum in Benue State.',
    'farmer_herder_clash',
    'Benue',
    { killed: 17 },
  ),
  story(
    'A clash between farmers and herders over a trampled farmland in Lafia, Nasarawa State, has left three people dead and eleven injured.',
    'farmer_herder_clash',
    'Nasarawa',
    { killed: 3, injured: 11 },
  ),
  story(
    'Two herders were killed and 40 cows rustled in Bokkos, Plateau State, in what residents called a reprisal.',
    'farmer_herder_clash',
    'Plateau',
    { killed: 2 },
  ),
  story(
    'Residents of Awgu in Enugu State fled on Saturday after suspected herdsmen macheted a 54-year-old farmer to death.',
    'farmer_herder_clash',
    'Enugu',
    { killed: 1 },
  ),
]

const BANDITS = [
  story(
    'Bandits riding on over 50 motorcycles stormed Kankara in Katsina State on Sunday night, killing eight and setting 23 houses ablaze.',
    'banditry',
    'Katsina',
    { killed: 8 },
  ),
  story(
    'At least twelve people were shot dead when bandits attacked mourners in Shinkafi, Zamfara State.',
    'banditry',
    'Zamfara',
    { killed: 12 },
  ),
  story(
    'Bandits have killed a village head and five others in Sabon Birni Local Government Area of Sokoto State over an unpaid levy of N10 million.',
    'banditry',
    'Sokoto',
    { killed: 6 },
  ),
  story(
    'Gunmen on motorcycles attacked Mashegu in Niger State on Thursday and killed 16 worshippers in a mosque.',
    'banditry',
    'Niger',
    { killed: 16 },
  ),
  story(
    'Armed bandits rustled more than 300 cattle in Batsari, Katsina State, in the early hours of Friday.',
    'cattle_rustling',
    'Katsina',
  ),
  story(
    'Vigilantes and bandits fought for hours in Maru, Zamfara State; seven vigilantes were killed.',
    'banditry',
    'Zamfara',
    { killed: 7 },
  ),
]

const ABDUCTIONS = [
  story(
    'Gunmen in the early hours of Tuesday broke into a boarding school in Jangebe, Zamfara State, and abducted 80 schoolgirls.',
    'mass_abduction',
    'Zamfara',
    { abducted: 80 },
  ),
  story(
    'Pupils of a primary school in Birnin Gwari, Kaduna State, were taken away by gunmen; 37 pupils were kidnapped.',
    'mass_abduction',
    'Kaduna',
    { abducted: 37 },
  ),
  story(
    'Kidnappers have abducted a Catholic priest in Okigwe, Imo State, and are demanding a ransom of N50 million.',
    'kidnapping',
    'Imo',
    { abducted: 1 },
  ),
  story(
    'Three passengers were kidnapped on Wednesday along the Benin-Ore highway in Ondo State.',
    'kidnapping',
    'Ondo',
    { abducted: 3 },
  ),
  story(
    'The wife of a councillor was kidnapped from her home in Kabba, Kogi State, by unknown gunmen.',
    'kidnapping',
    'Kogi',
    { abducted: 1 },
  ),
  story(
    'Gunmen whisked away 15 travellers in two buses near Kwali in Abuja.',
    'mass_abduction',
    'Federal Capital Territory',
    { abducted: 15 },
  ),
  story(
    'Eleven kidnapped farmers regained their freedom on Sunday in Kajuru, Kaduna State.',
    'hostage_release',
    'Kaduna',
    { abducted: 11 },
  ),
  story('Police rescued 14 kidnap victims from a forest in Isin, Kwara State, on Friday.', 'hostage_release', 'Kwara'),
]

const FORCES = [
  story(
    'Two policemen were shot dead by gunmen at a checkpoint in Nnewi, Anambra State, on Monday night.',
    'attack_on_security_forces',
    'Anambra',
    { killed: 2 },
  ),
  story(
    'Gunmen attacked a police station in Orlu, Imo State, killed three officers and carted away rifles.',
    'attack_on_security_forces',
    'Imo',
    { killed: 3 },
  ),
  story(
    'Insurgents ambushed a military convoy near Monguno in Borno State, killing nine soldiers and wounding 14.',
    'attack_on_security_forces',
    'Borno',
    { killed: 9, injured: 14 },
  ),
  story(
    'Bandits on Saturday ambushed a police patrol in Tsafe, Zamfara State, and killed four policemen.',
    'attack_on_security_forces',
    'Zamfara',
    { killed: 4 },
  ),
  story(
    'Troops of Operation Hadin Kai killed 24 terrorists in a clearance operation in Gwoza, Borno State.',
    'military_operation',
    'Borno',
    { killed: 24 },
  ),
  story(
    'Soldiers repelled an attack by bandits in Faskari, Katsina State, and neutralised five of them.',
    'military_operation',
    'Katsina',
    { killed: 5 },
  ),
  story(
    'An air strike by the Nigerian Air Force killed 20 bandits at a camp in Zurmi, Zamfara State.',
    'military_operation',
    'Zamfara',
    { killed: 20 },
  ),
  story(
    'Fighter jets bombed a terrorist enclave near Kukawa in Borno State on Tuesday; scores were killed.',
    'military_operation',
    'Borno',
  ),
  story(
    'Gunmen broke into a prison in Owerri, Imo State, on Monday and freed inmates after an attack with explosives.',
    'attack_on_security_forces',
    'Imo',
  ),
]

const BOMBS = [
  story(
    'A suicide bomber detonated explosives at a tea stall in Konduga, Borno State, killing six people and injuring 19 others.',
    'explosion',
    'Borno',
    { killed: 6, injured: 19 },
  ),
  story('A vehicle ran over a landmine near Dikwa in Borno State on Sunday; four farmers died.', 'explosion', 'Borno', {
    killed: 4,
  }),
  story(
    'An improvised explosive device exploded at a motor park in Gombe on Thursday, wounding seven.',
    'explosion',
    'Gombe',
    { injured: 7 },
  ),
  story(
    'Police found and defused a bomb near a church in Jalingo, Taraba State, on Sunday. Nobody was hurt.',
    'military_operation',
    'Taraba',
  ),
  story(
    'Anti-bomb experts discovered three unexploded IEDs at a market in Potiskum, Yobe State.',
    'military_operation',
    'Yobe',
  ),
]

const INSURGENTS = [
  story('Boko Haram fighters beheaded seven loggers in Jere, Borno State, on Friday.', 'insurgent_attack', 'Borno', {
    killed: 7,
  }),
  story(
    'ISWAP fighters stormed Geidam in Yobe State, burnt houses and killed eleven residents.',
    'insurgent_attack',
    'Yobe',
    { killed: 11 },
  ),
  story(
    'Suspected Boko Haram terrorists attacked Chibok, Borno State, killing between 10 and 15 people.',
    'insurgent_attack',
    'Borno',
    { killed: 10 },
  ),
  story('Lakurawa terrorists killed 15 people in Augie, Kebbi State, on Friday.', 'insurgent_attack', 'Kebbi', {
    killed: 15,
  }),
]

const COAST = [
  story('Vandals blew up a crude oil pipeline in Warri, Delta State, on Wednesday.', 'pipeline_vandalism', 'Delta'),
  story('Five people died when an illegal refinery exploded in Emuoha, Rivers State.', 'pipeline_vandalism', 'Rivers', {
    killed: 5,
  }),
  story(
    'Sea pirates attacked a passenger boat near Nembe in Bayelsa State and abducted seven traders.',
    'piracy',
    'Bayelsa',
    { abducted: 7 },
  ),
  story('Pirates boarded a vessel off Bonny, Rivers State, and kidnapped nine crew members.', 'piracy', 'Rivers', {
    abducted: 9,
  }),
  story(
    'Gunmen destroyed three electricity transmission towers near Damaturu, Yobe State.',
    'infrastructure_attack',
    'Yobe',
  ),
]

const STREETS = [
  story('Six persons were killed as rival cult groups clashed in Ikorodu, Lagos State.', 'cult_clash', 'Lagos', {
    killed: 6,
  }),
  story('Suspected cultists beheaded a 22-year-old student in Awka, Anambra State.', 'cult_clash', 'Anambra', {
    killed: 1,
  }),
  story(
    'An angry mob lynched two suspected phone thieves in Calabar, Cross River State.',
    'mob_violence',
    'Cross River',
    { killed: 2 },
  ),
  story('A mob burnt a woman to death in Sokoto over alleged blasphemy.', 'mob_violence', 'Sokoto', { killed: 1 }),
  story(
    'Armed robbers attacked a bank in Offa, Kwara State, and killed nine policemen and 24 customers.',
    'armed_robbery',
    'Kwara',
    { killed: 33 },
  ),
  story(
    'Robbers dispossessed passengers of their phones on the Lokoja-Okene highway in Kogi State.',
    'highway_robbery',
    'Kogi',
  ),
  story(
    'Political thugs attacked a campaign rally in Gusau, Zamfara State, injuring 18 supporters.',
    'political_violence',
    'Zamfara',
    { injured: 18 },
  ),
  story(
    'Youths protested in Ughelli, Delta State, over a blackout and blocked the road for hours.',
    'protest',
    'Delta',
  ),
  story('Rioters looted shops and burnt a police post in Kano on Thursday.', 'riot', 'Kano'),
  story('Gunmen assassinated a former commissioner at his home in Ikeja, Lagos State.', 'assassination', 'Lagos', {
    killed: 1,
  }),
  story(
    'Two communities in Obubra, Cross River State, clashed over land and five people were killed.',
    'communal_clash',
    'Cross River',
    { killed: 5 },
  ),
  story(
    'IPOB enforcers shot dead three traders in Enugu for defying a sit-at-home order.',
    'separatist_violence',
    'Enugu',
    { killed: 3 },
  ),
]

const OTHER_LANGUAGES = [
  story("'Yan bindiga sun kai hari a Jibia da ke jihar Katsina, sun kashe mutum takwas.", 'banditry', 'Katsina', {
    killed: 8,
  }),
  story("'Yan bindiga sun sace dalibai 40 a Zuru, jihar Kebbi.", 'mass_abduction', 'Kebbi', { abducted: 40 }),
  story('Mayakan Boko Haram sun kashe manoma goma a Mafa, jihar Borno.', 'insurgent_attack', 'Borno', { killed: 10 }),
  story(
    'Rikici tsakanin makiyaya da manoma a Wase, jihar Plateau, ya yi sanadin mutuwar mutum uku.',
    'farmer_herder_clash',
    'Plateau',
    { killed: 3 },
  ),
  story("Sojoji sun kashe 'yan ta'adda 12 a Bama, jihar Borno.", 'military_operation', 'Borno', { killed: 12 }),
  story('Gunmen don kidnap two doctors for Ore, Ondo State.', 'kidnapping', 'Ondo', { abducted: 2 }),
  story('Bandits don kill five people for Funtua, Katsina State, dem burn houses too.', 'banditry', 'Katsina', {
    killed: 5,
  }),
  story('Cult boys fight for Benin City, Edo State, three people don die.', 'cult_clash', 'Edo', { killed: 3 }),
  story('Bomb don blast for market for Maiduguri, e kill four people.', 'explosion', 'Borno', { killed: 4 }),
]

/** As data sets and monitors write. */
const DATA_SETS = [
  story(
    'On 4 March 2021, suspected bandits attacked Madaka village in Rafi LGA, Niger State. They killed 3 people and abducted 11 others.',
    'banditry',
    'Niger',
    { killed: 3, abducted: 11 },
  ),
  story(
    'On 12 July 2022, Boko Haram militants ambushed a military patrol near Rann, Kala Balge, Borno. 5 soldiers were killed and 7 injured.',
    'attack_on_security_forces',
    'Borno',
    { killed: 5, injured: 7 },
  ),
  story(
    'Property destruction: On 1 May 2023, armed Fulani herders set fire to houses in Mangu, Plateau State. There were no fatalities.',
    'farmer_herder_clash',
    'Plateau',
  ),
  story(
    'Around 6 June 2021 (as reported), an armed group kidnapped a priest in Kafanchan, Kaduna State. He was released four days later.',
    'kidnapping',
    'Kaduna',
    { abducted: 1 },
  ),
  story(
    'Nigerian military forces conducted air strikes on ISWAP positions in Marte, Borno, killing an unspecified number of militants. Fatalities unknown coded as 10.',
    'military_operation',
    'Borno',
  ),
  story(
    '05/14/2014: Assailants attacked Dalori village in Konduga, Borno, Nigeria. At least 12 people were killed in the attack. Boko Haram claimed responsibility.',
    'insurgent_attack',
    'Borno',
    { killed: 12 },
  ),
  story(
    '08/02/2016: An explosive device detonated targeting a pipeline in Gbaramatu, Delta, Nigeria. There were no reported casualties in the blast.',
    'pipeline_vandalism',
    'Delta',
  ),
  story(
    '11/20/2015: Two suicide bombers detonated at a phone market in Kano. In addition to the bombers, 15 people were killed and 123 others were injured.',
    'explosion',
    'Kano',
    { killed: 15, injured: 123 },
  ),
  story(
    '03/01/2018: Gunmen stormed a camp for displaced people in Rann, Borno. Eleven people, including three aid workers, were killed and one nurse was abducted.',
    'insurgent_attack',
    'Borno',
    { killed: 11, abducted: 1 },
  ),
  story('Kidnappers abducted four in Kajuru, Kaduna.', 'kidnapping', 'Kaduna', { abducted: 4 }),
  story('Herdsmen killed five in Logo, Benue.', 'farmer_herder_clash', 'Benue', { killed: 5 }),
  story('A cult clash led to two deaths in Sagamu, Ogun.', 'cult_clash', 'Ogun', { killed: 2 }),
  story(
    'Troops killed eighteen Boko Haram militants while four soldiers were killed in Ngala, Borno.',
    'military_operation',
    'Borno',
    { killed: 22 },
  ),
  story('Sectarian violence led to six deaths in Jos North, Plateau.', 'sectarian_violence', 'Plateau', { killed: 6 }),
  story('Police killed three kidnappers in Ughelli North, Delta.', 'military_operation', 'Delta', { killed: 3 }),
  story('Gunmen killed one and abducted six in Isa, Sokoto.', 'kidnapping', 'Sokoto', { killed: 1, abducted: 6 }),
  story('Pirates kidnapped five crewmen off the coast of Bayelsa.', 'piracy', 'Bayelsa', { abducted: 5 }),
  story('A landmine killed three in Gwoza, Borno.', 'explosion', 'Borno', { killed: 3 }),
  story('Vigilantes killed ten bandits in Bungudu, Zamfara.', 'military_operation', 'Zamfara', { killed: 10 }),
  story('Communal violence killed nine in Odukpani, Cross River.', 'communal_clash', 'Cross River', { killed: 9 }),
  story('Robbers killed two policemen during a bank robbery in Ekiti.', 'armed_robbery', 'Ekiti', { killed: 2 }),
  story('Protesters clashed with police in Lekki, Lagos, and one protester was killed.', 'protest', 'Lagos', {
    killed: 1,
  }),
  story('The Nigerian Air Force killed dozens of bandits in Birnin-Gwari, Kaduna.', 'military_operation', 'Kaduna'),
  story('A mob set a man ablaze in Oyo for stealing a motorcycle.', 'mob_violence', 'Oyo'),
  story(
    'The Zamfara State Police Command has confirmed the killing of seven persons by bandits in Tsafe.',
    'banditry',
    'Zamfara',
    { killed: 7 },
  ),
  story(
    'Tragedy struck in Ilesa, Osun State, on Saturday when gunmen shot a 45-year-old trader dead and made away with N2.3 million.',
    'armed_robbery',
    'Osun',
    { killed: 1 },
  ),
  story(
    'Over 20 people were feared dead and scores injured after gunmen raided Agatu in Benue State on Sunday night.',
    'banditry',
    'Benue',
    { killed: 20 },
  ),
  story(
    'One person was killed and three others injured as soldiers clashed with youths in Asaba, Delta State.',
    'military_operation',
    'Delta',
    { killed: 1, injured: 3 },
  ),
  story(
    'A yet to be identified man was beaten to death by a mob in Warri, Delta State, for allegedly stealing a generator.',
    'mob_violence',
    'Delta',
    { killed: 1 },
  ),
  story('Gunmen kill APC chieftain in Imo.', 'assassination', 'Imo', { killed: 1 }),
  story('Ritual killers murdered a 19-year-old girl in Abeokuta, Ogun State.', 'homicide', 'Ogun', { killed: 1 }),
  story('Nigerian Navy destroyed 12 illegal refineries in Burutu, Delta State.', 'pipeline_vandalism', 'Delta'),
  story(
    'Gunmen kidnapped 344 boys from a secondary school in Kankara, Katsina State, on Friday night, the governor said.',
    'mass_abduction',
    'Katsina',
    { abducted: 344 },
  ),
  story(
    'Eyewitnesses said the attackers, numbering over 100, arrived in Goronyo, Sokoto State, and opened fire on traders, killing at least 43.',
    'banditry',
    'Sokoto',
    { killed: 43 },
  ),
  story(
    'Six houses and a church were razed in Takum, Taraba State, when Tiv and Jukun youths clashed again on Tuesday. Police said four people died.',
    'communal_clash',
    'Taraba',
    { killed: 4 },
  ),
]

export const HELD_OUT_STORIES: readonly HeldOutStory[] = [
  ...HERDERS,
  ...BANDITS,
  ...ABDUCTIONS,
  ...FORCES,
  ...BOMBS,
  ...INSURGENTS,
  ...COAST,
  ...STREETS,
  ...OTHER_LANGUAGES,
  ...DATA_SETS,
]
