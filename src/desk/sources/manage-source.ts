import { endpointFault, type Guard } from '../../deliveries/guard/guard.ts'
import { type FieldError, invalidBody, Problem } from '../../domain/errors.ts'
import { newIdentifier } from '../../domain/identifier.ts'
import { DEFAULT_EVERY_MINUTES, MAX_SOURCES, NEVER_POLLED, type NewsSource } from '../../domain/sources.ts'
import { singleLine } from '../../domain/summary.ts'
import { randomBytes } from '../../lib/runtime.ts'
import type { NewSource, SourcePatch } from '../../store/store.ts'
import { urlKeyOf } from './take-item.ts'

export interface SourceRequest {
  readonly url: string
  readonly publisher: string
  readonly every_minutes?: number
  readonly paused?: boolean
}

/** Checks a source to be added; names every wrong field. */
export async function newSource(body: SourceRequest, guard: Guard, accountId: string, now: number): Promise<NewSource> {
  const errors: FieldError[] = []
  const publisher = readPublisher(body.publisher, errors)
  const urlKey = await readUrl(body.url, guard, accountId, errors)
  if (errors.length > 0) throw invalidBody(errors)
  return {
    id: newIdentifier('source', now, randomBytes),
    kind: 'feed',
    url: body.url,
    urlKey: urlKey!,
    publisher,
    everyMinutes: body.every_minutes ?? DEFAULT_EVERY_MINUTES,
    paused: body.paused ?? false,
    createdAt: now,
    dueAt: now,
  }
}

/** Checks a change. A source with another address, or that goes on, is polled at once. */
export async function sourcePatch(
  source: NewsSource,
  body: Partial<SourceRequest>,
  guard: Guard,
  accountId: string,
  now: number,
): Promise<SourcePatch> {
  const errors: FieldError[] = []
  const publisher = body.publisher === undefined ? undefined : readPublisher(body.publisher, errors)
  const isMoved = body.url !== undefined && body.url !== source.url
  const urlKey = isMoved ? await readUrl(body.url!, guard, accountId, errors) : null
  if (errors.length > 0) throw invalidBody(errors)
  const goesOn = body.paused === false && source.paused
  return {
    ...(publisher === undefined ? {} : { publisher }),
    ...(body.every_minutes === undefined ? {} : { everyMinutes: body.every_minutes }),
    ...(body.paused === undefined ? {} : { paused: body.paused }),
    ...(isMoved ? { url: body.url!, urlKey: urlKey!, polling: NEVER_POLLED } : {}),
    ...(isMoved || goesOn ? { dueAt: now } : {}),
  }
}

/** Throws the problem of a refusal of the store. */
export function requireSource(outcome: NewsSource | 'taken' | 'full' | null): NewsSource {
  if (outcome === 'taken') throw new Problem('source_exists', 'Another source has this address.')
  if (outcome === 'full') throw new Problem('too_many_sources', `There can be ${MAX_SOURCES} sources.`)
  if (outcome === null) throw new Problem('not_found', 'There is no such source.')
  return outcome
}

function readPublisher(text: string, errors: FieldError[]): string {
  const publisher = singleLine(text)
  if (!/[\p{L}\p{N}]/u.test(publisher))
    errors.push({ pointer: '/publisher', message: 'must be a name, such as Daily Trust' })
  return publisher
}

async function readUrl(url: string, guard: Guard, accountId: string, errors: FieldError[]): Promise<string | null> {
  const fault = await endpointFault(url, guard, accountId)
  const key = fault === null ? urlKeyOf(url) : null
  if (fault !== null || key === null) errors.push({ pointer: '/url', message: fault ?? 'must be a web address' })
  return key
}
