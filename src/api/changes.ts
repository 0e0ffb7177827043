import Type from 'typebox'
import type { Archive } from '../archive/archive.ts'
import { type FieldError, invalidParameters } from '../domain/errors.ts'
import { EVENT_KINDS } from '../domain/incident.ts'
import { changeJson, changesAfter } from '../event-log/follower.ts'
import { POSITION_MESSAGE, type Position, parsePosition, positionText } from '../event-log/positions.ts'
import { LIMIT_PARAMETER, MAX_LIMIT } from '../filter/listing.ts'
import { parseLimit } from '../filter/parameters.ts'
import { LAYOUTS } from '../formats/layouts.ts'
import { eventLoopShare } from '../lib/concurrency.ts'
import type { LogEvent } from '../store/store.ts'
import { endpoint, ok } from './contract/endpoint.ts'
import { Flag, NamedObject, Nullable, OneOf, Text, Time } from './contract/schema.ts'
import { meta } from './incidents/contract.ts'
import { QueryClient, textsOf } from './request.ts'
import { sendBytes, stampedBody } from './response.ts'
import type { Router } from './router.ts'

export const Change = NamedObject('Change', {
  seq: Type.Integer({
    minimum: 1,
    description:
      'The number of the change. Numbers have no gaps, except one of millions after an early restore from a backup. After a loss they are given again: `position` tells changes apart.',
  }),
  position: Text('Where the change is in the log. Opaque; send it as `after` or `Last-Event-ID` to go on from here.'),
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
  next_after: Text('Send it as `after` to continue, now or later. Opaque.'),
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
    'An `incident` is the version after the change (for imported history: the current version). After a restore from a backup, or if the database has lost its latest writes, a position that is not in the log any more is answered with 410 and the position to continue from, `resume_after`.',
  scope: 'read',
  query: {
    after: {
      description:
        'The `next_after` of the last answer, or the `position` of a change; 0 or no value starts at the beginning. A plain `seq` works as well, but a loss may go unnoticed with it.',
      example: '8123.Xk3yR0pWc9A',
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
    const { archive, recent, store, freshness, positions } = services
    const seq = await positions.require(after, 'after')
    const events = await changesAfter(archive, recent, store, seq, limit)
    // Writing a thousand changes takes milliseconds: one such answer in each turn of the event
    // loop.
    if (events.length > MANY_EVENTS) await eventLoopShare.nextSlice(new QueryClient(request, reply).subject)
    const body = stampedBody(changesContent(archive, after.text, events), archive.view, freshness.stamp)
    return sendBytes(request, reply, body, LAYOUTS.json.contentType)
  })
}

function parseRequest(afterText: string | null, limitText: string | null): { after: Position; limit: number } {
  const errors: FieldError[] = []
  const limit = parseLimit(limitText, MAX_LIMIT, errors)
  const after = parsePosition(afterText ?? '0')
  if (after === null) errors.push({ parameter: 'after', message: POSITION_MESSAGE })
  if (after === null || errors.length > 0) throw invalidParameters(errors)
  return { after, limit }
}

/** Copies the incidents' documents as stored in the log. */
function changesContent(archive: Archive, after: string, events: readonly LogEvent[]): string {
  const last = events.at(-1)
  const nextAfter = last === undefined ? after : positionText(last)
  const data = events.map((event) => changeJson(archive, event)).join(',')
  const hasMore = last !== undefined && last.seq < archive.head.seq
  return `"data":[${data}],"next_after":"${nextAfter}","has_more":${hasMore}`
}
