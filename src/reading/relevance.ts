import { NUMBER } from './casualty-rules.ts'
import { rule } from './sentences.ts'
import type { Classified } from './type-rules.ts'

/** Topics that exclude a sentence even where it has an attacker and victims. */
export const STRONG: ReadonlySet<OtherTopic> = new Set([
  'court',
  'past',
  'sport',
  'arts',
  'drill',
  'figure of speech',
  'warning',
])

/** Topics whose words stand in reports of attacks too: "polling stations", "market", "crash". */
const WEAK: ReadonlySet<OtherTopic> = new Set(['politics', 'analysis', 'economy', 'accident'])
const ARMED = ['insurgents', 'bandits', 'herders', 'cultists', 'gunmen', 'robbers', 'separatists', 'troops'] as const

/** Topics that a toll at the beginning of a sentence does not outweigh. */
const NEVER: ReadonlySet<OtherTopic> = new Set(['court', 'sport', 'arts', 'accident', 'nature', 'drill'])
/** "Three killed in …", "Boko Haram kills three, …": what the sentence is about comes first. */
const TOLL_FIRST = new RegExp(
  `^(?:(?:at least|no fewer than|over|about|many|scores|several) )?(?:${NUMBER} (?:[\\w-]+ ){0,4}(?:killed|dead|die[sd]?|shot|abducted|kidnapped|slain)\\b|(?:[\\w'’-]+ ){1,4}(?:kill|abduct|kidnap|behead|murder|slaughter)(?:s|ed|ped|ing)? (?:at least )?${NUMBER}\\b)`,
  'i',
)

/** "Governor visits as nine die in …": in a headline, the clause after "as" is the news. */
const TOLL_AFTER_AS = new RegExp(
  `\\bas (?:(?:at least|no fewer than|over|about) )?${NUMBER} (?:[\\w-]+ ){0,3}(?:(?:are|were|feared) )?(?:killed|dead|die|massacred|slain|abducted|kidnapped)\\b`,
  'i',
)

export interface Judged {
  /** From 0, no incident, to 1. */
  readonly score: number
  readonly topics: readonly OtherTopic[]
}

/** Estimates the likelihood that a sentence reports that something has just happened. */
export function judgeSentence(sentence: string, classified: Classified | null, counted: boolean): Judged {
  const topics = OTHER_TOPICS.filter(({ words }) => words.test(sentence)).map(({ means }) => means)
  const happened = counted || HAPPENED.some(({ words }) => words.test(sentence))
  if (!happened) return { score: topics.length > 0 ? 0 : 0.35, topics }
  if (topics.length === 0) return { score: 1, topics }
  if (
    counted &&
    (TOLL_FIRST.test(sentence) || TOLL_AFTER_AS.test(sentence)) &&
    !topics.some((topic) => NEVER.has(topic))
  )
    return { score: 0.7, topics }
  const armed = classified !== null && ARMED.some((actor) => classified.actors.has(actor))
  const excused = topics.every((topic) => WEAK.has(topic) && (armed || topic !== 'accident'))
  if ((armed || counted) && excused) return { score: 0.6, topics }
  const strong = topics.filter((topic) => STRONG.has(topic)).length
  return { score: strong > 0 ? 0.1 : topics.length > 1 ? 0.2 : 0.4, topics }
}

/** Sections of news sites that report no incident, as parts of a path. */
const SECTIONS =
  /^(?:sports?|football|entertainment|celebrit(?:y|ies)|movies|music|lifestyle|fashion|opinions?|editorials?|columns?|columnists|business|economy|technology|tech|health|obituar(?:y|ies)|reviews?|interviews?)$/

/** Whether the address of a story names a section that reports no incident. */
export function isOtherSection(url: string): boolean {
  if (!URL.canParse(url)) return false
  const folders = new URL(url).pathname.toLowerCase().split('/').slice(1, -1)
  return folders.some((folder) => SECTIONS.test(folder))
}

/**
 * Topics of stories that report no incident; a title or sentence with one of them tells of none.
 */
export const OTHER_TOPICS = [
  rule(
    'court',
    'court(?:s|room)?|tribunal|judges?|jury|sentenc\\w+|arraign\\w*|remand\\w*|on trial|(?:stand|face)s? trial|trial of|convict\\w*|acquit\\w*|plead(?:s|ed)? (?:not )?guilty|lawyers?|lawsuit|sues?|suing|bail|prosecut\\w+|adjourn\\w*|death row|jail(?:s|ed)|justice ministry|appeals? (?:against|court)|charged with|extradit\\w+|coroner|inquest',
    'A court sentenced three men for kidnapping',
  ),
  rule(
    'reaction',
    '(?:are|were|was|been|be) buried|mass burial|burial of|laid to rest|funeral (?:of|for|mass)|condemns?|condemned|condemning|condemnation|condoles?|commiserat\\w+|mourns?|sympathi[sz]\\w+|lament(?:s|ed)?|decr(?:y|ies|ied)|deplor\\w+|urges?|urged|calls? (?:for|on)|called (?:for|on)|tasks?|vows?|vowed|pledge[sd]?|promis\\w+|assur(?:es?|ed)|hails?|lauds?|commends?|praises?|appeals? (?:to|for)|demands?|advis(?:es?|ed)|cautions?|faults?|slams?|berates?|replies|reacts?|reaction to|speaks on|clarif\\w+|explains?|insists?|blames?|accus(?:es?|ed)|den(?:y|ies|ied)|dismiss(?:es|ed)|debunks?|refutes?|seeks?|proposes?|backs?|rejects?|criticis\\w+|kicks? against|tells?|donates?|visits?|meets?|inaugurat\\w+|commission(?:s|ed)|flags? off|launches|unveils?|approves?|signs?|budget|lobb(?:y|ies)',
    'The governor condemned the killings',
  ),
  rule(
    'warning',
    'warns?|warned|warning|alert(?:s|ed)?|alarm|raises? (?:the )?alarm|threat(?:s|en|ens|ened|ening)?|plan(?:s|ned|ning)? to|plots?|plotting|may (?:attack|strike)|could (?:attack|strike)|fears? (?:of|attacks?)|imminent|impending|travel advis\\w+|advisory|on red alert|beef(?:s|ed)? up security|heightened security|(?:security|safety) tips|tips (?:for|on)|experts? (?:list|advise|warn)s?|how to|precaution\\w*|rumou?rs?|hoax|false alarm',
    'Police warned of planned attacks',
  ),
  rule(
    'past',
    'anniversar\\w+|remembrance|wreaths?|widows? of|fallen (?:heroes|soldiers|officers|comrades)|killed in action|(?:one|two|three|four|five|six|seven|eight|nine|ten|\\d+) years? (?:after|on|since|later|ago)|remember(?:s|ed|ing|ance)|memorial|commemorat\\w+|in memory of|tribute|timeline|a look back|looking back|recall(?:s|ed|ing)?|history of|flashback|survivors? (?:recount|tell|relive|narrate|speak)s?|how i|my ordeal|decade (?:of|after)|still haunt\\w*|since the (?:civil )?war|the biafran war|1967|1970',
    'Ten years after the Chibok abduction',
  ),
  rule(
    'analysis',
    'analys[it]s|opinion|editorial|op-ed|commentary|why (?:the|we|nigeria)|what (?:the|we|nigeria)|explainer|interview|statistics|survey|study|studies|research(?:ers)?|report (?:says|finds|shows|by)|report:|amnesty international|in a year|according to (?:a|the) (?:report|study|survey|index)|index|data show\\w*|ranks?|ranked|trends?|per cent|percent|quarter(?:ly)? report|lessons|causes of|solutions? to|roots of|strategy|policy|workshop|seminar|summit|conference|symposium|lecture|training|webinar|stakeholders|dialogue|town hall|committee|panel|bill|lawmakers?|senate|house of reps|national assembly|legislation|reforms?|recruit\\w*|budget\\w*|fund(?:s|ing)|grants?|relief materials|donat\\w+|compensat\\w+|rehabilitat\\w+|reintegrat\\w+|rebuild\\w*|resettle\\w*|reconstruct\\w*',
    'Editorial: the causes of banditry',
  ),
  rule(
    'sport',
    'football\\w*|soccer|super eagles|falcons|league|cup|match|matches|goal(?:s|keeper)?|strikers?|midfielder|coach|stadium|tournament|champion\\w*|olympic\\w*|fifa|caf|nff|npfl|fc|united|rangers|enyimba|wikki tourists|boxing|boxer|wrestl\\w+|athlet\\w+|basketball|defeat(?:s|ed)? (?:\\w+ )?\\d-\\d|\\d-\\d (?:win|loss|draw|victory|defeat)|penalt(?:y|ies)|qualifier|derby|player|fans',
    'Rangers attack kills off Wikki in the league',
  ),
  rule(
    'arts',
    'films?|movies?|nollywood|kannywood|actors?|actress\\w*|novels?|books?|albums?|songs?|singers?|music\\w*|rapper|concert|series|netflix|documentary|comedian|skit|celebrit\\w+|fashion|festival|museum|exhibition|box office|premier(?:e|es|ed)|director(?: of| says)|drama|theatre|poem|poet|award(?:s|ed)?|video game|game',
    'A film about the Chibok kidnapping premieres',
  ),
  rule(
    'accident',
    'road (?:crash|accident)s?|auto ?crash\\w*|crash(?:es|ed)?|accident(?:s|al|ally)?|collision|collid\\w+|frsc|flood(?:s|ed|ing)?|tanker (?:fire|explosion|explodes)|gas (?:explosion|leak)|cylinder|collapse[sd]?|overturn(?:s|ed)|capsiz\\w+|boat mishap|drown(?:s|ed)?|fire (?:outbreak|guts?|razes|service|destroy(?:s|ed)|consumes?|engulf\\w+)|electrical fault|power surge',
    'Ten die in a road crash',
  ),
  rule(
    'nature',
    'lightning|cholera|lassa|malaria|covid\\S*|epidemic|disease|virus|vaccin\\w+|polio|meningitis|rainstorm|windstorm|erosion|drought|heart attacks?|stroke|food poisoning|hiv|cancer|outbreak of',
    'Lightning kills twelve cows',
  ),
  rule(
    'economy',
    'price[sd]?|inflation|economy|economic|market (?:share|cap\\w*)|stocks?|shares|bank(?:ing)? sector|interest rate|naira|dollar|revenue|tax(?:es)?|investors?|investment|startup|fintech|telecoms? (?:firm|operator)|gdp|exports?|imports?|budget|fuel subsidy|tariff|bond|profit|harvest|crop',
    'Inflation kills small businesses',
  ),
  rule(
    'politics',
    'election(?:s|eering)?|campaign(?:s|ed|ing)?|poll(?:s|ing)?|primar(?:y|ies)(?! (?:school|health|pupil)\\w*)|candidates?|voters?|ballot|inec|aspirants?|defect(?:s|ed|ion)|manifesto|running mate|godfather|impeach\\w*|cabinet|appoints?|appointed|sworn in|resign\\w*|party chairman|convention|2027|2023 elections',
    'Voters go to the polls',
  ),
  rule(
    'drill',
    'drill(?:s)?|train(?:s|ed|ing)|squad train\\w*|mock|simulat\\w+|exercise|rehears\\w+|training exercise|war games?|parade(?:s|d)?|passing[- ]out|recruitment',
    'Troops hold a mock attack drill',
  ),
  rule(
    'figure of speech',
    'war (?:on|against) (?:corruption|drugs|poverty|waste|malaria|fake)|killer (?:app|instinct|disease|deals?|punch)|bombshell|attack(?:s|ed)? (?:on )?(?:the )?(?:critics?|policy|policies|opposition|press freedom|constitution|democracy)|under fire for|verbal attack\\w*|twitter|on x\\b|social media|cyber ?attacks?|hackers?|hacked|kidnap(?:ped|ping)? (?:of )?democracy|battle(?:s)? (?:for|over|of) (?:the )?(?:title|seat|ticket|party|wits|soul|lekki|supremacy)|clash(?:es)? (?:of|over) (?:dates?|interests?|words|bill)|fight (?:against )?(?:corruption|malaria|poverty|hunger|inflation|cancer)|shoots? (?:down|up|a|an|video)|photo ?shoots?|dead (?:line|lock)|explosion of|population explosion|explosive (?:growth|form|revelation)|raid(?:s|ed)? (?:markets? for|the fridge|savings)|storm(?:s|ed)? (?:social|instagram|stage|out)|killing it|to die for|target(?:s|ed)? (?:growth|revenue)|slash|panic attack',
    'Minister under fire for comments; war against corruption',
  ),
] as const

type OtherTopic = (typeof OTHER_TOPICS)[number]['means']

/** Words that only a report of something that has just happened uses. */
export const HAPPENED = [
  rule(
    'count',
    '(?:(?:haram)?kill(?:s|ed|ing)?|abduct(?:s|ed|ing)?|kidnap(?:s|ped|ping)?|injur(?:es|ed|ing)|wound(?:s|ed|ing)|dead|die[ds]?|murder(?:s|ed)|behead(?:s|ed)|shot dead)',
    'Gunmen killed nine',
  ),
  rule(
    'attack',
    'attack(?:s|ed)?|raid(?:s|ed)?|ambush(?:es|ed)?|storm(?:s|ed)?|invad(?:es|ed)|clash(?:es|ed)?|explod(?:es|ed)|detonat(?:es|ed)|bomb(?:s|ed|ing|ings|er|ers)?|blasts?|open(?:ed|s)? fire|burn(?:t|ed)|raz(?:es|ed)|torch(?:es|ed)|lynch(?:es|ed)|hijack(?:s|ed)|vandali[sz](?:es|ed)|blew up|protest(?:s|ed)|riot(?:s|ed)?|rescu(?:es|ed)|freed|regain\\w*|recaptur\\w+|repel\\w*|foil\\w*|kashe|sace|kai hari|rob(?:s|bed)|dispossess(?:es|ed)|set (?:[\\w-]+ ){0,4}(?:ablaze|on fire|alight)|set fire|waylaid|land ?mines?|ieds?|defus(?:es|ed)|rikici|halaka|loot(?:s|ed)|block(?:s|ed)|barricad\\w+|neutrali[sz]\\w+|destroy\\w*|rustl\\w+|assassinat\\w+|massacre\\w*|vs\\.?|captur\\w+|overr[ua]n|sack(?:s|ed)|massacre|feud|fight(?:ing)?|fought|battles?|gun ?battle|shoot(?:ing|-?out)|crisis|killings?|deaths?|bloodbath|carnage|violence|don (?:kill|kidnap|attack|burst|rob)',
    'Bandits raided the village',
  ),
] as const
