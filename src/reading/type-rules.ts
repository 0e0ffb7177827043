import type { IncidentType } from '../domain/taxonomy.ts'
import { ACTIONS, ACTORS, type Action, type Actor } from './actors-and-actions.ts'
import { type Span, spanOf } from './sentences.ts'

/** A rule fits a sentence that has one of each list; an absent list fits any. */
interface TypeRule {
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

type Conditions = Omit<TypeRule, 'type' | 'score' | 'example'>

const fits = (type: IncidentType, score: number, example: string, conditions: Conditions): TypeRule => {
  return { type, score, example, ...conditions }
}

/** Their side acts: "troops kill", "army repels", "NAF bombs". */
const TROOPS_ACT =
  /\b(?:troops?|soldiers?|army|military|jtf|mnjtf|air ?force|naf|navy|police(?:m[ae]n)?|sss|dss|security (?:forces|operatives|agents)|hunters|vigilantes?|cjtf|special forces|dhq|sojoji|nigeria (?:says|claims))\b(?! (?:base|barracks|post|station|checkpoint|were\b|was\b|ha(?:ve|s|d) been\b|(?:killed|attacked|ambushed|shot)(?= (?:in|by|as|at|near|on)\b|[,.;]|$)|dead|formation|camp|convoy|others?))(?:(?!\b(?:as|after|by|haram|iswap|herdsm[ae]n|herders|gunmen|bandits|islamists?|insurgents|terrorists|militants|fulani)\b)[^.;,]){0,40}\b(?:kill|neutrali[sz]|eliminat|repel|foil|raid|destroy|bombard|bomb|clear|recaptur|retak|rescu|free|intercept|ambush|engage|battle|fight|shoot|shot|gun down|overrun|attack|crush|smash|decimat|invad|storm|launch|dislodge|thwart|capture|slay|open(?:ed)? fire|fire|kashe|massacre|execut|murder|vs)\w*/i
/** Something was done by them. */
const TROOPS_BY =
  /\b(?:killed|neutrali[sz]ed|shot(?: dead)?|eliminated|fall|die|dead|slain|destroyed|repelled|foiled|rescued)\b[^.;]{0,40}\b(?:by|to|as)\b(?:(?!\b(?:haram|gunmen|herdsmen|bandits)\b)[^.;]){0,20}\b(?:troops|army|soldiers|military|police|jtf|air ?strikes?|vigilantes|hunters)\b|\bin (?:a |an )?(?:military|army|troops|army's|joint) (?:raid|operation|offensive|air ?strike)/i
/** They are the victims. */
const FORCES_HIT =
  /\b(?:kill|attack|ambush|storm|raid|raz|burn|burnt|bomb|overr[ua]n|hit|shoot|shot|gun|murder|slay|behead|abduct|invad|target|torch|sack)\w*\b[^.;]{0,45}\b(?:police\w*|soldiers?|troops|army|military|barracks|checkpoint|naval|officers?|prison|security (?:post|forces|operatives|agents|personnel)|patrol|convoy|garrison|dpo|base)\b|\b(?:police\w*|soldiers?|troops|officers?|dpo)\b[^.;]{0,40}\b(?:killed|dead|ambushed|attacked|shot|slain|die|wounded|missing|murdered)\b|\b(?:attack|assault|raid) on (?:\w+ ){0,4}(?:police\w*|soldiers?|troops|barracks|base|military|army|checkpoint|station)\b/i

const VIOLENCE = ['kill', 'attack', 'clash', 'explosion'] as const satisfies readonly Action[]

/** A named group, or words that mean one type only. */
const DISTINCT_RULES: readonly TypeRule[] = [
  fits('piracy', 0.9, 'Pirates hijacked an oil tanker off Bayelsa', {
    actions: ['piracy'],
    unless: /\b(?:fuel|petrol|gas) tanker\b|\bmusic|film|software/i,
  }),
  fits('piracy', 0.85, 'Pirates kidnapped five sailors off Bayelsa', {
    actors: ['pirates'],
    actions: ['kill', 'attack', 'abduct', 'robbery', 'clash'],
    unless: /\bmusic|film|software/i,
  }),
  fits('pipeline_vandalism', 0.85, 'Vandals blew up a crude oil pipeline in Warri', { actions: ['pipeline'] }),
  fits('cult_clash', 0.85, 'Two killed as rival cult groups clash in Benin', {
    actors: ['cultists'],
    actions: [...VIOLENCE, 'attack'],
  }),
  fits('cattle_rustling', 0.8, 'Gunmen rustled 300 cows in Anka', { actions: ['rustle'], without: ['kill'] }),
  fits('mob_violence', 0.8, 'A mob lynched two suspected thieves in Aba', {
    actions: ['lynch'],
    without: ['insurgents', 'bandits', 'herders'],
  }),
  fits('assassination', 0.8, 'Gunmen assassinated a councillor in Ekiti', { actions: ['assassinate'] }),
  fits('military_operation', 0.9, 'Air Force jets bomb a camp in Zurmi', { actions: ['air strike'] }),
  fits('military_operation', 0.85, 'Troops killed 15 insurgents in Bama', {
    actors: ['troops', 'police', 'vigilantes'],
    against: ['insurgents', 'bandits', 'militants', 'herders', 'gunmen', 'kidnappers', 'robbers', 'separatists'],
    actions: [...VIOLENCE, 'release'],
    words: TROOPS_ACT,
    unless: /\b(?:ambush(?:es|ed)|attack(?:s|ed)?|kill(?:s|ed)?) (?:\w+ ){0,2}(?:soldiers|troops|police\w*)\b/i,
  }),
  fits('military_operation', 0.8, 'Two terrorists shot dead by troops in Konduga', {
    actions: ['kill', 'attack'],
    words: TROOPS_BY,
    unless: /\b(?:soldiers?|police\w*|troops) (?:killed|dead|die)/i,
  }),
  fits('military_operation', 0.8, 'Police found and defused a bomb at a motor park in Kano', {
    actions: ['explosion'],
    words:
      /\b(?:defus\w+|diffus(?:e[sd]?|ing)|deactivat\w+|safely detonat\w+|unexploded|(?:discover|uncover|find|found|recover|intercept)\w* (?:[\w-]+ ){0,4}(?:bombs?|ieds?|explosives?|explosive devices?|grenades?)|(?:bombs?|ieds?|explosives?|devices?) (?:[\w-]+ ){0,3}(?:found|discovered|defused|recovered))\b/i,
    unless: /\b(?:kill|injur|wound|explod|went off|blast)\w*/i,
  }),
  fits('explosion', 0.85, 'A suicide bomber killed ten at a market in Biu', {
    actions: ['explosion'],
    unless:
      /\b(?:gas|tanker|cylinder|generator|population|boiler|transformer|fuel|petrol)\b[^.;]{0,30}\bexplo|\bexplosion of\b|\bjet(?:s)? bomb|bombshell|photobomb|sex bomb|time bomb/i,
  }),
  fits('hostage_release', 0.8, 'Kidnapped schoolgirls were freed in Zamfara', {
    actions: ['release'],
    without: ['kill', 'attack', 'clash'],
  }),
  fits('separatist_violence', 0.8, 'IPOB members attacked traders over a sit-at-home in Enugu', {
    actors: ['separatists'],
    actions: ['kill', 'attack', 'clash', 'explosion'],
  }),
  fits('farmer_herder_clash', 0.85, 'Suspected herdsmen killed four farmers in Guma', {
    actors: ['herders'],
    actions: ['kill', 'attack', 'clash', 'explosion', 'rustle', 'lynch'],
    unless:
      /\b(?:haram|iswap|insurgents?|jihadists?|terrorists?|bandits)\b[^.;]{0,30}\b(?:kill|attack|abduct|murder|slaughter)\w*\b[^.;]{0,25}\b(?:herd\w+|fulani\w*|nomads?)/i,
  }),
  fits('assassination', 0.7, 'Gunmen killed a party chieftain in Owerri', {
    actors: ['gunmen'],
    actions: ['kill'],
    words:
      /\b(?:kill|murder|shoot|shot|gun down|gunned down)\w* (?:dead )?(?:[\w-]+ ){0,4}(?:chieftain|politician|lawmaker|senator|monarch|traditional ruler|commissioner|councillor|aspirant|candidate|party chairman|emir)\b/i,
    unless: /\bothers?\b|\d/i,
  }),
  fits('kidnapping', 0.75, 'Gunmen abducted a chairman in Okene, killing his driver', {
    actions: ['abduct'],
    words: /^(?:(?!kill|shot|shoot|dead|died|murder|slain)[^.;])*?\b(?:abduct|kidnap|whisk)(?:s|ed|ped|ing|ping)?\b/i,
    unless:
      /\b(?:police|troops) (?:arrest|parade)|\b(?:kidnapped|abducted) (?:\w+ ){0,2}(?:killed|found|murdered|dead)\b/i,
    without: ['insurgents', 'release', 'troops'],
  }),
  fits('armed_robbery', 0.8, 'Armed robbers attacked a bank in Offa and killed nine policemen', {
    actors: ['robbers'],
    actions: ['robbery'],
    words: /\b(?:banks?|bullion|shops?|rob(?:s|bed|bing)|loot\w*)\b/i,
    unless: /\bpolice (?:arrest|parade|nab)/i,
  }),
  fits('attack_on_security_forces', 0.75, 'Gunmen attacked a police station in Owerri', {
    actors: ['insurgents', 'bandits', 'gunmen', 'robbers', 'kidnappers', 'militants', 'thugs', 'crowd'],
    actions: ['kill', 'attack', 'clash'],
    words: FORCES_HIT,
    unless: TROOPS_ACT,
  }),
  fits('kidnapping', 0.85, 'Gunmen abducted a doctor in Lokoja', {
    actions: ['abduct'],
    without: ['kill'],
    unless: /\b(?:police|troops) (?:arrest|parade)/i,
  }),
  fits('insurgent_attack', 0.85, 'Boko Haram killed six in Gwoza', {
    actors: ['insurgents'],
    actions: ['kill', 'attack', 'clash', 'abduct', 'infrastructure', 'riot'],
  }),
  fits('infrastructure_attack', 0.8, 'Vandals destroyed two transmission towers in Gombe', {
    actions: ['infrastructure'],
  }),
  fits('sectarian_violence', 0.8, 'Christian and Muslim youths clashed in Jos', {
    actors: ['faiths'],
    actions: ['kill', 'attack', 'clash', 'riot'],
  }),
  fits('political_violence', 0.75, 'Political thugs attacked a campaign rally in Ado', {
    actors: ['thugs'],
    actions: ['kill', 'attack', 'clash', 'riot'],
  }),
  fits('political_violence', 0.7, 'Four killed in election violence in Dekina', {
    actions: ['kill', 'attack', 'clash', 'riot'],
    words:
      /\b(?:(?:post-)?election(?:s|eering)?|polls?|polling|political|rall(?:y|ies)|campaigns?|ballots?|(?:opposition|rival|ruling)[\w, ]{0,20} part(?:y|ies))\b/i,
    without: ['insurgents', 'bandits', 'herders', 'troops', 'police', 'cultists', 'robbers', 'gunmen'],
  }),
  fits('banditry', 0.85, 'Bandits killed nine in Maradun', {
    actors: ['bandits'],
    actions: ['kill', 'attack', 'clash', 'rustle'],
  }),
]

/** For sentences that no distinct rule fits; the last ones are guesses with low scores. */
const GENERAL_RULES: readonly TypeRule[] = [
  fits('riot', 0.75, 'Rioters burnt shops in Kano', { actions: ['riot'] }),
  fits('highway_robbery', 0.75, 'Armed robbers dispossessed travellers on the Lokoja road', {
    actors: ['robbers', 'gunmen'],
    actions: ['highway robbery'],
  }),
  fits('armed_robbery', 0.75, 'Armed robbers robbed a bank in Offa', {
    actors: ['robbers', 'gunmen'],
    actions: ['robbery'],
    unless: /\bpolice (?:arrest|parade|nab)/i,
  }),
  fits('communal_clash', 0.75, 'Ten killed as Tiv and Jukun militias clash in Wukari', {
    actors: ['communities'],
    actions: ['kill', 'attack', 'clash'],
  }),
  fits('communal_clash', 0.7, 'Farmers fought over land in Ikom', { actors: ['farmers'], actions: ['clash'] }),
  fits('communal_clash', 0.75, 'Five die in a communal clash in Ikom', {
    actions: ['clash'],
    words:
      /\b(?:communal|inter-communal|intercommunal|land dispute|boundary dispute|chieftaincy|ethnic|communit\w+)\b/i,
  }),
  fits('kidnapping', 0.6, 'Gunmen killed one and abducted three in Kuje', { actions: ['abduct'] }),
  fits('gang_violence', 0.5, 'Militants killed two rivals in Bonny', {
    actors: ['militants'],
    actions: ['kill', 'attack', 'clash'],
  }),
  fits('protest', 0.75, 'Traders protested in Ibadan over a levy', { actions: ['protest'] }),
  fits('military_operation', 0.6, 'Soldiers opened fire on residents in Asaba, killed two', {
    actors: ['troops', 'police'],
    actions: ['kill', 'attack', 'clash'],
    words: TROOPS_ACT,
  }),
  fits('banditry', 0.6, 'Gunmen attacked a village in Shiroro', {
    actors: ['gunmen', 'kidnappers', 'robbers'],
    actions: ['kill', 'attack'],
  }),
  fits('communal_clash', 0.5, 'Youths of two clans clashed in Obudu', {
    actions: ['clash'],
    words: /\b(?:youths?|villagers|clans?|factions?|groups?)\b/i,
  }),
  fits('homicide', 0.4, 'A trader was found murdered in Sapele', {
    actions: ['kill'],
    words: /\b(?:murder|stabb|hack|behead|machet|ritual|strangl|shot dead|found dead|killed|kills?|dead|death|die)\w*/i,
    unless: /\b(?:attack|village|villages|communit\w+|violence|clash\w*|reprisal|onslaught|carnage)\b/i,
  }),
  fits('communal_clash', 0.4, 'Forty killed in fresh violence in Gerkawa', {
    actions: ['kill', 'clash'],
    words: /\b(?:reprisal|crisis|violence|feud|boundary)\b/i,
  }),
  fits('banditry', 0.35, 'Village attacked in Kajuru, houses burnt', {
    actions: ['attack', 'kill'],
    words:
      /\b(?:villages?|communit\w+|towns?|residents|houses|homes|market|attacks?|attacked|killed|massacre\w*|bloodbath)\b/i,
  }),
  fits('communal_clash', 0.35, 'Three dead after a clash in Wase', {
    actions: ['clash'],
    words: /\b(?:killed|kills?|dead|deaths?|die[sd]?|injured|wounded|lives)\b/i,
  }),
]

/** The first rule that fits a sentence gives its type. */
export const TYPE_RULES: readonly TypeRule[] = [...DISTINCT_RULES, ...GENERAL_RULES]

export interface Classified {
  readonly type: IncidentType
  readonly score: number
  /** Positions in the sentence. */
  readonly evidence: Span
  readonly actors: ReadonlySet<Actor>
  readonly actions: ReadonlySet<Action>
}

/** The type of what a sentence tells; null where it tells of nothing that happened. */
export function classify(sentence: string): Classified | null {
  const actions = new Map<Action, Span>()
  for (const each of ACTIONS) {
    const span = spanOf(each, sentence)
    if (span) actions.set(each.means, span)
  }
  if (actions.size === 0) return null
  const actors = new Map<Actor, Span>()
  for (const each of ACTORS) {
    const span = spanOf(each, sentence)
    if (span) actors.set(each.means, span)
  }
  for (const rule of TYPE_RULES) {
    const action = rule.actions.find((each) => actions.has(each))
    if (action === undefined) continue
    const actor = rule.actors?.find((each) => actors.has(each))
    if (rule.actors && actor === undefined) continue
    if (rule.against && !rule.against.some((each) => each !== actor && actors.has(each))) continue
    if (rule.without?.some((each) => actors.has(each as Actor) || actions.has(each as Action))) continue
    if (rule.unless?.test(sentence) || (rule.words && !rule.words.test(sentence))) continue
    return {
      type: rule.type,
      score: rule.score,
      evidence: actions.get(action)!,
      actors: new Set(actors.keys()),
      actions: new Set(actions.keys()),
    }
  }
  return null
}
