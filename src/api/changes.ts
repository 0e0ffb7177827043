import Type from 'typebox'
import type { Archive } from '../archive/archive.ts'
import { type FieldError, invalidParameters, Problem } from '../domain/errors.ts'
import { EVENT_KINDS } from '../domain/incident.ts'
import { changeJson, changesAfter } from '../event-log/follower.ts'
import { LIMIT_PARAMETER, MAX_LIMIT } from '../filter/listing.ts'
import { parseLimit } from '../filter/parameters.ts'
import { LAYOUTS } from '../formats/layouts.ts'
import { eventLoopShare } from '../lib/concurrency.ts'
import type { LogEvent } from '../store/store.ts'
import { endpoint, ok } from './contract/endpoint.ts'
import { Count, Flag, NamedObject, Nullable, OneOf, Text, Time } from './contract/schema.ts'
import { meta } from './incidents/contract.ts'
import { QueryClient, textsOf } from './request.ts'
import { sendBytes, stampedBody } from './response.ts'
import type { Router } from './router.ts'

export const Change = NamedObject('Change', {
  seq: Type.Integer({
    minimum: 1,
    description:
      'The number of the change. Numbers have no gaps, except one of millions after a restore from a backup.',
  }),
  event: OneOf(
    EVENT_KINDS,
    '`incident.imported` adds history, corrects it or takes it back; it is not sent to watches or streams.',
  ),
  at: Time('When the change was committed.'),
  incident_id: Type.String(),
  incident: Nullable(Type.Ref('Incident')),
  merged_into: Type.Optional(Text('Where the retracted incident went on: the one that it was merged into.')),
  redacted: Type.Optional(
    Flag('True if the change took content out: delete every earlier version of the incident that you keep.'),
  ),
})

NamedObject('ChangeList', {
  data: Type.Array(Type.Ref('Change')),
  next_after: Count('Send it as `after` to continue, now or later.'),
  has_more: Flag('Whether more changes are available at once.'),
  meta,
})

const listChanges = endpoint('listChanges', 'GET /v1/changes', {
  sample: { after: '0', limit: '10' },
  tag: 'Incidents',
  summary: 'Keep a copy up to date',
  description:
    'Every incident created, imported, updated or retracted, in order and without gaps; all changes are kept. Store `incident` under `incident_id`; if it is `null`, ' +
    'delete your copy: the incident has been retracted, and all its changes, earlier ones included, then contain only its id and their times. ' +
    'An `incident` is the version after the change (for imported history: the current version). After a restore from a backup, a position that was lost is answered with 410.',
  scope: 'read',
  query: {
    after: {
      description: 'The last `seq` that you have; 0 or no value starts at the beginning.',
      example: '8123',
      number: { type: 'integer', minimum: 0 },
    },
    limit: LIMIT_PARAMETER,
  },
  requestHeaders: ['If-None-Match'],
  response: ok('The changes after that position.', Type.Ref('ChangeList')),
  problems: ['position_lost'],
})

const MANY_EVENTS = 100

export function changeRoutes(router: Router): void {
  router.add(listChanges, async ({ request, reply, services }) => {
    const text = textsOf(request, listChanges)
    const { after, limit } = parseRequest(text('after'), text('limit'))
    const { archive, recent, store, freshness } = services
    const events = await changesAfter(archive, recent, store, after, limit)
    if ('notReached' in events) throw positionTooHigh(events.notReached)
    if ('lostSince' in events) throw positionLost(after, events.lostSince)
    // Writing a thousand changes takes milliseconds: one such answer in each turn of the event
    // loop.
    if (events.length > MANY_EVENTS) await eventLoopShare.nextSlice(new QueryClient(request, reply).subject)
    const body = stampedBody(changesContent(archive, after, events), archive.view, freshness.stamp)
    return sendBytes(request, reply, body, LAYOUTS.json.contentType)
  })
}

function parseRequest(afterText: string | null, limitText: string | null): { after: number; limit: number } {
  const errors: FieldError[] = []
  const limit = parseLimit(limitText, MAX_LIMIT, errors)
  const after = afterText === null ? 0 : /^\d{1,15}$/.test(afterText) ? Number(afterText) : null
  if (after === null) errors.push({ parameter: 'after', message: 'must be the seq of a change, a whole number from 0' })
  if (after === null || errors.length > 0) throw invalidParameters(errors)
  return { after, limit }
}

function positionTooHigh(head: number) {
  const message = `is beyond the newest change, which is ${head}; this service has not issued this position`
  return invalidParameters([{ parameter: 'after', message }])
}

function positionLost(after: number, since: number): Problem {
  return new Problem(
    'position_lost',
    `The service was restored from a backup: the changes after ${since} that you have read, up to ${after}, are lost. ` +
      `Rebuild your copy from after=0; or, if it may keep the lost changes, continue from after=${since}.`,
  )
}

/** Copies the incidents' documents as stored in the log. */
function changesContent(archive: Archive, seq: number, events: readonly LogEvent[]): string {
  const nextAfter = events.at(-1)?.seq ?? seq
  const data = events.map((event) => changeJson(archive, event)).join(',')
  // The head of a restored log may be far beyond its last event.
  const hasMore = events.length > 0 && nextAfter < archive.head.seq
  return `"data":[${data}],"next_after":${nextAfter},"has_more":${hasMore}`
}
