/*
 * The model of the service: what must be true, in few words, without how it is done. People
 * and faults tell it what they did and what they were answered; it says what everybody must see.
 */

export const KINDS = ['incident.created', 'incident.updated', 'incident.retracted'] as const
/** Watches are told of all but imports. */
export type Kind = (typeof KINDS)[number] | 'incident.imported'

/** A request: what it did was done between these moments. */
export interface Span {
  readonly asked: number
  readonly answered: number
}

/** The content of a public incident that is compared, and that filters look at. */
export interface Facts {
  readonly type: string
  readonly severity: string
  readonly state: string
  readonly lat: number
  readonly lng: number
  readonly summary: string
  readonly killed: number | null
  readonly occurredAt: string
  readonly sources: readonly string[]
}

/** An incident as the service shows it. */
export interface DeskAnswer extends Pick<Facts, 'type' | 'severity' | 'state' | 'lat' | 'lng' | 'summary'> {
  readonly id: string
  readonly status: string
  readonly version: number
  readonly occurred_at: string
  readonly casualties: { readonly killed: number | null }
  readonly sources: readonly { readonly url: string | null }[]
}

export function factsIn(answer: DeskAnswer): Facts {
  return {
    type: answer.type,
    severity: answer.severity,
    state: answer.state,
    lat: answer.lat,
    lng: answer.lng,
    summary: answer.summary,
    killed: answer.casualties.killed,
    occurredAt: answer.occurred_at,
    sources: answer.sources.flatMap(({ url }) => (url === null ? [] : [url])).sort(),
  }
}

/** An incident as it was after a decision. */
export interface Version extends Span {
  /** Nobody was told of it. */
  readonly isImported: boolean
  readonly facts: Facts
  readonly isPublic: boolean
}

export interface Change extends Span {
  readonly incident: Incident
  readonly kind: Kind
  readonly facts: Facts
  readonly isLost: boolean
  /** Known once the log shows it. */
  seq: number | null
}

export class Incident {
  readonly id: string
  readonly number: number
  status = 'reported'
  facts: Facts
  isPublic = false
  /** As the desk last answered. */
  version = 1
  /** Whether somebody decides on it now: nobody else does. */
  isBusy = false
  mergedInto: Incident | null = null
  publishedAt: string | null = null
  readonly versions: Version[]
  readonly changes: Change[] = []
  readonly absorbed: Incident[] = []
  /** Whether it is withdrawn because the database has lost what was public. */
  isLost = false
  /** Words that must be found nowhere. */
  readonly redacted: { readonly word: string; readonly answered: number }[] = []

  constructor(id: string, number: number, facts: Facts, span: Span) {
    this.id = id
    this.number = number
    this.facts = facts
    this.versions = [{ ...span, facts, isPublic: false, isImported: false }]
  }

  /** It, and all that were merged into it. */
  get family(): Incident[] {
    return [this, ...this.absorbed.flatMap(({ family }) => family)]
  }

  /** A decision was taken: from now on this holds, and `kind` is told to those it concerns. */
  decided(status: string, facts: Facts, kind: Kind | null, span: Span, isLost = false): void {
    this.status = status
    this.facts = facts
    this.isPublic = status === 'confirmed'
    const isImported = kind === 'incident.imported'
    this.versions.push({ ...span, facts, isPublic: this.isPublic, isImported })
    this.isLost = (isLost || this.isLost) && !this.isPublic
    if (kind !== null) this.changes.push({ ...span, incident: this, kind, facts, isLost: this.isLost, seq: null })
  }

  /** The public versions up to a change that count for it: its own, and those that were told. */
  versionsFor({ kind, asked }: Pick<Change, 'kind' | 'asked'>): Version[] {
    const versions = this.versions.filter((version) => version.isPublic && version.asked <= asked)
    if (kind === 'incident.created') return versions.slice(-1)
    return versions.filter((version, index) => !version.isImported || index === versions.length - 1)
  }

  /** Whether the service may have shown this at the time, or up to `lag` before. */
  mayHaveBeen(isSame: (version: Version) => boolean, at: number, lag: number): boolean {
    return this.versions.some((version, index) => {
      const until = this.versions[index + 1]?.answered ?? Number.POSITIVE_INFINITY
      return version.asked <= at && until >= at - lag && isSame(version)
    })
  }
}

export interface Filter {
  readonly state?: readonly string[]
  readonly type?: readonly string[]
  readonly min_severity?: string
  readonly near?: readonly [number, number]
  readonly radius_km?: number
}

const SEVERITIES = ['low', 'medium', 'high', 'critical']
const EARTH_KM = 6371

export function matches({ state, type, min_severity, near, radius_km }: Filter, facts: Facts): boolean {
  return (
    (state === undefined || state.includes(facts.state)) &&
    (type === undefined || type.includes(facts.type)) &&
    (min_severity === undefined || SEVERITIES.indexOf(facts.severity) >= SEVERITIES.indexOf(min_severity)) &&
    (near === undefined || kilometres(near, [facts.lat, facts.lng]) <= radius_km!)
  )
}

function kilometres([lat1, lng1]: readonly [number, number], [lat2, lng2]: readonly [number, number]): number {
  const [a, b] = [(lat1 * Math.PI) / 180, (lat2 * Math.PI) / 180]
  const half = (degrees: number) => Math.sin((degrees * Math.PI) / 360) ** 2
  const chord = half(lat2 - lat1) + Math.cos(a) * Math.cos(b) * half(lng2 - lng1)
  return 2 * EARTH_KM * Math.asin(Math.sqrt(chord))
}

/**
 * A watch gets an event as it is when the event is matched: at once, or after this long if nodes
 * and store fail.
 */
const FAN_OUT_MS = 90_000
/** An endpoint that is gone may be sent what was on its way, and what a lost node had sent. */
export const ENDED_MS = 150_000

/** Whether a message is owed, would be wrong, or neither: the moment decides, which nobody saw. */
type Claim = 'must' | 'may' | 'must not'

interface Period extends Span {
  readonly isActive: boolean
  readonly filter: Filter
}

export type Channel = 'webhook' | 'slack' | 'discord' | 'teams' | 'telegram' | 'webpush' | 'email'

/** A watch or an alert: who is told, and of what. */
export class Watch {
  readonly number: number
  readonly channel: Channel
  address: string
  readonly account: Account | null
  readonly events: readonly Kind[]
  /** Messages wait for the next morning. */
  readonly isDaily: boolean
  /** Changes of activity and filter, in order. */
  readonly periods: Period[] = []
  id = ''
  /** Whether somebody works on it now: nobody else changes it. */
  isBusy = false
  /** Of webhooks: messages that may have been counted for it, and their numbers, by event. */
  counted = 0
  readonly sequences = new Map<number, number>()
  /** Receivers verify messages by one of these. */
  secrets: string[] = []
  isRemoved = false
  /** The last time that somebody changed it, or asked for what it had missed. */
  changedAt = 0
  /** The last change of its secret. */
  rotated: Span | null = null
  /** Since when its endpoint says that it is gone, and nobody has resumed it. */
  goneAt: number | null = null
  /** Since when its receiver takes messages without fail. */
  healthySince = 0
  /** The last time that its browser opened a page. */
  seenAt = 0
  /** Events, by their number, that it was not sent in time and asked for. */
  readonly recovered = new Set<number>()
  /** Of webhooks, by the number of the event. */
  readonly taken = new Map<number, { readonly id: string | null; readonly at: number }>()
  /** Of channels for people: when each incident was told, by its id. */
  readonly told = new Map<string, number[]>()
  toldAt = 0
  /** Of an alert without an account: the path that ends it. */
  link: string | null = null
  /** Whether it stopped because its account was blocked. */
  isBlocked = false

  constructor(fields: Pick<Watch, 'number' | 'channel' | 'address' | 'account' | 'events' | 'isDaily'>) {
    this.number = fields.number
    this.channel = fields.channel
    this.address = fields.address
    this.account = fields.account
    this.events = fields.events
    this.isDaily = fields.isDaily
  }

  get name(): string {
    return `watch ${this.number} (${this.channel})`
  }

  get filter(): Filter {
    return this.periods.at(-1)!.filter
  }

  get isActive(): boolean {
    return !this.isRemoved && (this.periods.at(-1)?.isActive ?? false)
  }

  became(isActive: boolean, filter: Filter, span: Span): void {
    this.periods.push({ isActive, filter, ...span })
  }

  /** Its endpoint said so, and it is disabled. */
  isGone(at: number): void {
    if (!this.isActive || this.goneAt !== null) return
    this.goneAt = at
    this.became(false, this.filter, { asked: at, answered: at + FAN_OUT_MS })
  }

  /** Its endpoint takes messages again: the node that it had told may have been lost since. */
  takesAgain(at: number): void {
    if (this.goneAt === null || at > this.goneAt + ENDED_MS) return
    this.goneAt = null
    this.became(true, this.filter, { asked: at, answered: Number.POSITIVE_INFINITY })
  }

  /** Whether it is for it by its present filter, if it existed then. */
  wouldGet({ incident, kind, asked }: Change): boolean {
    if (!(this.events as readonly Kind[]).includes(kind) || this.periods[0]!.answered > asked) return false
    return incident.versionsFor({ kind, asked }).some(({ facts }) => matches(this.filter, facts))
  }

  /**
   * Of a change that was asked for and answered in its span. Corrections go to all whose filter
   * matched any version so far.
   */
  claimOf({ incident, kind, asked, answered }: Change): Claim {
    if (!this.events.includes(kind)) return 'must not'
    const versions = incident.versionsFor({ kind, asked })
    const concerns = (filter: Filter) => versions.some(({ facts }) => matches(filter, facts))
    const during = this.periods.filter(
      (period, index) =>
        period.asked <= answered + FAN_OUT_MS && (this.periods[index + 1]?.answered ?? Infinity) >= asked,
    )
    const isCertain = during.length === 1 && during[0]!.answered <= asked
    if (isCertain && during[0]!.isActive && concerns(during[0]!.filter)) return 'must'
    // Whoever was told by an earlier filter is told of corrections too.
    const earlier = kind === 'incident.created' ? during : this.periods
    return during.some(({ isActive }) => isActive) && earlier.some(({ filter }) => concerns(filter))
      ? 'may'
      : 'must not'
  }
}

/** A newspaper whose feed is read. */
export interface Newspaper {
  readonly id: string
  readonly feed: string
  /** Since when its feed can be read without fail. */
  healthySince: number
}

/** A story, and all newspapers that have printed it with the same words. */
export interface Story {
  readonly number: number
  readonly state: string
  readonly killed: number
  readonly title: string
  /** The day of the attack. */
  readonly dayBefore: string
  readonly printedAt: number
  readonly copies: Copy[]
}

interface Copy {
  readonly paper: Newspaper
  readonly url: string
  /** As the desk says it became; null before it is read. */
  outcome: string | null
}

export interface Account {
  readonly number: number
  readonly id: string
  readonly email: string
  role: 'client' | 'reporter' | 'editor' | 'admin'
  status: 'active' | 'blocked' | 'deleted'
  readonly keys: Key[]
  /** The ids of what it has saved and reported. */
  readonly areas: string[]
  readonly sites: string[]
  readonly reports: string[]
  /** The last change of its rights: nodes know it a moment later. */
  changed: Span
}

export interface Key {
  readonly id: string
  readonly text: string
  readonly account: Account
  readonly scopes: readonly string[]
  readonly expiresAt: number | null
  revoked: Span | null
}

const SCOPES_OF: Readonly<Record<Account['role'], readonly string[]>> = {
  client: ['read', 'watch'],
  reporter: ['read', 'watch', 'report'],
  editor: ['read', 'watch', 'report', 'review'],
  admin: ['read', 'watch', 'report', 'review', 'admin'],
}

/**
 * The answer that a key must get for what needs `scope`, or `all` of its role: 401, 403, or 200 for
 * any other.
 */
export function admissionOf({ account, scopes, expiresAt, revoked }: Key, scope: string, now: number): 200 | 401 | 403 {
  if (revoked !== null || (expiresAt !== null && expiresAt <= now) || account.status === 'deleted') return 401
  if (account.status === 'blocked') return 403
  if (scope === 'all') return SCOPES_OF[account.role].every((each) => scopes.includes(each)) ? 200 : 403
  return scopes.includes(scope) && SCOPES_OF[account.role].includes(scope) ? 200 : 403
}

/** The nodes' answer to what was lost of an incident. */
export interface Repair {
  /** Whether it is in the log, as far as that was read. */
  isDone: boolean
  /** Whether a node remembers all of the loss; otherwise nobody may know of it, or of less. */
  readonly isSure: boolean
  readonly kinds: readonly Kind[]
  /** One of these is in the log: this holds from then on. */
  decide(kind: Kind, span: Span): Incident
}

/** Everything that the world knows. */
export class Model {
  readonly incidents: Incident[] = []
  readonly watches: Watch[] = []
  readonly accounts: Account[] = []
  /** Rows of files that were imported, by their summary; until the log shows them. */
  readonly imports = new Map<string, { readonly facts: Facts; span: Span }>()
  readonly newspapers: Newspaper[] = []
  readonly stories: Story[] = []
  /** The sending of each tip. */
  readonly tips: Span[] = []
  /** Stories that were not read from all of their newspapers yet. */
  readonly unread = new Set<Story>()
  /** The log as far as it was read, and how to go on from there. */
  readonly log: Change[] = []
  position = '0'
  /** The last number with which something was taken out. */
  redactedSeq = 0
  /** By the id of the incident: what the nodes may yet make of a loss. */
  repairs: Map<string, Repair> = new Map()
  /** By their number in the log. */
  readonly changes = new Map<number, Change>()
  /** Changes that have not arrived yet where they must. */
  readonly owed = new Map<Watch, Set<Change>>()
  readonly byId = new Map<string, Incident>()
  readonly byAddress = new Map<string, Watch[]>()

  get lastSeq(): number {
    return this.log.at(-1)?.seq ?? 0
  }

  add(incident: Incident): void {
    this.incidents.push(incident)
    this.byId.set(incident.id, incident)
  }

  addWatch(watch: Watch): void {
    this.watches.push(watch)
    const others = this.byAddress.get(watch.address)
    if (others === undefined) this.byAddress.set(watch.address, [watch])
    else others.push(watch)
  }

  /** Messages that are on their way to the address before arrive there. */
  moveWatch(watch: Watch, address: string): void {
    watch.address = address
    this.byAddress.set(address, [watch])
  }

  print(printed: Omit<Story, 'copies'> & { readonly copies: readonly Omit<Copy, 'outcome'>[] }): void {
    const paperOf = (feed: string) => this.newspapers.find((paper) => paper.feed === feed)!
    const copies = printed.copies.map(({ paper, url }) => ({ paper: paperOf(paper.feed), url, outcome: null }))
    const story = { ...printed, copies }
    this.stories.push(story)
    this.unread.add(story)
  }

  find(id: string): Incident | undefined {
    return this.byId.get(id)
  }

  /** All watches, removed ones too, whose messages go there. */
  watchesAt(address: string): readonly Watch[] {
    return this.byAddress.get(address) ?? []
  }

  /** The public incidents that a filter finds. */
  list(filter: Filter): Incident[] {
    return this.incidents.filter(({ isPublic, facts }) => isPublic && matches(filter, facts))
  }

  /** Copies the present state, for a later return to it. */
  copy(): Model {
    return copyOf(this, new Map())
  }
}

/** Objects that refer to each other stay the same few. */
function copyOf<Value>(value: Value, copies: Map<unknown, unknown>): Value {
  if (typeof value !== 'object' || value === null) return value
  const known = copies.get(value)
  if (known !== undefined) return known as Value
  const copy = Array.isArray(value)
    ? []
    : value instanceof Map
      ? new Map()
      : value instanceof Set
        ? new Set()
        : Object.create(Object.getPrototypeOf(value))
  copies.set(value, copy)
  if (value instanceof Map) for (const [key, each] of value) copy.set(copyOf(key, copies), copyOf(each, copies))
  else if (value instanceof Set) for (const each of value) copy.add(copyOf(each, copies))
  else for (const [name, each] of Object.entries(value)) copy[name] = copyOf(each, copies)
  return copy
}

/** The service did something that must not be. */
export class Violation extends Error {
  override readonly name = 'Violation'
}
