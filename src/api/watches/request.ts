import { endpointFault } from '../../deliveries/guard/guard.ts'
import { type FieldError, invalidBody } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import {
  changedSchedule,
  type Digest,
  digestIsQuiet,
  minutesOf,
  minutesText,
  type QuietHours,
  type WatchSchedule,
} from '../../domain/schedule.ts'
import { siteListIn } from '../../domain/sites.ts'
import { singleLine } from '../../domain/summary.ts'
import { WATCH_EVENTS, type Watch, type WatchFilter, type WatchPatch } from '../../domain/watch.ts'
import {
  type HeaderChange,
  headerNameFault,
  headersLeavingOrigin,
  headerValueFault,
  MASK,
  MAX_HEADERS,
  unknownHeaders,
  type WatchHeader,
} from '../../domain/watch-headers.ts'
import { type AreaShape, canonicalObject, type LiveFilter } from '../../filter/filter.ts'
import { parseWatchFilter } from '../../filter/live-filters.ts'
import { savedInObject } from '../../filter/saved-areas.ts'
import { SiteIndex } from '../../filter/site-index.ts'
import type { Store } from '../../store/store.ts'
import type { BodyOf } from '../contract/endpoint.ts'
import { sitesShape } from '../request.ts'
import { type ChannelAddress, type ChannelParts, parseChannel } from './channel.ts'
import type { changeWatch, createWatch } from './contract.ts'

type WatchBody = Partial<BodyOf<typeof createWatch>> & Pick<BodyOf<typeof changeWatch>, 'status'>

/** A parsed request; `address` is null for a webhook, and if a change does not name it. */
interface WatchRequest {
  readonly patch: WatchPatch
  readonly address: ChannelAddress | null
}

/**
 * Throws a `Problem` with all errors of the body. `area` is the shape of the area that the filter
 * names, `before` the watch that is changed.
 */
export async function parseWatchRequest(
  body: WatchBody,
  places: Places,
  parts: ChannelParts,
  area: AreaShape | null,
  before: Pick<Watch, 'url' | 'headers' | 'channel' | 'secrets' | 'schedule'> | null,
): Promise<WatchRequest> {
  const errors: FieldError[] = []
  const address = body.channel === undefined ? null : await parseChannel(body.channel, before, parts, errors)
  const forPeople = address !== null || (before !== null && before.channel !== 'webhook')
  if (forPeople) refuseWebhookMembers(body, errors)
  else if (before === null && body.url === undefined && errors.length === 0)
    errors.push({ pointer: '/url', message: 'is missing: a webhook needs it; other channels have "channel"' })
  const name = body.name === undefined ? undefined : singleLine(body.name)
  if (name === '') errors.push({ pointer: '/name', message: 'must contain a letter or a digit' })
  const filter = body.filter === undefined ? undefined : parseStoredFilter(body.filter, places, area, errors)
  const headers = body.headers === undefined ? undefined : parseHeaders(body.headers, before?.headers ?? [], errors)
  const schedule = parseSchedule(body, before?.schedule ?? null, errors)
  // Last, because it may resolve a host name, which only an otherwise valid body deserves.
  const fault =
    body.url === undefined || errors.length > 0 ? null : await endpointFault(body.url, parts.guard, parts.account.id)
  if (fault !== null) errors.push({ pointer: '/url', message: fault })
  if (errors.length > 0) throw invalidBody(errors)
  const url = body.url === undefined ? {} : { url: new URL(body.url).href }
  if (before !== null) refuseLeavingHeaders(before, { ...url, ...(headers === undefined ? {} : { headers }) }, errors)
  if (errors.length > 0) throw invalidBody(errors)
  const patch = {
    ...(name === undefined ? {} : { name }),
    ...(address === null ? url : addressPatch(address)),
    ...(filter ? { filter } : {}),
    ...(body.events === undefined || forPeople ? {} : { events: body.events }),
    ...(body.description === undefined ? {} : { description: singleLine(body.description ?? '') || null }),
    ...(headers === undefined ? {} : { headers }),
    ...schedule,
    ...(body.status === undefined ? {} : { status: body.status }),
  }
  return { patch, address }
}

/** The address takes the place of the secret, and ends the one before at once. */
function addressPatch({ target, shown }: ChannelAddress): WatchPatch {
  return { url: shown, rotation: { secret: target, previousExpiresAt: 0 } }
}

/** Members that mean nothing for messages that people read. */
function refuseWebhookMembers(body: WatchBody, errors: FieldError[]): void {
  const message = 'belongs to webhooks only: the address of a channel is in "channel"'
  if (body.url !== undefined) errors.push({ pointer: '/url', message })
  if (body.headers !== undefined && Object.keys(body.headers ?? {}).length > 0)
    errors.push({ pointer: '/headers', message })
  if (body.events !== undefined && body.events.length < WATCH_EVENTS.length)
    errors.push({
      pointer: '/events',
      message: `must be all of ${WATCH_EVENTS.join(', ')}, or left out: whoever was told is told of corrections too`,
    })
}

function parseStoredFilter(
  given: unknown,
  places: Places,
  area: AreaShape | null,
  errors: FieldError[],
): WatchFilter | null {
  const parsed = parseWatchFilter(given, '/filter', places, area)
  if ('errors' in parsed) {
    errors.push(...parsed.errors)
    return null
  }
  const saved = savedInObject(given)
  return {
    given: JSON.stringify(given),
    canonical: canonicalText(parsed.value),
    ...(saved?.parameter === 'area' && { areaId: saved.id }),
    ...(saved?.parameter === 'sites' && { siteListId: saved.id }),
  }
}

function canonicalText(filter: LiveFilter): string {
  return JSON.stringify(canonicalObject(filter))
}

/** The incidents that a watch's filter follows; null if it names none. */
export function followedIn(filter: WatchFilter | undefined): readonly string[] | null {
  if (filter === undefined) return null
  return (JSON.parse(filter.canonical) as { incident?: readonly string[] }).incident ?? null
}

/** Parses the stored filter of a watch, with the sites that its list has now. */
export async function storedFilter(watch: Watch, places: Places, store: Pick<Store, 'siteLists'>): Promise<LiveFilter> {
  const listId = siteListIn(watch.filter.canonical)
  const list = listId === null ? null : await store.siteLists.positions(watch.accountId, listId)
  const sites = list && sitesShape(new SiteIndex(list.id, list.version, list.positions))
  return requireFilter(JSON.parse(watch.filter.canonical), places, sites)
}

export function requireFilter(given: unknown, places: Places, area: AreaShape | null = null): LiveFilter {
  const parsed = parseWatchFilter(given, '/filter', places, area)
  if ('errors' in parsed) throw invalidBody(parsed.errors)
  return parsed.value
}

type ScheduleBody = Pick<Partial<BodyOf<typeof createWatch>>, 'digest' | 'quiet_hours'>

const DEFAULT_HOUR = 7

/** Parses changes of the schedule; `before` is that of the watch that is changed. */
function parseSchedule(
  body: ScheduleBody,
  before: WatchSchedule | null,
  errors: FieldError[],
): { readonly digest?: Digest | null; readonly quietHours?: QuietHours | null } {
  const change = {
    ...(body.digest !== undefined && { digest: parseDigest(body.digest, errors) }),
    ...(body.quiet_hours !== undefined && { quietHours: parseQuietHours(body.quiet_hours, errors) }),
  }
  const after = changedSchedule(before, change)
  if (after !== null && digestIsQuiet(after))
    errors.push({
      pointer: body.digest === undefined ? '/quiet_hours' : '/digest/hour',
      message: `the daily digest at ${minutesText(after.digest!.hour * 60)} would fall into the quiet hours: choose another hour, or other quiet hours`,
    })
  return change
}

function parseDigest(digest: NonNullable<ScheduleBody['digest']>, errors: FieldError[]): Digest | null {
  const { every, hour, break_severity: breakSeverity = null } = digest
  // Null is how a watch without a daily digest shows it, and may come back as it was read.
  if (hour !== undefined && hour !== null && every !== 'daily')
    errors.push({ pointer: '/digest/hour', message: 'belongs to a daily digest only' })
  if (breakSeverity !== null && every === 'none')
    errors.push({ pointer: '/digest/break_severity', message: 'means nothing without a digest' })
  return every === 'none' ? null : { every, hour: every === 'daily' ? (hour ?? DEFAULT_HOUR) : 0, breakSeverity }
}

function parseQuietHours(
  given: Exclude<ScheduleBody['quiet_hours'], undefined>,
  errors: FieldError[],
): QuietHours | null {
  if (given === null) return null
  const { break_severity: breakSeverity = 'critical' } = given
  const from = minutesOf(given.from)
  const until = minutesOf(given.until)
  // The declaration has let nothing else pass.
  if (from === null || until === null) throw new TypeError(`${given.from} or ${given.until} is no time of the day`)
  if (from === until) errors.push({ pointer: '/quiet_hours/until', message: 'must not be the same time as "from"' })
  return { from, until, breakSeverity }
}

export function scheduleResponse(schedule: WatchSchedule | null) {
  const { digest = null, quietHours = null } = schedule ?? {}
  return {
    digest: {
      every: digest?.every ?? ('none' as const),
      hour: digest?.every === 'daily' ? digest.hour : null,
      break_severity: digest?.breakSeverity ?? null,
    },
    quiet_hours: quietHours && {
      from: minutesText(quietHours.from),
      until: minutesText(quietHours.until),
      break_severity: quietHours.breakSeverity,
    },
  }
}

/** `before` are the headers of the watch, whose values `***` keeps. */
export function parseHeaders(
  given: unknown,
  before: readonly WatchHeader[],
  errors: FieldError[],
): readonly HeaderChange[] {
  if (given === null) return []
  if (typeof given !== 'object' || Array.isArray(given)) {
    errors.push({ pointer: '/headers', message: 'must be an object of names and values, or null' })
    return []
  }
  const entries = Object.entries(given)
  if (entries.length > MAX_HEADERS) {
    errors.push({ pointer: '/headers', message: `has ${entries.length} headers; a watch may have ${MAX_HEADERS}` })
    return []
  }
  const faults = entries.flatMap(([name, value], index) => {
    const repeats = entries.slice(0, index).some(([other]) => other.toLowerCase() === name.toLowerCase())
    const message = repeats ? 'is there twice: upper and lower case are the same' : faultOf(name, value)
    return message === null ? [] : [{ pointer: pointerTo(name), message }]
  })
  errors.push(...faults)
  if (faults.length > 0) return []
  const changes = entries.map(([name, value]) => ({ name, value: value === MASK ? null : String(value) }))
  for (const name of unknownHeaders(before, changes))
    errors.push({ pointer: pointerTo(name), message: `has no value that ${MASK} could keep: send one` })
  return changes
}

/** Adds an error for each header whose stored value the change would send to another origin. */
function refuseLeavingHeaders(
  before: { readonly url: string; readonly headers: readonly WatchHeader[] },
  change: { readonly url?: string; readonly headers?: readonly HeaderChange[] },
  errors: FieldError[],
): void {
  const names = headersLeavingOrigin(before, change)
  if (names.length === 0) return
  const { origin } = new URL(before.url)
  if (change.headers === undefined) {
    const message = `must be sent with a URL of another origin: the values of ${names.join(', ')} were given for ${origin}; send them again, or {} to remove them`
    errors.push({ pointer: '/headers', message })
  }
  for (const name of change.headers === undefined ? [] : names)
    errors.push({
      pointer: pointerTo(name),
      message: `cannot be kept with ${MASK}: the value was given for ${origin}; send it again, or leave the header out`,
    })
}

function faultOf(name: string, value: unknown): string | null {
  return headerNameFault(name) ?? headerValueFault(value)
}

/** Cut, because a name of any length can be sent. */
function pointerTo(name: string): string {
  const start = name.length > 80 ? `${name.slice(0, 80)}…` : name
  return `/headers/${start.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
