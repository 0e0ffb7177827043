import { isOfficialPublisher } from '../../../domain/confidence.ts'
import { coordinatesFault, type ReportedSource, timeFault } from '../../../domain/report.ts'
import { type IncidentType, TYPE_NAMES, TYPES } from '../../../domain/taxonomy.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { suggestNames } from '../../../lib/similar-names.ts'
import { parseTime } from '../../../lib/time.ts'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const NAMED_MONTH = /^(\d{1,2})[ -]([A-Za-z]{3,9})[ -](\d{4}|\d{2})$/
const DAY_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/
const MIDNIGHT = /[ T]0{1,2}:00(:00(\.0+)?)?$/

type Slashes = 'day first' | 'refused'

/** Reads `2024-01-31`, `31 January 2024` or `31-Jan-24`; ignores a midnight after it. */
export function readDay(text: string, now: number, slashes: Slashes = 'refused'): number | null {
  const day = text.replace(MIDNIGHT, '')
  const named = NAMED_MONTH.exec(day)
  if (named) {
    const month = MONTHS.indexOf(named[2]!.slice(0, 3).toLowerCase()) + 1
    return dayOf(fullYear(named[3]!, now), month, Number(named[1]))
  }
  const slashed = DAY_FIRST.exec(day)
  if (slashed && slashes === 'day first') return dayOf(Number(slashed[3]), Number(slashed[2]), Number(slashed[1]))
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? parseTime(day) : null
}

/** Two digits mean the latest such year that is not in the future. */
function fullYear(text: string, now: number): number {
  if (text.length === 4) return Number(text)
  const thisYear = new Date(now).getUTCFullYear()
  const year = Math.floor(thisYear / 100) * 100 + Number(text)
  return year > thisYear ? year - 100 : year
}

function dayOf(year: number, month: number, day: number): number | null {
  const two = (number: number) => String(number).padStart(2, '0')
  return parseTime(`${year}-${two(month)}-${two(day)}`)
}

/** Reads plain digits; NaN for anything else, `0x1f` and `1e3` included. */
export function readNumber(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN
}

/** Some exports write whole numbers as `12.0`. */
export function readCount(text: string): number | null {
  const count = readNumber(text)
  return Number.isSafeInteger(count) && count >= 0 ? count : null
}

export function readCountCell(name: string, text: string, faults: string[]): number | null {
  const count = readCount(text)
  if (count === null && text !== '') faults.push(`${name} "${text}" is not a whole number from 0`)
  return count
}

export function readDayCell(name: string, text: string, now: number, slashes: Slashes, faults: string[]) {
  const day = readDay(text, now, slashes)
  const fault = day === null ? 'is not a date' : timeFault(day, now)
  if (fault !== null) faults.push(`${name} "${text}" ${fault}`)
  return day
}

/** Reads two cells; the result has NaN only with a fault. */
export function readPoint(
  [latName, latText]: readonly [name: string, text: string],
  [lngName, lngText]: readonly [name: string, text: string],
  mayBeAtSea: boolean,
  faults: string[],
): { lat: number; lng: number } {
  const lat = readNumber(latText)
  const lng = readNumber(lngText)
  const fault =
    Number.isNaN(lat) || Number.isNaN(lng)
      ? `${latName} "${latText}" or ${lngName} "${lngText}" is not a number`
      : coordinatesFault(lat, lng, mayBeAtSea)
  if (fault !== null) faults.push(fault)
  return { lat, lng }
}

/** Looks up a numeric code. Null for an empty cell or a missing column. */
export function readCode<Value>(
  table: Readonly<Record<number, Value>>,
  name: string,
  text: string,
  faults: string[],
): Value | null {
  if (text === '') return null
  const value = table[readCount(text) ?? -1]
  if (value === undefined) faults.push(`${name} "${text}" must be one of ${Object.keys(table).join(', ')}`)
  return value ?? null
}

export function readType(text: string): IncidentType | null {
  const name = text.toLowerCase().replace(/[\s-]+/g, '_')
  return Object.hasOwn(TYPES, name) ? (name as IncidentType) : null
}

export function unknownType(text: string): string {
  const near = suggestNames(text.replace(/[\s-]+/g, '_'), TYPE_NAMES)
  const hint = near.length === 0 ? 'GET /v1/taxonomy lists them' : `did you mean ${near.join(' or ')}?`
  return `type "${text.slice(0, 60)}" is not known; ${hint}`
}

/** Null if the text is not a list in JSON; an empty text is an empty list. */
export function parseList(json: string): unknown[] | null {
  if (json === '') return []
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) ? list : null
  } catch {
    return null
  }
}

const MAX_PUBLISHER_LENGTH = 120

export function sourceOf(publisher: string, publishedAt: number | null = null, url: string | null = null) {
  const name = publisher.slice(0, MAX_PUBLISHER_LENGTH).trim()
  const published_at = publishedAt === null ? null : new Date(publishedAt).toISOString()
  return { url, publisher: name, published_at, official: isOfficialPublisher(name) }
}

/** Reads names separated by `;`, with dates if there is one for each. */
export function listedSources(names: string, dates: string, now: number): ReportedSource[] {
  const publishers = names.split(';').map((name) => name.trim())
  const days = dates.split(';').map((day) => readDay(day.trim(), now))
  const paired = days.length === publishers.length
  const sources = publishers.flatMap((publisher, index) =>
    publisher === '' ? [] : [sourceOf(publisher, paired ? (days[index] ?? null) : null)],
  )
  return distinct(sources)
}

const CITED = /^(?:"([^",;]+),\d{4}-|(?!https?:)([^"“”',;\d()]{2,60}))/
const NOT_THE_NAME =
  /\s+(database|on|in|january|february|march|april|may|june|july|august|september|october|november|december)$/i
const CITED_DAY = /\b(\d{4}-\d{2}-\d{2}|\d{1,2} [A-Z][a-z]+ \d{4})\b/

/** Reads citations such as `AFP 2009-07-27 "Title"; Reuters News 3 May 2010 Title`. */
export function citedSources(article: string, now: number): ReportedSource[] {
  const citations = article.split(/[;\n]/).map((citation) => citation.trim())
  const sources = citations.flatMap((citation) => {
    const found = CITED.exec(citation)
    const publisher = (found?.[1] ?? found?.[2] ?? '').trim().replace(NOT_THE_NAME, '')
    if (publisher.length < 2) return []
    return [sourceOf(publisher, readDay(CITED_DAY.exec(citation)?.[1] ?? '', now))]
  })
  return distinct(sources)
}

function distinct(sources: readonly ReportedSource[]): ReportedSource[] {
  const byIdentity = new Map(sources.map((source) => [`${source.publisher}|${source.published_at}`, source]))
  return [...byIdentity.values()]
}

/** Whole words in UCDP's and ACLED's actor names, in any case; a name may have several kinds. */
export const ACTORS = {
  state: words('government of, military forces, police forces, army, navy, air force, joint task force'),
  insurgents: words(`
    jamaatu ahlis sunna, boko haram, jas, is, islamic state, iswap, ansaru, ahlul sunnah jamaa, darul salam,
    lakurawa, mahmuda, jnim`),
  separatists: words('ipob, biafra, massob, eastern security network, esn, ambazonia, ambazonian, yoruba nation'),
  militants: words('ndpvf, mend, niger delta avengers, fndic, niger delta militia'),
  pirates: words('pirates, pirate'),
  bandits: words(`
    bandits, bandit, kidnappers, yan bindiga, yan taadda, zamfara communal militia, katsina communal militia`),
  vigilantes: words('yan gora, civilian jtf, yan sakai, vigilante, vigilantes, bakassi boys, hunters'),
  cults: words(`
    cult, confraternity, black axe, aiye, eyie, eiye, deebam, deewell, greenlanders, icelanders, ndv, maphite,
    vikings, buccaneers, klansmen, kk, bush boys, outlaws`),
  gangs: words('nurtw, gang, forces of, area boys'),
  parties: words('supporters of, apc, pdp, anpp, acn, political thugs'),
  faiths: words('christians, muslims, christian militia, muslim militia, shia, shiite'),
  herders: words('fulani, herders, herdsmen, pastoralists'),
} as const
export type Actor = keyof typeof ACTORS

function words(list: string): readonly string[] {
  return list.trim().split(/,\s+/)
}

const PATTERNS = (Object.keys(ACTORS) as Actor[]).map((actor) => ({
  actor,
  pattern: new RegExp(`(?<![a-z0-9])(${ACTORS[actor].join('|')})(?![a-z0-9])`),
}))

const actorsByName = new BoundedCache<string, ReadonlySet<Actor>>(10_000)

/** Cached, because files repeat a few hundred names. */
export function actorsIn(name: string): ReadonlySet<Actor> {
  let actors = actorsByName.get(name)
  if (actors === undefined) {
    const plain = name.toLowerCase().replace(/['’‘`]/g, '')
    actors = new Set(PATTERNS.filter(({ pattern }) => pattern.test(plain)).map(({ actor }) => actor))
    actorsByName.set(name, actors)
  }
  return actors
}
