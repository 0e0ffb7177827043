import { endpointFault } from '../../../deliveries/guard/guard.ts'
import { type FieldError, invalidBody } from '../../../domain/errors.ts'
import type { Places } from '../../../domain/places.ts'
import { siteListIn } from '../../../domain/sites.ts'
import { singleLine } from '../../../domain/summary.ts'
import { WATCH_EVENTS, type Watch, type WatchFilter, type WatchPatch } from '../../../domain/watch.ts'
import { canonicalObject } from '../../../filter/filter/canonical.ts'
import type { AreaShape, LiveFilter } from '../../../filter/filter/filter.ts'
import { savedInObject } from '../../../filter/filter/parsers/area.ts'
import { parseWatchFilter } from '../../../filter/filter/watch-filter.ts'
import { SiteIndex } from '../../../filter/sites/site-index.ts'
import type { Store } from '../../../store/store.ts'
import type { BodyOf } from '../../contract/endpoint.ts'
import type { changeWatch, createWatch } from '../../contract/watches/watches.ts'
import { sitesShape } from '../../requests/filter-references.ts'
import { type ChannelAddress, type ChannelParts, parseChannel } from './channel-request.ts'
import { parseHeaders, refuseLeavingHeaders } from './headers-request.ts'
import { parseSchedule } from './schedule-request.ts'

type WatchBody = Partial<BodyOf<typeof createWatch>> & Pick<BodyOf<typeof changeWatch>, 'status'>

/** What a request asks for; `address` is null for a webhook, and if a change says nothing of it. */
export interface WatchRequest {
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

/** Throws a `Problem` if the filter is invalid. */
export function requireFilter(given: unknown, places: Places, area: AreaShape | null = null): LiveFilter {
  const parsed = parseWatchFilter(given, '/filter', places, area)
  if ('errors' in parsed) throw invalidBody(parsed.errors)
  return parsed.value
}
