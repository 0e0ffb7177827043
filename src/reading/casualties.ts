import type { Casualties } from '../domain/incident.ts'
import {
  CASUALTY_RULES,
  type CasualtyRule,
  DOUBTS,
  EARLIER_TOTALS,
  HARM,
  type Harm,
  NOT_COUNT,
  NOT_PEOPLE,
  NUMBER,
  readNumber,
} from './casualty-rules.ts'
import type { Sentence } from './sentences.ts'

export interface Count {
  readonly harm: Harm
  readonly value: number
  /** Positions in the text that the sentence is from. */
  readonly start: number
  readonly end: number
  readonly final: boolean
  /** Whether it is one person, without a number. */
  readonly single: boolean
  readonly score: number
}

interface Found extends Count {
  readonly by: CasualtyRule['at'] | 'more'
}

const NUMBERS = new RegExp(`\\b${NUMBER}\\b`, 'gi')
const REACH_BEFORE = 120
const REACH_AFTER = 110
/** ", 12 others", ", seven civilians", "and two policemen": more of the same. */
const JOINED = /^(?: (?:[\w'’-]+ ?){0,5}?)?(?:,| and|, and| &) $/i
const OTHER_FATE =
  /^[^.;]{0,45}\b(?:injur|wound|abduct|kidnap|arrest|rescu|burn|destroy|displac|miss|flee|fled|recover|escap|captur|surrender|held)\w*/i
const AMONG = /\b(?:among|amongst|out of)\b/i
const INCLUDING = /\b(?:including|among them|amongst them)\b/i
/** Of these, "others" are others than those counted before. */
const COUNTED = /(?:killed|dead|died|injured|wounded|abducted|kidnapped|hurt|missing),? (?:and )?$/i
const OTHERS = new RegExp(`^(?:,| and|, and) (${NUMBER}) others?\\b`, 'i')
const UPPER_END = new RegExp(`\\b(?:between ${NUMBER} and|${NUMBER} to|\\d+ ?[-–]) ?$`, 'i')
const BEFORE = CASUALTY_RULES.filter(({ at }) => at === 'before')
const AFTER = CASUALTY_RULES.filter(({ at }) => at === 'after')
const ONE = CASUALTY_RULES.filter(({ at }) => at === 'one')
const HARMED =
  /kill|dead|death|lynch|die|slain|murder|behead|assassin|stab|hack|abduct|kidnap|slay|slew|execut|butcher|shot/i

/** The numbers of people killed, injured and abducted that a sentence gives, in its order. */
export function readCasualties({ text, start: offset }: Sentence): Count[] {
  if (EARLIER_TOTALS.test(text)) return []
  const found: Found[] = []
  for (const match of text.matchAll(NUMBERS)) {
    const start = match.index
    const end = start + match[0].length
    const value = readNumber(match[0])
    if (value === null || isNoCount(text, match[0], start, end) || isUpperEnd(text, start)) continue
    const last = found.at(-1)
    const count = countBefore(text, start, end, value) ?? countAfter(text, start, end, value, found.length === 0)
    if (last?.by === 'before' && (count === null || count.by === 'after') && isMore(text, last.end, start, end)) {
      found[found.length - 1] = { ...last, value: last.value + value, end }
    } else if (count?.by === 'after' && last?.by === 'after' && last.end === count.end) {
      // "12 suspects, eight villagers killed": one verb for both. "Two priests among 16 killed":
      // the second has both.
      const between = text.slice(last.start, start)
      const both = INCLUDING.test(between) ? last.value : AMONG.test(between) ? value : last.value + value
      found[found.length - 1] = { ...last, value: both }
    } else if (count) found.push(count)
  }
  if (HARMED.test(text)) for (const rule of ONE) addOne(text, rule, found)
  addOtherSide(text, found)
  if (found.length === 0) return []
  const share = DOUBTS.reduce((sum, doubt) => (doubt.words.test(text) ? sum * doubt.share : sum), 1)
  return found
    .map(({ by: _, ...count }) => ({
      ...count,
      score: count.score * share,
      start: count.start + offset,
      end: count.end + offset,
    }))
    .sort((a, b) => a.start - b.start)
}

function isNoCount(text: string, written: string, start: number, end: number): boolean {
  if (NOT_PEOPLE.test(text.slice(end, end + 40)) || NOT_COUNT.test(text.slice(Math.max(0, start - 14), start)))
    return true
  return /^(?:19|20)\d\d$/.test(written)
}

/** "Between 10 and 15", "10 to 15", "10-15": the lower number is certain. */
function isUpperEnd(text: string, start: number): boolean {
  return UPPER_END.test(text.slice(Math.max(0, start - 50), start))
}

function countBefore(text: string, start: number, end: number, value: number): Found | null {
  const from = Math.max(0, start - REACH_BEFORE)
  const words = text.slice(from, start)
  for (const { harm, words: pattern, final = false } of BEFORE) {
    const match = pattern.exec(words)
    if (match) return { harm, value, start: from + match.index, end, final, single: false, score: 0.85, by: 'before' }
  }
  return null
}

/** Of several fates that follow a number, the nearest is its own. */
function countAfter(text: string, start: number, end: number, value: number, isFirst: boolean): Found | null {
  const words = text.slice(end, end + REACH_AFTER)
  let nearest: Found | null = null
  for (const { harm, words: pattern } of AFTER) {
    const match = pattern.exec(words)
    if (!match || (nearest && end + match[0].length >= nearest.end)) continue
    // "Soldier, 12 others killed": the one before counts as well.
    const before = text.slice(0, start)
    const hasOne = isFirst && /^ others?\b/i.test(words) && /[\w)],? (?:and )?$/.test(before) && !COUNTED.test(before)
    const others = hasOne ? 1 : 0
    nearest = {
      harm,
      value: value + others,
      start,
      end: end + match[0].length,
      final: false,
      single: false,
      score: 0.85,
      by: 'after',
    }
  }
  return nearest
}

/** "Troops killed 18 militants while four soldiers were killed": both sides lost. */
function addOtherSide(text: string, found: Found[]): void {
  const [one, other, ...more] = found.filter(({ harm }) => harm === 'killed')
  if (!one || !other || more.length > 0 || one.single || other.single) return
  if (!/\bwhile\b/i.test(text.slice(one.end, other.start))) return
  found[found.indexOf(one)] = { ...one, value: one.value + other.value, end: other.end }
  found.splice(found.indexOf(other), 1)
}

function isMore(text: string, from: number, start: number, end: number): boolean {
  const between = text.slice(from, start)
  if (between.length > 60 || !JOINED.test(between) || /\b(?:in|at|near|as|on|after|when|during)\b/i.test(between))
    return false
  return !OTHER_FATE.test(text.slice(end, end + 60)) && !/^ (?:in|at|from|near) /i.test(text.slice(end))
}

function addOne(text: string, { harm, words }: CasualtyRule, found: Found[]): void {
  const match = words.exec(text)
  if (!match) return
  const start = match.index
  const end = start + match[0].length
  if (found.some((count) => start < count.end && count.start < end)) return
  const before = text.slice(Math.max(0, start - 20), start)
  if (/\b(?:no|not|nobody|suspected|who|that)\s*$/i.test(before)) return
  // "A village head and five others".
  const others = OTHERS.exec(text.slice(end, end + 40))
  const more = others ? readNumber(others[1]!) : null
  if (others && more !== null) {
    const lastEnd = end + others[0].length
    found.push({ harm, value: 1 + more, start, end: lastEnd, final: false, single: false, score: 0.8, by: 'one' })
  } else found.push({ harm, value: 1, start, end, final: false, single: true, score: 0.6, by: 'one' })
}

interface Settled {
  readonly casualties: Casualties
  /** The counts that were taken. */
  readonly from: readonly Count[]
}

/** A later toll knows more than an earlier number. */
const FINAL_WEIGHT = 2
/** "A policeman was killed" may be one of several. */
const SINGLE_WEIGHT = 0.2

/**
 * One number of each: the one that most sentences give, doubtful ones counting less. Of several,
 * the first counts; of headlines that retell one incident in the order of their publication, the
 * last, which knows most.
 */
export function settleCasualties(counts: readonly Count[], retold: boolean): Settled {
  const from: Count[] = []
  const casualties: Casualties = { killed: null, injured: null, abducted: null }
  for (const harm of HARM) {
    const all = counts.filter((count) => count.harm === harm)
    const chosen = likeliest(all, retold)
    if (!chosen) continue
    casualties[harm] = chosen.value
    from.push(chosen)
  }
  return { casualties, from }
}

function likeliest(counts: readonly Count[], retold: boolean): Count | undefined {
  const weights = new Map<number, number>()
  for (const { value, score, single, final } of counts) {
    const weight = score * (single ? SINGLE_WEIGHT : 1) * (final ? FINAL_WEIGHT : 1)
    weights.set(value, (weights.get(value) ?? 0) + weight)
  }
  const most = Math.max(...weights.values())
  const isLikeliest = ({ value }: Count): boolean => weights.get(value)! >= most - 1e-9
  return retold ? counts.findLast(isLikeliest) : counts.find(isLikeliest)
}
