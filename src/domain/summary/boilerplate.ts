import { PUBLISHERS } from '../publishers.ts'

interface Rule {
  /** The rule's name in the guide (docs/reports.md). */
  readonly what: string
  readonly pattern: RegExp
  readonly replacement?: string
}

const { international, national, local, aggregator } = PUBLISHERS
// Names match as spelled or in capitals, not in lower case: "across the nation" is no newspaper.
// Official publishers are left out: in "two dead - Police" the last word is news.
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
  { what: "an agency's dateline", pattern: regExp(`^${PLACE}(?:${DAY})? \\((?:${OUTLETS})\\) ?[-–—:]+ ?`) },
  { what: 'a dateline with a day', pattern: regExp(`^${PLACE}${DAY} ?(?:\\((?:${OUTLETS})\\)|[-–—:]+)[-–—: ]*`) },
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
    pattern: regExp(` ?[[(](?:[Vv]ia |[Ss]ource: ?|[Cc]redit: ?)?${OUTLETS}(?: ?[,/&;] ?${OUTLETS})*[\\])]${CLOSE}`),
  },
  { what: 'an outlet after a dash at the end', pattern: regExp(` [-–—|•]+ ?${OUTLETS}${CLOSE}`) },
  {
    what: 'a source line at the end',
    pattern: regExp(`(?<=[.!?…"”’')\\]]) (?:(?:photo )?credits?|sources?|via): ?[^.!?…]{1,60}${CLOSE}`, 'iu'),
  },
  { what: 'a link at the end', pattern: / \(?https?:\/\/[^ ]+$/iu },
  { what: 'the mark of a text cut off', pattern: / ?\[(?:…|\.\.\.|&#8230;|&hellip;)\][.…]*$/u, replacement: '…' },
]

export function withoutBoilerplate(text: string): string {
  for (let before = text; ; ) {
    let after = before
    for (const { pattern, replacement } of BOILERPLATE) after = after.replace(pattern, replacement ?? '')
    after = after.replace(/ {2,}/g, ' ').trim()
    if (after === before) return after
    before = after
  }
}
