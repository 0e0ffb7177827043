import { PUBLISHERS } from './confidence.ts'

export const MAX_SUMMARY_LENGTH = 400

/** Begins every synthetic summary, so that nobody mistakes one for a real incident. */
export const SYNTHETIC_PREFIX = '[Synthetic] '

/** Characters processed: ten times what can remain, so that a whole book costs little. */
const MAX_INPUT_LENGTH = 4000
const SPACE = /[\s\u0085]+/g
/** Control, format (zero width, direction) and invisible characters, and lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
const LOOSE_END = /[\s,;:|/\\•·–—-]+$/
const FINAL_STOP = /[.!?…。۔؟]["'”’»)\]]*$/

/**
 * Returns one line of plain text without boilerplate, at most 400 characters, with a final stop;
 * empty without a letter or digit. Markup stays: it is shown as text everywhere.
 */
export function normalizeSummary(text: string): string {
  // Truncating can move boilerplate to the end, so this repeats until nothing changes. It
  // terminates: each round after the first removes more than the stop that it adds.
  for (let before = text; ; ) {
    const after = withFinalStop(truncateText(withoutBoilerplate(singleLine(before)), MAX_SUMMARY_LENGTH))
    if (after === before) return after
    before = after
  }
}

/** Puts the text on one line, in NFC, without invisible characters; markup stays. */
export function singleLine(text: string): string {
  const visible = text.replace(SPACE, ' ').replace(INVISIBLE, '').replace(SPACE, ' ').trim()
  return visible.slice(0, MAX_INPUT_LENGTH).replace(INVISIBLE, '').normalize('NFC').trim()
}

function withFinalStop(text: string): string {
  if (!LETTER_OR_DIGIT.test(text)) return ''
  return FINAL_STOP.test(text) ? text : `${text.replace(LOOSE_END, '')}.`
}

/** A shorter first sentence is a headline; the text is then cut after a word. */
const MIN_LENGTH = 40
const SENTENCE_END = /[.!?…。۔؟]+["'”’»)\]]*(?= (?!\p{Ll}))/gu
/** A full stop after one of these, or after an initial, does not end a sentence. */
const ABBREVIATION =
  /(?:^|[\s("“‘])(?:\p{L}|(?:\p{L}\.)+\p{L}|Mr|Mrs|Ms|Dr|Prof|Engr|Barr|Alh|Rev|Hon|Sen|Gov|Gen|Brig|Col|Maj|Capt|Lt|Sgt|Cpl|Insp|Supt|Asst|Dep|St|No|Nos|Rd|vs|approx|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.$/u

/** Cuts after a sentence, or else after a word with an ellipsis; never inside a character. */
function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const end = lastSentenceEnd(text, maxLength)
  if (end >= MIN_LENGTH) return text.slice(0, end)
  const space = text.lastIndexOf(' ', maxLength - 1)
  const cut = space >= MIN_LENGTH ? space : characterStart(text, maxLength - 1)
  return `${text.slice(0, cut).replace(/[\s,;:–—-]+$/, '')}…`
}

function lastSentenceEnd(text: string, maxLength: number): number {
  let last = 0
  for (const { 0: mark, index } of text.slice(0, maxLength + 2).matchAll(SENTENCE_END)) {
    const end = index + mark.length
    if (end <= maxLength && !(mark === '.' && ABBREVIATION.test(text.slice(Math.max(0, index - 20), index + 1))))
      last = end
  }
  return last
}

/** Returns the last index up to `from` that splits no surrogate pair and no accented letter. */
function characterStart(text: string, from: number): number {
  for (let at = from; at > from / 2; at--) {
    const next = String.fromCodePoint(text.codePointAt(at)!)
    const within = /[\uDC00-\uDFFF]/.test(text.charAt(at)) || /\p{M}/u.test(next)
    if (!within) return at
  }
  return /[\uDC00-\uDFFF]/.test(text.charAt(from)) ? from - 1 : from
}

interface Rule {
  /** The rule's name in the guide (docs/reports.md). */
  readonly what: string
  /** Applies only if every name in its group `outlets` is that of an outlet. */
  readonly pattern: RegExp
  readonly replacement?: string
}

const { international, national, local, aggregator } = PUBLISHERS
// Names match as spelled or in capitals, not in lower case: "across the nation" is no newspaper.
// Official publishers are left out: in "two dead - Police" the last word is news.
const OUTLETS = new Set(
  [international, national, local, aggregator]
    .flatMap((publishers) => publishers ?? [])
    .flat()
    .flatMap((name) => [name, name.toUpperCase()]),
)
const ARTICLE = /^(?:The|THE) /
const ADDITION = / (?:News|NEWS|Newspapers?|NEWSPAPERS?|Online|ONLINE|Nigeria|NIGERIA|NG|TV)$/

/** Whether the text is the name of an outlet, as it is or with words that outlets add to it. */
function isOutlet(text: string): boolean {
  for (let name = text; ; ) {
    if (OUTLETS.has(name) || OUTLETS.has(name.replace(ARTICLE, ''))) return true
    const shorter = name.replace(ADDITION, '')
    if (shorter === name) return false
    name = shorter
  }
}

const LABEL =
  'BREAKING(?: NEWS)?|JUST[ -]IN|UPDATED?|NEWS ?FLASH|FLASH|EXCLUSIVE|DEVELOPING(?: STORY)?|HAPPENING NOW|ANSWER|ALERT|PHOTOS?|PICTURES?|PICS|VIDEOS?|WATCH|AUDIO|GRAPHIC'
const INVITATION =
  'read (?:more(?! than)|also|full|the full)|also read|see also|continue reading|click (?:here|to read|the link)|full (?:story|details)(?: here)?:|follow us|subscribe (?:to|now)|join (?:our|us on)|sign up (?:to|for)|download our|kindly share|share this|advertisement'
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*'
const PLACE = "\\p{Lu}[\\p{L}.'’ -]{1,30}(?:, \\p{Lu}[\\p{L}. ]{1,20})?"
const DAY = `, (?:${MONTH}\\.? \\d{1,2}|\\d{1,2} ${MONTH}\\.?)(?:,? \\d{4})?`
/** A position at which a sentence may begin. */
const BEGIN = '(?<=^|[.!?…"”’\')\\]] )'
const CLOSE = '[.!?…]*$'

const regExp = (pattern: string, flags = 'u'): RegExp => new RegExp(pattern, flags)

/** Text that outlets add around a story. Rules repeat until none applies. */
export const BOILERPLATE: readonly Rule[] = [
  {
    what: 'a label at the start',
    pattern: regExp(`^(?:[^\\p{L}\\p{N}]{0,4}(?:${LABEL})(?: ?[:|]+| [–—-]+ ) ?)+`, 'iu'),
  },
  {
    what: 'a label in brackets',
    pattern: regExp(` ?[[(](?:${LABEL})(?:(?: ?[,/&+|] ?| and | )(?:${LABEL}))*[\\])]:?`, 'giu'),
    replacement: ' ',
  },
  { what: "an agency's dateline", pattern: regExp(`^${PLACE}(?:${DAY})? \\((?<outlets>[^(),/&;]+)\\) ?[-–—:]+ ?`) },
  {
    what: 'a dateline with a day',
    pattern: regExp(`^${PLACE}${DAY} ?(?:\\((?<outlets>[^(),/&;]+)\\)|[-–—:]+)[-–—: ]*`),
  },
  {
    what: 'a byline',
    pattern: /^by (?:our|agency) (?:staff |special )?(?:reporters?|correspondents?|staff)\b[^\p{L}\p{N}]*/iu,
  },
  {
    what: 'an invitation to read on',
    pattern: regExp(`${BEGIN}(?:${INVITATION})(?:[^.!?…]|[.!?…](?=[^ .!?…]))*[.!?…]*`, 'giu'),
  },
  {
    what: 'the footer of a feed',
    pattern: regExp(`${BEGIN}the post .{1,300}? (?:first )?appeared (?:first )?on .{1,80}$`, 'iu'),
  },
  {
    what: 'a notice of copyright',
    pattern: regExp(`${BEGIN}(?:©|\\(c\\) ?\\d{4}|copyright|all rights reserved).*$`, 'iu'),
  },
  {
    what: 'outlets in brackets at the end',
    pattern: regExp(` ?[[(](?:[Vv]ia |[Ss]ource: ?|[Cc]redit: ?)?(?<outlets>[^[\\]()]+)[\\])]${CLOSE}`),
  },
  {
    what: 'an outlet after a dash at the end',
    pattern: regExp(` [-–—|•]+ ?(?<outlets>(?![-–—|•])(?:(?! [-–—|•])[^,/&;])+?)${CLOSE}`),
  },
  {
    what: 'a source line at the end',
    pattern: regExp(`(?<=[.!?…"”’')\\]]) (?:(?:photo )?credits?|sources?|via): ?[^.!?…]{1,60}${CLOSE}`, 'iu'),
  },
  { what: 'a link at the end', pattern: / \(?https?:\/\/[^ ]+$/iu },
  { what: 'the mark of a text cut off', pattern: / ?\[(?:…|\.\.\.|&#8230;|&hellip;)\][.…]*$/u, replacement: '…' },
]

function withoutBoilerplate(text: string): string {
  for (let before = text; ; ) {
    let after = before
    for (const rule of BOILERPLATE) after = apply(rule, after)
    after = after.replace(/ {2,}/g, ' ').trim()
    if (after === before) return after
    before = after
  }
}

/**
 * Looks outlets up: V8 takes half a second to compile an expression of all their names, on the main
 * thread, at the first report.
 */
function apply({ pattern, replacement = '' }: Rule, text: string): string {
  const names = text.match(pattern)?.groups?.outlets?.split(/ ?[,/&;] ?/) ?? []
  return names.every(isOutlet) ? text.replace(pattern, replacement) : text
}
