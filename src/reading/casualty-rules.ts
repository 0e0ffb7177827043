export const HARM = ['killed', 'injured', 'abducted'] as const
export type Harm = (typeof HARM)[number]

/** Words between a verb and its number; a headline may quote them. */
const ABOUT =
  '["“‘\'’]?(?:(?:at least|no fewer than|not less than|more than|over|about|around|some|nearly|almost|up to|as many as|an? (?:estimated|additional)|another|other|additional|the|all|estimated|between) ){0,2}'
/** Words between a number and what befell the people; another clause ends them. */
const PEOPLE = "(?:(?!(?:as|after|when|while|but|because|who|kill\\w*|attack\\w*) )[\\w'’()/-]+,? ){0,8}?"

export interface CasualtyRule {
  readonly harm: Harm
  readonly words: RegExp
  /**
   * The place of the words: before the number, after it, or without one: "a policeman was killed".
   */
  readonly at: 'before' | 'after' | 'one'
  /** Replaces what other sentences say: a later toll. */
  readonly final?: true
  readonly example: readonly [text: string, count: number]
}

const before = (harm: Harm, words: string, ...example: [string, number]): CasualtyRule => {
  return { harm, at: 'before', words: new RegExp(`\\b(?:${words})["”’']? ${ABOUT}$`, 'i'), example }
}
const after = (harm: Harm, words: string, ...example: [string, number]): CasualtyRule => {
  return { harm, at: 'after', words: new RegExp(`^ ${PEOPLE}(?:${words})\\b`, 'i'), example }
}
const one = (harm: Harm, words: string, ...example: [string, number]): CasualtyRule => {
  return { harm, at: 'one', words: new RegExp(`\\b(?:${words})\\b(?!s)`, 'i'), example }
}

const PERSON =
  '(?:soldier|policem[ae]n|police officer|police inspector|officer|pastor|priest|cleric|imam|farmer|herdsman|herder|man|woman|boy|girl|student|teacher|trader|driver|village head|district head|monarch|traditional ruler|chief|politician|councillor|lawmaker|journalist|photographer|doctor|nurse|businessman|vigilante|civilian|resident|villager|commander|pilot|hunter|child|teenager|father of \\w+|mother of \\w+|suspect|bandit|terrorist|insurgent|militant|gunman|leader|chieftain|chairman|aide|orderly|wife|husband|son|daughter|mother|father|lecturer|professor|banker|pharmacist|engineer|worker|motorist|passenger|commissioner|official|dpo|person|bomber)'
/** ", aged 72," or ", 72," between a person and the verb. */
const AGE = '(?:, (?:aged )?\\d+,)?'
const KILLED =
  'killed|dead|shot dead|die[sd]?|slain|murdered|massacred|beheaded|slaughtered|executed|butchered|burnt to death|burned to death|hacked to death|lost their lives|perish(?:ed)?|neutrali[sz]ed|eliminated|gunned down|lynched|drown(?:ed)?'
const KILL =
  '(?:haram)?kill(?:s|ed|ing)?|murder(?:s|ed|ing)?|massacre[sd]?|slay(?:s|ing)?|slew|behead(?:s|ed|ing)?|execut(?:es|ed|ing)|slaughter(?:s|ed|ing)?|claim(?:s|ed|ing)?|neutrali[sz](?:e|es|ed|ing)|eliminat(?:e|es|ed|ing)|gun(?:s|ned|ning)? down|shoot(?:s|ing)? dead|shot dead|hack(?:s|ed)?|butcher(?:s|ed)?|lynch(?:es|ed|ing)?|assassinat(?:es|ed|ing)|don kill|e kill|kpai'

export const CASUALTY_RULES: readonly CasualtyRule[] = [
  {
    harm: 'killed',
    at: 'before',
    final: true,
    words:
      /\b(?:death toll|toll|casualty figure|number of (?:deaths|the dead|casualties))[^.;\d]{0,80}?(?:rises?|hits?|climbs?|now|of|at|is|was|stands? at|reach(?:es|ed)?|risen|to|rose|jumps?|put at|toll)(?: to)? (?:(?:at least|over|about|more than) )?$|\b(?:death )?toll:? (?:at least|over|about|more than) $/i,
    example: ['Death toll rises to 37 after blasts', 37],
  },
  before('killed', KILL, 'Gunmen kill nine in a church', 9),
  before(
    'killed',
    `(?:${KILL})(?: an?)?(?: entire)? (?:family|household|gang|group) of`,
    'Gunmen kill family of five',
    5,
  ),
  before('killed', '(?:killings?|deaths?|murder|massacre|burial|lives) of', 'The killing of six farmers', 6),
  before('killed', 'fatalities:?', 'Fatalities: 3', 3),
  // In Hausa the number follows what is counted.
  before('killed', "(?:kashe|halaka|mutuwar)(?: ['’]?[a-z'’]+){0,3}", 'Sojoji sun kashe mayaka 12', 12),
  before('abducted', "(?:sace|garkuwa da)(?: ['’]?[a-z'’]+){0,3}", 'An sace dalibai 40', 40),
  before('injured', 'injur(?:es?|ed|ing)|wound(?:s|ed|ing)?|jikkata|raunata', 'injuring 20', 20),
  before(
    'abducted',
    'abduct(?:s|ed|ing|ion of)?|kidnap(?:s|ped|ping|ping of)?|whisk(?:s|ed|ing)? away|seiz(?:e|es|ed|ing)|don kidnap|took|taking',
    'Bandits abduct 40 young men',
    40,
  ),
  after('killed', `${KILLED}|bodies|corpses|lives|fatalities|deaths`, 'At least 12 people were killed', 12),
  after(
    'injured',
    'injured|wounded|hurt|hospitali[sz]ed|sustain(?:ed)? (?:\\w+ ){0,2}injur\\w+|suffer(?:ed)? injur\\w+',
    '12 others sustained gunshot injuries',
    12,
  ),
  after(
    'abducted',
    'abducted|kidnapped|taken (?:away|hostage|captive)|whisked (?:away|off)|seized|held hostage|in captivity',
    '20 students were abducted',
    20,
  ),
  one(
    'killed',
    `${PERSON}${AGE} (?:[\\w'’-]+ ){0,5}?(?:killed|shot dead|slain|murdered|beheaded|assassinated|lynched|(?:stabbed|hacked|beaten|burnt|burned|stoned|macheted) to death|dead|dies|died)`,
    'A policeman was killed',
    1,
  ),
  one(
    'killed',
    `(?:${KILL}) (?:an? |the |top |senior |prominent |another )?(?:[\\w-]+ ){0,3}?${PERSON}`,
    'Gunmen kill a village head',
    1,
  ),
  one(
    'killed',
    `(?:hacks?|hacked|machet\\w+|stabb?(?:s|ed)|beats?|beat|beaten|burns?|burnt|burned|stones?|stoned|clubb?ed) (?:an? |the )?(?:[\\w-]+ ){0,3}?${PERSON} to death`,
    'A mob burnt a woman to death',
    1,
  ),
  one(
    'abducted',
    `(?:abducts?|abducted|abducting|kidnaps?|kidnapped|kidnapping|abduction of|kidnapping of) (?:an? |the |another )?(?:[\\w-]+ ){0,2}?${PERSON}`,
    'Gunmen abducted a doctor',
    1,
  ),
  one('abducted', `${PERSON}${AGE} (?:[\\w'’-]+ ){0,4}?(?:abducted|kidnapped)`, 'A trader was kidnapped', 1),
]

/** After a number: what is counted is not people. */
export const NOT_PEOPLE =
  /^[\s-]*(?:(?:(?!in |of |at |by |on |as |from |after |when |during |near |killed|dead|people|persons|villagers)[\w-]+ ){0,1}(?:cows?|cattle|sheep|goats|houses?|homes|huts|buildings|shops|stalls|churches|mosques|schools|vehicles?|cars|trucks|buses|motorcycles|bikes|boats|canoes|guns?|rifles?|rounds|ammunition|bullets|magazines|bombs?|ieds?|villages?|communities|towns|states|lgas|km|kilomet\w+|miles|hectares|years?|months?|weeks?|days?|hours?|minutes?|percent|per cent|naira|million|billion|dollars|times|camps?|attacks|incidents|blasts|explosions|locations|places|operations|raids|fronts|local governments?|wives|barrels|litres|bags)\b|(?:a\.?m|p\.?m)\b|(?:st|nd|rd|th)?,? (?:of )?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b(?! \w+ (?:people|persons))|%|-?year|years? old|ak\b|pronged)/i

/** Before a number: money, ages, dates, weapons, and words that continue another number. */
export const NOT_COUNT =
  /(?:[₦$£€]|\baged?|\bak-?|\bgpmg|\bno\.|\bnumber|\bweek ending|\bsince|\bjanuary|\bfebruary|\bmarch|\bapril|\bmay|\bjune|\bjuly|\baugust|\bseptember|\boctober|\bnovember|\bdecember|\bzone|\bunit|\bdivision|\bbrigade|\bbattalion|\bupdate|\bage of|\bchapter|\barticle|\bn|\bmile|\bpsalm)[\s.-]*$|\d[.,/:]$/i

/** A sentence that adds up the past, not this incident. */
export const EARLIER_TOTALS =
  /\b(?:since (?:20\d\d|19\d\d|the (?:beginning|start)|last (?:year|month)|january|then)|in the (?:last|past) (?:\w+ )?(?:years?|months?|decade|weeks?)|in (?:one|two|three|four|five|six|seven|eight|nine|ten|\d+) (?:years?|months?)|over the (?:last|past)|(?:\w+)-year(?:-old)? insurgency|this year alone|so far this year|in recent (?:years|months|weeks)|between 20\d\d and|has claimed (?:more than|over|tens|thousands)|began in|insurgency (?:has|which)|years of (?:violence|insurgency)|in total since)\b/i

interface DoubtRule {
  readonly words: RegExp
  /** Of what a number in such a sentence counts beside one that another sentence gives. */
  readonly share: number
  readonly example: string
}

/** Numbers that give way to those of a plainer sentence. */
export const DOUBTS: readonly DoubtRule[] = [
  {
    words:
      /\b(?:separate (?:attacks|incidents|operations)|(?:two|three|four|five|multiple|several|series of|string of|twin) (?:\w+ ){0,2}(?:attacks|villages|communities|blasts|bombings|raids|operations|clashes)|in (?:two|three|four|five|\d+|one|a|few) (?:days?|weeks?|months?)|across (?:the|\w+ (?:states|villages|communities))|attacks)\b/i,
    share: 0.5,
    example: '63 killed in separate attacks',
  },
  {
    words: /\b(?:feared|reportedly|alleged(?:ly)?|up to|claims? (?:to have|it)|may have|unconfirmed)\b/i,
    share: 0.6,
    example: 'Over 70 feared killed',
  },
]

const counted = (words: string, first = 1, step = 1): Record<string, number> =>
  Object.fromEntries(words.split(' ').map((word, at) => [word, (first + at) * step]))
const UNITS: Readonly<Record<string, number>> = {
  ...counted('one two three four five six seven eight nine ten eleven twelve'),
  ...counted('thirteen fourteen fifteen sixteen seventeen eighteen nineteen', 13),
  // Hausa
  ...counted('daya biyu uku hudu biyar shida bakwai takwas tara goma'),
}
const TENS: Readonly<Record<string, number>> = {
  ...counted('twenty thirty forty', 2, 10),
  fourty: 40,
  ...counted('fifty sixty seventy eighty ninety', 5, 10),
}
const words = (table: Readonly<Record<string, number>>): string => Object.keys(table).join('|')

/** A number in figures or words, as a part of a pattern. */
export const NUMBER = `(?:\\d{1,3}(?:,\\d{3})+|\\d+|(?:${words(TENS)})(?:[- ](?:${words(UNITS)}))?|(?:${words(UNITS)}|a) hundred(?: and (?:${words(TENS)})(?:[- ](?:${words(UNITS)}))?| and (?:${words(UNITS)}))?|(?:${words(UNITS)}|a) dozen|half a dozen|${words(UNITS)})`

/** Reads what `NUMBER` matches; null for anything else. */
export function readNumber(text: string): number | null {
  const lower = text.toLowerCase().trim()
  if (/^[\d,]+$/.test(lower)) {
    const number = Number(lower.replaceAll(',', ''))
    return number > 0 && number < 20_000 ? number : null
  }
  if (lower === 'half a dozen') return 6
  const [head = '', ...rest] = lower.split(/[- ]+/).filter((word) => word !== 'and')
  const first = head === 'a' ? 1 : (TENS[head] ?? UNITS[head])
  if (first === undefined) return null
  if (rest[0] === 'dozen') return first * 12
  const tail = (from: number): number =>
    rest.slice(from).reduce((sum, word) => sum + (TENS[word] ?? UNITS[word] ?? 0), 0)
  return rest[0] === 'hundred' ? first * 100 + tail(1) : first + tail(0)
}
