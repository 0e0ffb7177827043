import type { BodyOf } from '../../../contract/endpoint.ts'
import type { changeWatch, createWatch } from '../../../contract/watches/watches.ts'
import { type FieldError, invalidBody } from '../../../domain/errors.ts'
import type { Places } from '../../../domain/places.ts'
import { singleLine } from '../../../domain/summary/summary.ts'
import type { Watch, WatchFilter, WatchPatch } from '../../../domain/watch.ts'
import { canonicalObject } from '../../../query/filter/canonical.ts'
import type { AreaShape, LiveFilter } from '../../../query/filter/filter.ts'
import { areaInObject } from '../../../query/filter/parsers/area.ts'
import { parseWatchFilter } from '../../../query/filter/watch-filter.ts'
import { endpointFault, type Guard } from '../../../webhooks/guard/guard.ts'
import { parseHeaders, refuseLeavingHeaders } from './headers-request.ts'

type WatchBody = Partial<BodyOf<typeof createWatch>> & Pick<BodyOf<typeof changeWatch>, 'status'>

/**
 * Throws a `Problem` with all errors of the body. `area` is the shape of the area that the filter
 * names, `before` the watch that is changed.
 */
export async function parseWatchRequest(
  body: WatchBody,
  places: Places,
  guard: Guard,
  accountId: string,
  area: AreaShape | null,
  before: Pick<Watch, 'url' | 'headers'> | null,
): Promise<WatchPatch> {
  const errors: FieldError[] = []
  const name = body.name === undefined ? undefined : singleLine(body.name)
  if (name === '') errors.push({ pointer: '/name', message: 'must contain a letter or a digit' })
  const filter = body.filter === undefined ? undefined : parseStoredFilter(body.filter, places, area, errors)
  const headers = body.headers === undefined ? undefined : parseHeaders(body.headers, before?.headers ?? [], errors)
  // Last, because it may resolve a host name, which only an otherwise valid body deserves.
  const fault = body.url === undefined || errors.length > 0 ? null : await endpointFault(body.url, guard, accountId)
  if (fault !== null) errors.push({ pointer: '/url', message: fault })
  if (errors.length > 0) throw invalidBody(errors)
  const url = body.url === undefined ? {} : { url: new URL(body.url).href }
  if (before !== null) refuseLeavingHeaders(before, { ...url, ...(headers === undefined ? {} : { headers }) }, errors)
  if (errors.length > 0) throw invalidBody(errors)
  return {
    ...(name === undefined ? {} : { name }),
    ...url,
    ...(filter ? { filter } : {}),
    ...(body.events === undefined ? {} : { events: body.events }),
    ...(body.description === undefined ? {} : { description: singleLine(body.description ?? '') || null }),
    ...(headers === undefined ? {} : { headers }),
    ...(body.status === undefined ? {} : { status: body.status }),
  }
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
  const areaId = areaInObject(given)
  return {
    given: JSON.stringify(given),
    canonical: canonicalText(parsed.value),
    ...(areaId === null ? {} : { areaId }),
  }
}

function canonicalText(filter: LiveFilter): string {
  return JSON.stringify(canonicalObject(filter))
}

/** Throws a `Problem` if the filter is invalid. */
export function requireFilter(given: unknown, places: Places, area: AreaShape | null = null): LiveFilter {
  const parsed = parseWatchFilter(given, '/filter', places, area)
  if ('errors' in parsed) throw invalidBody(parsed.errors)
  return parsed.value
}
