import { PUBLISHERS } from '../publishers.ts'

interface Rule {
  /** As the guide lists it (docs/reports.md). */
  readonly what: string
  readonly pattern: RegExp
  /** What is put in its place; nothing where it is not given. */
  readonly instead?: string
}

const { international, national, local, aggregator } = PUBLISHERS
// As they write themselves or in capitals, never in small letters: "across the nation" is no newspaper. Officials are
// not among them: in "two dead - Police" the last word is part of the news.
const OUTLET = [international, national, local, aggregator]
  .flatMap((publishers) => publishers ?? [])
  .flat()
  .flatMap((name) => [name, name.toUpperCase()])
  .sort((one, other) => other.length - one.length)
  .map((name) => name.replace(/[.]/g, '\\.').replaceAll(' ', '\\s'))
  .join('|')
const OUTLETS = `(?:The |THE )?(?:${OUTLET})(?: (?:News|NEWS|Newspapers?|NEWSPAPERS?|Online|ONLINE|Nigeria|NIGERIA|NG|TV))*`

const LABEL =
  'BREAKING(?: NEWS)?|JUST[ -]IN|UPDATED?|NEWS ?FLASH|FLASH|EXCLUSIVE|DEVELOPING(?: STORY)?|HAPPENING NOW|LIVE|ALERT|PHOTOS?|PICTURES?|PICS|VIDEOS?|WATCH|AUDIO|GRAPHIC'
const INVITATION =
  'read (?:more(?! than)|also|full|the full)|also read|see also|continue reading|click (?:here|to read|the link)|full (?:story|details)(?: here)?:|follow us|subscribe (?:to|now)|join (?:our|us on)|sign up (?:to|for)|download our|kindly share|share this|advertisement'
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*'
const PLACE = "\\p{Lu}[\\p{L}.'’ -]{1,30}(?:, \\p{Lu}[\\p{L}. ]{1,20})?"
const DAY = `, (?:${MONTH}\\.? \\d{1,2}|\\d{1,2} ${MONTH}\\.?)(?:,? \\d{4})?`
/** Where a sentence may begin. */
const BEGIN = '(?<=^|[.!?…"”’\')\\]] )'
const CLOSE = '[.!?…]*$'

const of = (pattern: string, flags = 'u'): RegExp => new RegExp(pattern, flags)

/** What outlets put around a story. Order matters little: the rules are gone through until none applies. */
export const BOILERPLATE: readonly Rule[] = [
  { what: 'a label at the start', pattern: of(`^(?:[^\\p{L}\\p{N}]{0,4}(?:${LABEL})(?: ?[:|]+| [–—-]+ ) ?)+`, 'iu') },
  {
    what: 'a label in brackets',
    pattern: of(` ?[[(](?:${LABEL})(?:(?: ?[,/&+|] ?| and | )(?:${LABEL}))*[\\])]:?`, 'giu'),
    instead: ' ',
  },
  { what: "an agency's dateline", pattern: of(`^${PLACE}(?:${DAY})? \\((?:${OUTLETS})\\) ?[-–—:]+ ?`) },
  { what: 'a dateline with a day', pattern: of(`^${PLACE}${DAY} ?(?:\\((?:${OUTLETS})\\)|[-–—:]+)[-–—: ]*`) },
  {
    what: 'a byline',
    pattern: /^by (?:our|agency) (?:staff |special )?(?:reporters?|correspondents?|staff)\b[^\p{L}\p{N}]*/iu,
  },
  {
    what: 'an invitation to read on',
    pattern: of(`${BEGIN}(?:${INVITATION})(?:[^.!?…]|[.!?…](?=[^ .!?…]))*[.!?…]*`, 'giu'),
  },
  {
    what: 'the footer of a feed',
    pattern: of(`${BEGIN}the post .{1,300}? (?:first )?appeared (?:first )?on .{1,80}$`, 'iu'),
  },
  {
    what: 'a notice of copyright',
    pattern: of(`${BEGIN}(?:©|\\(c\\) ?\\d{4}|copyright|all rights reserved).*$`, 'iu'),
  },
  {
    what: 'outlets in brackets at the end',
    pattern: of(` ?[[(](?:[Vv]ia |[Ss]ource: ?|[Cc]redit: ?)?${OUTLETS}(?: ?[,/&;] ?${OUTLETS})*[\\])]${CLOSE}`),
  },
  { what: 'an outlet after a dash at the end', pattern: of(` [-–—|•]+ ?${OUTLETS}${CLOSE}`) },
  {
    what: 'a source line at the end',
    pattern: of(`(?<=[.!?…"”’')\\]]) (?:(?:photo )?credits?|sources?|via): ?[^.!?…]{1,60}${CLOSE}`, 'iu'),
  },
  { what: 'a link at the end', pattern: / \(?https?:\/\/[^ ]+$/iu },
  { what: 'the mark of a text cut off', pattern: / ?\[(?:…|\.\.\.|&#8230;|&hellip;)\][.…]*$/u, instead: '…' },
]

export function withoutBoilerplate(text: string): string {
  for (let before = text; ; ) {
    let after = before
    for (const { pattern, instead } of BOILERPLATE) after = after.replace(pattern, instead ?? '')
    after = after.replace(/ {2,}/g, ' ').trim()
    if (after === before) return after
    before = after
  }
}
