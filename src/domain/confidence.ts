import type { ConfidenceReason, Precision, TimePrecision } from './incident.ts'

/** Incremented whenever the same evidence would yield another confidence. */
export const CONFIDENCE_VERSION = 1

/** Percentage of its weight that the 2nd to 5th independent source adds; later ones add 0. */
export const FURTHER_SOURCE_PERCENTAGES = [40, 20, 10, 5] as const

export const OFFICIAL_CONFIRMATION_WEIGHT = 8

export const LOCATION_WEIGHTS = { exact: 9, settlement: 7, lga: 3, state: 0 } as const satisfies Record<
  Precision,
  number
>

export const TIME_WEIGHTS = {
  exact: 5,
  hour: 4,
  day: 3,
  week: 2,
  month: 1,
  year: 0,
} as const satisfies Record<TimePrecision, number>

/** Maximum: 44 × 1.75 plus the official confirmation; with the best place and time, 0.99 in all. */
const MAX_SOURCE_WEIGHT = 85

/** Share of the gap up to `MAX_SOURCE_WEIGHT` that an import of quality 1 adds. */
const IMPORT_SHARE = 0.5

export const REASONS = {
  source_reliability: 'the class of the most reliable source; null without sources',
  independent_sources: 'the number of independent sources; the weight is what those after the first add',
  official_confirmation: 'true',
  import_quality: 'the clarity that the data set states for the row, 0 to 1',
  location_precision: 'the precision of the place',
  time_precision: 'the precision of the time',
  operator_override: 'that the desk set the confidence; the weight is the difference to the calculated value',
} as const
type ReasonName = keyof typeof REASONS

export interface Evidence {
  readonly sources: readonly EvidenceSource[]
  readonly precision: Precision
  readonly timePrecision: TimePrecision
  /** Clarity that the imported data set states for the row, 0 to 1; null for a report. */
  readonly importQuality: number | null
  /** Confidence set by an editor, 0 to 1. */
  readonly override: number | null
}

interface Confidence {
  readonly confidence: number
  /** The weights of the reasons add up to the confidence. */
  readonly reasons: ConfidenceReason[]
  readonly version: number
}

/** Computes the confidence (docs/confidence.md). A further source never lowers it. */
export function confidenceOf(evidence: Evidence, reliability: Reliability): Confidence {
  const reasonList = new ReasonList()
  addSources(reasonList, evidence.sources, reliability)
  if (evidence.importQuality !== null) {
    const remaining = MAX_SOURCE_WEIGHT - reasonList.sum
    const quality = share(evidence.importQuality, 'importQuality')
    reasonList.add('import_quality', quality, Math.round(remaining * IMPORT_SHARE * quality))
  }
  reasonList.add('location_precision', evidence.precision, LOCATION_WEIGHTS[evidence.precision])
  reasonList.add('time_precision', evidence.timePrecision, TIME_WEIGHTS[evidence.timePrecision])
  if (evidence.override !== null) {
    const set = Math.round(share(evidence.override, 'override') * 100)
    // The reason is published: it names the desk, never the editor.
    reasonList.add('operator_override', 'the desk', set - reasonList.sum)
  }
  return { confidence: reasonList.sum / 100, reasons: reasonList.reasons, version: CONFIDENCE_VERSION }
}

function addSources(reasonList: ReasonList, sources: readonly EvidenceSource[], reliability: Reliability): void {
  const [best, ...further] = independentSources(sources, reliability)
  reasonList.add('source_reliability', best ?? null, best ? SOURCE_WEIGHTS[best] : 0)
  reasonList.add('independent_sources', best ? 1 + further.length : 0, furtherWeight(further))
  if (sources.some(({ publisher, official }) => official || reliability(publisher) === 'official')) {
    reasonList.add('official_confirmation', true, OFFICIAL_CONFIRMATION_WEIGHT)
  }
}

function furtherWeight(further: readonly SourceClass[]): number {
  return Math.round(
    FURTHER_SOURCE_PERCENTAGES.reduce((sum, percent, index) => sum + percent * weightAt(further, index), 0) / 100,
  )
}

function weightAt(classes: readonly SourceClass[], index: number): number {
  const kind = classes[index]
  return kind === undefined ? 0 : SOURCE_WEIGHTS[kind]
}

function share(value: number, name: string): number {
  if (!(value >= 0 && value <= 1)) throw new RangeError(`${name} is a number from 0 to 1, not ${value}`)
  return value
}

/** Adds whole hundredths, so that the sum equals the confidence without rounding errors. */
class ReasonList {
  readonly reasons: ConfidenceReason[] = []
  sum = 0

  add(reason: ReasonName, value: ConfidenceReason['value'], hundredths: number): void {
    this.reasons.push({ reason, value, weight: hundredths / 100 })
    this.sum += hundredths
  }
}

export interface EvidenceSource {
  readonly publisher: string
  readonly url: string | null
  /** The source speaks for the police, the army or the government. */
  readonly official?: boolean
}

interface Publisher {
  kind: SourceClass
  readonly addresses: Set<string>
}

/**
 * Returns the classes of the independent sources, best first: the best set in which no two share a
 * publisher or URL, so an agency story on ten sites counts once. A further source only improves it.
 */
export function independentSources(sources: readonly EvidenceSource[], reliability: Reliability): SourceClass[] {
  const publishers = [...publishersOf(sources, reliability).values()]
  publishers.sort((one, other) => SOURCE_CLASSES.indexOf(one.kind) - SOURCE_CLASSES.indexOf(other.kind))
  const owners = new Map<string, Publisher>()
  return publishers.filter((publisher) => claim(publisher, owners, new Set())).map(({ kind }) => kind)
}

/** Assigns a free URL, or moves holders to another of their URLs (bipartite augmenting paths). */
function claim(publisher: Publisher, owners: Map<string, Publisher>, tried: Set<string>): boolean {
  for (const address of publisher.addresses) {
    if (tried.has(address)) continue
    tried.add(address)
    const owner = owners.get(address)
    if (owner === undefined || claim(owner, owners, tried)) {
      owners.set(address, publisher)
      return true
    }
  }
  return false
}

function publishersOf(sources: readonly EvidenceSource[], reliability: Reliability): Map<string, Publisher> {
  const publishers = new Map<string, Publisher>()
  for (const source of sources) {
    const key = publisherKey(source.publisher)
    const kind = classOf(source, reliability)
    const publisher = publishers.get(key) ?? { kind, addresses: new Set() }
    if (SOURCE_CLASSES.indexOf(kind) < SOURCE_CLASSES.indexOf(publisher.kind)) publisher.kind = kind
    // A source without a URL, such as a broadcast, can only repeat its own publisher.
    publisher.addresses.add(source.url === null ? `by ${key}` : sourceUrlKey(source.url))
    publishers.set(key, publisher)
  }
  return publishers
}

/** A listed publisher keeps its class; an unknown one is official if the report says so. */
function classOf({ publisher, official }: EvidenceSource, reliability: Reliability): SourceClass {
  const kind = reliability(publisher)
  return kind === 'unknown' && official ? 'official' : kind
}

/** Query parameters that describe the link, not the page. */
const TRACKING = /^(?:utm_|at_|ns_|mc_[ce]id$|[a-z]*clid$|_g[al]$|igshid?$|ref(?:_src|_url)?$|cmp(?:id)?$|smid$|share$)/
const MIRROR = /^(?:www\d?|m|mobile|amp)\./

/** Returns one key for a page under http, www, /amp/ or with tracking parameters. */
export function sourceUrlKey(url: string): string {
  const parsed = URL.parse(url.trim())
  if (parsed === null) return url.trim()
  const parameters = [...parsed.searchParams]
    .filter(([name]) => name !== 'amp' && !TRACKING.test(name.toLowerCase()))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
  const segments = parsed.pathname.split('/').filter((segment) => segment !== '')
  if (segments.at(-1) === 'amp') segments.pop()
  return `${parsed.host.replace(MIRROR, '')}/${segments.join('/')}?${parameters.join('&')}`
}

/** Weight of the best source by class, descending, in hundredths. A class is no judgement. */
export const SOURCE_WEIGHTS = {
  official: 44,
  international: 44,
  national: 42,
  research: 42,
  local: 34,
  unknown: 24,
  aggregator: 20,
  social: 12,
} as const satisfies Record<string, number>
export type SourceClass = keyof typeof SOURCE_WEIGHTS
export const SOURCE_CLASSES = Object.keys(SOURCE_WEIGHTS) as readonly SourceClass[]

export const SOURCE_CLASS_DESCRIPTIONS = {
  official: 'Police, army, government, emergency services',
  international: 'News agencies and media that report from many countries',
  national: 'Newspapers, stations and sites that report from all of Nigeria',
  research: 'Organisations that collect and check incidents, or investigate them on the spot',
  local: "One city's, one state's or one region's media",
  unknown: 'Publishers that no table lists',
  aggregator: 'Sites that repeat what others have published',
  social: 'Posts and accounts on social media',
} as const satisfies Record<SourceClass, string>

/** Well-known publishers with their other names. The operator's entries take precedence. */
export const PUBLISHERS: Readonly<Partial<Record<SourceClass, readonly (readonly string[])[]>>> = {
  official: [
    ['Nigeria Police Force', 'Nigeria Police', 'Nigerian Police', 'NPF', 'npf.gov.ng'],
    ['Nigerian Army', 'Nigeria Army', 'army.mil.ng'],
    ['Nigerian Navy', 'navy.mil.ng'],
    ['Nigerian Air Force', 'NAF', 'airforce.mil.ng'],
    ['Defence Headquarters', 'DHQ', 'Defence Headquarters Nigeria'],
    ['Department of State Services', 'DSS', 'State Security Service'],
    ['Nigeria Security and Civil Defence Corps', 'NSCDC'],
    ['National Emergency Management Agency', 'NEMA'],
    ['Federal Road Safety Corps', 'FRSC'],
    ['Independent National Electoral Commission', 'INEC'],
    ['United Nations', 'UN', 'OCHA', 'UNHCR', 'UN OCHA'],
  ],
  international: [
    ['Reuters', 'Reuters News', 'Thomson Reuters'],
    ['Agence France-Presse', 'AFP'],
    ['Associated Press', 'AP', 'AP News', 'apnews.com'],
    ['BBC', 'BBC News', 'BBC Hausa', 'BBC Pidgin', 'BBC Monitoring', 'BBC Monitoring Africa'],
    ['Voice of America', 'VOA', 'VOA Hausa', 'VOA News'],
    ['Deutsche Welle', 'DW', 'DW Hausa'],
    ['Radio France Internationale', 'RFI', 'RFI Hausa'],
    ['France 24'],
    ['Al Jazeera', 'Aljazeera'],
    ['CNN', 'CNN International'],
    ['Xinhua', 'Xinhua News Agency'],
    ['Anadolu Agency', 'Anadolu', 'aa.com.tr'],
    ['Bloomberg', 'Bloomberg News'],
    ['The New York Times', 'nytimes.com'],
    ['The Washington Post'],
    ['Financial Times', 'ft.com'],
    ['dpa', 'Deutsche Presse-Agentur'],
    ['UPI', 'United Press International'],
    ['EFE', 'Agencia EFE'],
  ],
  national: [
    ['News Agency of Nigeria', 'NAN', 'nannews.ng'],
    ['Punch', 'The Punch', 'Punch Newspapers', 'Punch NG', 'punchng.com'],
    ['Vanguard', 'Vanguard News', 'vanguardngr.com'],
    ['Premium Times', 'premiumtimesng.com'],
    ['Daily Trust', 'Media Trust', 'Weekly Trust', 'dailytrust.com.ng'],
    ['The Guardian Nigeria', 'Guardian Nigeria', 'guardian.ng'],
    ['ThisDay', 'This Day', 'ThisDay Live', 'thisdaylive.com'],
    ['The Nation', 'The Nation Online', 'thenationonlineng.net'],
    ['The Sun Nigeria', 'The Sun', 'Daily Sun', 'sunnewsonline.com'],
    ['Nigerian Tribune', 'Tribune', 'tribuneonlineng.com'],
    ['Leadership', 'leadership.ng'],
    ['Daily Post', 'dailypost.ng'],
    ['Channels Television', 'Channels', 'Channels TV', 'channelstv.com'],
    ['Arise News', 'Arise TV', 'arise.tv'],
    ['TVC News', 'TVC'],
    ['Nigerian Television Authority', 'NTA', 'NTA News'],
    ['African Independent Television', 'AIT'],
    ['TheCable', 'The Cable', 'thecable.ng'],
    ['Sahara Reporters', 'saharareporters.com'],
    ['HumAngle', 'HumAngle Media', 'humanglemedia.com'],
    ['Peoples Gazette', 'gazettengr.com'],
    ['BusinessDay', 'Business Day', 'businessday.ng'],
    ['Blueprint', 'blueprint.ng'],
    ['Daily Independent', 'Independent Nigeria', 'independent.ng'],
    ['New Telegraph', 'newtelegraphng.com'],
    ['PM News', 'P.M. News', 'pmnewsnigeria.com'],
    ['Foundation for Investigative Journalism', 'FIJ', 'fij.ng'],
    ['International Centre for Investigative Reporting', 'ICIR', 'icirnigeria.org'],
    ['Ripples Nigeria', 'ripplesnigeria.com'],
    ['Legit.ng', 'Legit'],
    ['Pulse Nigeria', 'pulse.ng'],
    ['Daily Nigerian', 'dailynigerian.com'],
  ],
  research: [
    ['UCDP', 'UCDP GED', 'Uppsala Conflict Data Program'],
    ['ACLED', 'Armed Conflict Location and Event Data'],
    ['Nigeria Watch', 'nigeriawatch.org'],
    ['Amnesty International'],
    ['Human Rights Watch', 'HRW', 'hrw.org'],
    ['International Crisis Group', 'Crisis Group', 'CrisisWatch', 'Crisis Watch'],
    ['SBM Intelligence', 'sbmintel.com'],
    ['Beacon Security and Intelligence', 'Beacon Consulting', 'Beacon Security'],
    ['Council on Foreign Relations', 'CFR', 'Nigeria Security Tracker'],
    ['Africa Research Bulletin'],
  ],
  local: [
    ['Katsina Post'],
    ['Kano Focus', 'kanofocus.com'],
    ['Solacebase'],
    ['Freedom Radio'],
    ['Daily Reality'],
    ['Yerwa Express News', 'Yerwa Express'],
    ['The Tide', 'thetidenewsonline.com'],
    ['The Hope', 'thehopenewspaper.com'],
    ['The Pointer'],
    ['Nigerian Observer'],
    ['Nigerian Chronicle'],
    ['Osun Defender'],
    ['The Beam'],
    ['ViewPointNigeria', 'View Point Nigeria'],
  ],
  aggregator: [
    ['AllAfrica', 'All Africa', 'allafrica.com'],
    ['Yahoo News', 'Yahoo'],
    ['MSN'],
    ['Google News'],
    ['Opera News'],
    ['ReliefWeb'],
  ],
  social: [
    ['Nairaland', 'Nairaland Forum', 'nairaland.com'],
    ['X', 'Twitter', 'x.com', 'twitter.com'],
    ['Facebook', 'facebook.com'],
    ['WhatsApp'],
    ['Telegram', 't.me'],
    ['TikTok'],
    ['Instagram'],
    ['YouTube'],
  ],
}

/** Looks up the class of a publisher; `unknown` if no table lists it. */
export type Reliability = (publisher: string) => SourceClass

/** Longer than any real publisher name; bounds the cost of normalizing a huge one. */
const MAX_NAME_LENGTH = 200
const SITE = /^(?:https?:\/\/)?(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?:\/.*)?$/
const ARTICLE = /^the /
const KIND = / (?:news|newspapers?|online|nigeria|ng|tv|television|media)$/

/** Returns one key for `The PUNCH Newspapers` and `punch`, one for `AFP` and its full name. */
export function publisherKey(publisher: string): string {
  const key = nameKey(publisher)
  return KNOWN.get(key)?.key ?? key
}

function nameKey(publisher: string): string {
  const name = publisher.slice(0, MAX_NAME_LENGTH).normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '').trim()
  const site = SITE.exec(name)
  if (site) return site[1]!
  const words = name.replace(/['’‘ʼ]/g, '').replace(/[^\p{L}\p{N}@]+/gu, ' ')
  let bare = words.trim().replace(ARTICLE, '')
  while (KIND.test(bare)) bare = bare.replace(KIND, '')
  return bare
}

const KNOWN = /* @__PURE__ */ knownPublishers()

function knownPublishers(): ReadonlyMap<string, { readonly key: string; readonly kind: SourceClass }> {
  const pairs = SOURCE_CLASSES.flatMap((kind) =>
    (PUBLISHERS[kind] ?? []).flatMap((names) => {
      const known = { key: nameKey(names[0]!), kind }
      return names.map((name) => [nameKey(name), known] as const)
    }),
  )
  return new Map(pairs)
}

/** The operator's entries take precedence over the built-in table. */
export function reliabilityFrom(edits: Iterable<readonly [publisher: string, kind: SourceClass]> = []): Reliability {
  const edited = new Map([...edits].map(([publisher, kind]) => [publisherKey(publisher), kind] as const))
  return (publisher) => {
    const key = publisherKey(publisher)
    return edited.get(key) ?? KNOWN.get(key)?.kind ?? (key.startsWith('@') ? 'social' : 'unknown')
  }
}

const OFFICIAL = /\b(army|police|navy|air force|ministry|defence headquarters|government of nigeria|nscdc|nema)\b/i

/** A longer name is usually the title of a study about an official body. */
const MAX_OFFICE_NAME_LENGTH = 40

export function isOfficialPublisher(publisher: string): boolean {
  return publisher.length <= MAX_OFFICE_NAME_LENGTH && OFFICIAL.test(publisher)
}
