import type { IncidentType } from '../../domain/taxonomy.ts'
import type { Action } from './actions.ts'
import type { Actor } from './actors.ts'

/** A rule fits a sentence that has one of each list; an absent list fits any. */
export interface TypeRule {
  readonly type: IncidentType
  readonly actors?: readonly Actor[]
  /** A second list that must be met as well: fighting has two sides. */
  readonly against?: readonly Actor[]
  readonly actions: readonly Action[]
  readonly without?: readonly (Actor | Action)[]
  /** The sentence must also match. */
  readonly words?: RegExp
  readonly unless?: RegExp
  readonly score: number
  readonly example: string
}

const VIOLENCE = ['kill', 'attack', 'clash', 'explosion'] as const satisfies readonly Action[]
/** Their side acts: "troops kill", "army repels", "NAF bombs". */
const TROOPS_ACT =
  /\b(?:troops?|soldiers?|army|military|jtf|mnjtf|air ?force|naf|navy|police(?:m[ae]n)?|sss|dss|security (?:forces|operatives|agents)|hunters|vigilantes?|cjtf|special forces|dhq|sojoji|nigeria (?:says|claims))\b(?! (?:base|barracks|post|station|checkpoint|were\b|was\b|ha(?:ve|s|d) been\b|(?:killed|attacked|ambushed|shot)(?= (?:in|by|as|at|near|on)\b|[,.;]|$)|dead|formation|camp|convoy|others?))(?:(?!\b(?:as|after|by|haram|iswap|herdsm[ae]n|herders|gunmen|bandits|islamists?|insurgents|terrorists|militants|fulani)\b)[^.;,]){0,40}\b(?:kill|neutrali[sz]|eliminat|repel|foil|raid|destroy|bombard|bomb|clear|recaptur|retak|rescu|free|intercept|ambush|engage|battle|fight|shoot|shot|gun down|overrun|attack|crush|smash|decimat|invad|storm|launch|dislodge|thwart|capture|slay|open(?:ed)? fire|fire|kashe|massacre|execut|murder|vs)\w*/i
const TROOPS_BY =
  /\b(?:killed|neutrali[sz]ed|shot(?: dead)?|eliminated|fall|die|dead|slain|destroyed|repelled|foiled|rescued)\b[^.;]{0,40}\b(?:by|to|as)\b(?:(?!\b(?:haram|gunmen|herdsmen|bandits)\b)[^.;]){0,20}\b(?:troops|army|soldiers|military|police|jtf|air ?strikes?|vigilantes|hunters)\b|\bin (?:a |an )?(?:military|army|troops|army's|joint) (?:raid|operation|offensive|air ?strike)/i
const FORCES_HIT =
  /\b(?:kill|attack|ambush|storm|raid|raz|burn|burnt|bomb|overr[ua]n|hit|shoot|shot|gun|murder|slay|behead|abduct|invad|target|torch|sack)\w*\b[^.;]{0,45}\b(?:police\w*|soldiers?|troops|army|military|barracks|checkpoint|naval|officers?|prison|security (?:post|forces|operatives|agents|personnel)|patrol|convoy|garrison|dpo|base)\b|\b(?:police\w*|soldiers?|troops|officers?|dpo)\b[^.;]{0,40}\b(?:killed|dead|ambushed|attacked|shot|slain|die|wounded|missing|murdered)\b|\b(?:attack|assault|raid) on (?:\w+ ){0,4}(?:police\w*|soldiers?|troops|barracks|base|military|army|checkpoint|station)\b/i

/** The first rule that fits a sentence gives its type. */
export const TYPE_RULES: readonly TypeRule[] = [
  {
    type: 'piracy',
    actions: ['piracy'],
    unless: /\b(?:fuel|petrol|gas) tanker\b|\bmusic|film|software/i,
    score: 0.9,
    example: 'Pirates hijacked an oil tanker off Bayelsa',
  },
  {
    type: 'pipeline_vandalism',
    actions: ['pipeline'],
    score: 0.85,
    example: 'Vandals blew up a crude oil pipeline in Warri',
  },
  {
    type: 'cult_clash',
    actors: ['cultists'],
    actions: [...VIOLENCE, 'attack'],
    score: 0.85,
    example: 'Two killed as rival cult groups clash in Benin',
  },
  {
    type: 'cattle_rustling',
    actions: ['rustle'],
    without: ['kill'],
    score: 0.8,
    example: 'Gunmen rustled 300 cows in Anka',
  },
  {
    type: 'mob_violence',
    actions: ['lynch'],
    without: ['insurgents', 'bandits', 'herders'],
    score: 0.8,
    example: 'A mob lynched two suspected thieves in Aba',
  },
  { type: 'assassination', actions: ['assassinate'], score: 0.8, example: 'Gunmen assassinated a councillor in Ekiti' },
  { type: 'military_operation', actions: ['air strike'], score: 0.9, example: 'Air Force jets bomb a camp in Zurmi' },
  {
    type: 'military_operation',
    actors: ['troops', 'police', 'vigilantes'],
    against: ['insurgents', 'bandits', 'militants', 'herders', 'gunmen', 'kidnappers', 'robbers', 'separatists'],
    actions: [...VIOLENCE, 'release'],
    words: TROOPS_ACT,
    unless: /\b(?:ambush(?:es|ed)|attack(?:s|ed)?|kill(?:s|ed)?) (?:\w+ ){0,2}(?:soldiers|troops|police\w*)\b/i,
    score: 0.85,
    example: 'Troops killed 15 insurgents in Bama',
  },
  {
    type: 'military_operation',
    actions: ['kill', 'attack'],
    words: TROOPS_BY,
    unless: /\b(?:soldiers?|police\w*|troops) (?:killed|dead|die)/i,
    score: 0.8,
    example: 'Two terrorists shot dead by troops in Konduga',
  },
  {
    type: 'military_operation',
    actions: ['explosion'],
    words:
      /\b(?:defus\w+|diffus(?:e[sd]?|ing)|deactivat\w+|safely detonat\w+|unexploded|(?:discover|uncover|find|found|recover|intercept)\w* (?:[\w-]+ ){0,4}(?:bombs?|ieds?|explosives?|explosive devices?|grenades?)|(?:bombs?|ieds?|explosives?|devices?) (?:[\w-]+ ){0,3}(?:found|discovered|defused|recovered))\b/i,
    unless: /\b(?:kill|injur|wound|explod|went off|blast)\w*/i,
    score: 0.8,
    example: 'Police found and defused a bomb at a motor park in Kano',
  },
  {
    type: 'explosion',
    actions: ['explosion'],
    unless:
      /\b(?:gas|tanker|cylinder|generator|population|boiler|transformer|fuel|petrol)\b[^.;]{0,30}\bexplo|\bexplosion of\b|\bjet(?:s)? bomb|bombshell|photobomb|sex bomb|time bomb/i,
    score: 0.85,
    example: 'A suicide bomber killed ten at a market in Biu',
  },
  {
    type: 'hostage_release',
    actions: ['release'],
    without: ['kill', 'attack', 'clash'],
    score: 0.8,
    example: 'Kidnapped schoolgirls were freed in Zamfara',
  },
  {
    type: 'separatist_violence',
    actors: ['separatists'],
    actions: ['kill', 'attack', 'clash', 'explosion'],
    score: 0.8,
    example: 'IPOB members attacked traders over a sit-at-home in Enugu',
  },
  {
    type: 'farmer_herder_clash',
    actors: ['herders'],
    actions: ['kill', 'attack', 'clash', 'explosion', 'rustle', 'lynch'],
    unless:
      /\b(?:haram|iswap|insurgents?|jihadists?|terrorists?|bandits)\b[^.;]{0,30}\b(?:kill|attack|abduct|murder|slaughter)\w*\b[^.;]{0,25}\b(?:herd\w+|fulani\w*|nomads?)/i,
    score: 0.85,
    example: 'Suspected herdsmen killed four farmers in Guma',
  },
  {
    type: 'armed_robbery',
    actors: ['robbers'],
    actions: ['robbery'],
    words: /\b(?:banks?|bullion|shops?|rob(?:s|bed|bing)|loot\w*)\b/i,
    unless: /\bpolice (?:arrest|parade|nab)/i,
    score: 0.8,
    example: 'Armed robbers attacked a bank in Offa and killed nine policemen',
  },
  {
    type: 'attack_on_security_forces',
    actors: ['insurgents', 'bandits', 'gunmen', 'robbers', 'kidnappers', 'militants', 'thugs', 'crowd'],
    actions: ['kill', 'attack', 'clash'],
    words: FORCES_HIT,
    unless: TROOPS_ACT,
    score: 0.75,
    example: 'Gunmen attacked a police station in Owerri',
  },
  {
    type: 'kidnapping',
    actions: ['abduct'],
    without: ['kill'],
    unless: /\b(?:police|troops) (?:arrest|parade)/i,
    score: 0.85,
    example: 'Gunmen abducted a doctor in Lokoja',
  },
  {
    type: 'insurgent_attack',
    actors: ['insurgents'],
    actions: ['kill', 'attack', 'clash', 'abduct', 'infrastructure', 'riot'],
    score: 0.85,
    example: 'Boko Haram killed six in Gwoza',
  },
  {
    type: 'infrastructure_attack',
    actions: ['infrastructure'],
    score: 0.8,
    example: 'Vandals destroyed two transmission towers in Gombe',
  },
  {
    type: 'sectarian_violence',
    actors: ['faiths'],
    actions: ['kill', 'attack', 'clash', 'riot'],
    score: 0.8,
    example: 'Christian and Muslim youths clashed in Jos',
  },
  {
    type: 'political_violence',
    actors: ['thugs'],
    actions: ['kill', 'attack', 'clash', 'riot'],
    score: 0.75,
    example: 'Political thugs attacked a campaign rally in Ado',
  },
  {
    type: 'political_violence',
    actions: ['kill', 'attack', 'clash', 'riot'],
    words:
      /\b(?:(?:post-)?election(?:s|eering)?|polls?|polling|political|rall(?:y|ies)|campaigns?|ballots?|(?:opposition|rival|ruling)[\w, ]{0,20} part(?:y|ies))\b/i,
    without: ['insurgents', 'bandits', 'herders', 'troops', 'police', 'cultists', 'robbers', 'gunmen'],
    score: 0.7,
    example: 'Four killed in election violence in Dekina',
  },
  {
    type: 'banditry',
    actors: ['bandits'],
    actions: ['kill', 'attack', 'clash', 'rustle'],
    score: 0.85,
    example: 'Bandits killed nine in Maradun',
  },
  { type: 'riot', actions: ['riot'], score: 0.75, example: 'Rioters burnt shops in Kano' },
  {
    type: 'highway_robbery',
    actors: ['robbers', 'gunmen'],
    actions: ['highway robbery'],
    score: 0.75,
    example: 'Armed robbers dispossessed travellers on the Lokoja road',
  },
  {
    type: 'armed_robbery',
    actors: ['robbers', 'gunmen'],
    actions: ['robbery'],
    unless: /\bpolice (?:arrest|parade|nab)/i,
    score: 0.75,
    example: 'Armed robbers robbed a bank in Offa',
  },
  {
    type: 'communal_clash',
    actors: ['communities'],
    actions: ['kill', 'attack', 'clash'],
    score: 0.75,
    example: 'Ten killed as Tiv and Jukun militias clash in Wukari',
  },
  {
    type: 'communal_clash',
    actors: ['farmers'],
    actions: ['clash'],
    score: 0.7,
    example: 'Farmers fought over land in Ikom',
  },
  {
    type: 'communal_clash',
    actions: ['clash'],
    words:
      /\b(?:communal|inter-communal|intercommunal|land dispute|boundary dispute|chieftaincy|ethnic|communit\w+)\b/i,
    score: 0.75,
    example: 'Five die in a communal clash in Ikom',
  },
  { type: 'kidnapping', actions: ['abduct'], score: 0.6, example: 'Gunmen killed one and abducted three in Kuje' },
  {
    type: 'gang_violence',
    actors: ['militants'],
    actions: ['kill', 'attack', 'clash'],
    score: 0.5,
    example: 'Militants killed two rivals in Bonny',
  },
  { type: 'protest', actions: ['protest'], score: 0.75, example: 'Traders protested in Ibadan over a levy' },
  {
    type: 'military_operation',
    actors: ['troops', 'police'],
    actions: ['kill', 'attack', 'clash'],
    words: TROOPS_ACT,
    score: 0.6,
    example: 'Soldiers opened fire on residents in Asaba, killed two',
  },
  {
    type: 'banditry',
    actors: ['gunmen', 'kidnappers', 'robbers'],
    actions: ['kill', 'attack'],
    score: 0.6,
    example: 'Gunmen attacked a village in Shiroro',
  },
  {
    type: 'communal_clash',
    actions: ['clash'],
    words: /\b(?:youths?|villagers|clans?|factions?|groups?)\b/i,
    score: 0.5,
    example: 'Youths of two clans clashed in Obudu',
  },
  {
    type: 'homicide',
    actions: ['kill'],
    words: /\b(?:murder|stabb|hack|behead|machet|ritual|strangl|shot dead|found dead|killed|kills?|dead|death|die)\w*/i,
    unless: /\b(?:attack|village|villages|communit\w+|violence|clash\w*|reprisal|onslaught|carnage)\b/i,
    score: 0.4,
    example: 'A trader was found murdered in Sapele',
  },
  {
    type: 'communal_clash',
    actions: ['kill', 'clash'],
    words: /\b(?:reprisal|crisis|violence|feud|boundary)\b/i,
    score: 0.4,
    example: 'Forty killed in fresh violence in Gerkawa',
  },
  {
    type: 'banditry',
    actions: ['attack', 'kill'],
    words:
      /\b(?:villages?|communit\w+|towns?|residents|houses|homes|market|attacks?|attacked|killed|massacre\w*|bloodbath)\b/i,
    score: 0.35,
    example: 'Village attacked in Kajuru, houses burnt',
  },
  {
    type: 'communal_clash',
    actions: ['clash'],
    words: /\b(?:killed|kills?|dead|deaths?|die[sd]?|injured|wounded|lives)\b/i,
    score: 0.35,
    example: 'Three dead after a clash in Wase',
  },
]
