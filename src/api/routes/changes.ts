import type { Archive } from '../../archive/archive.ts'
import { type FieldError, invalidParameters, Problem } from '../../domain/errors.ts'
import { changeJson, changesAfter } from '../../event-log/recent-events.ts'
import { MAX_LIMIT } from '../../filter/listing.ts'
import { parseLimit } from '../../filter/parameter-values.ts'
import { LAYOUTS } from '../../formats/layouts.ts'
import { eventLoopShare } from '../../lib/event-loop-share.ts'
import type { LogEvent } from '../../store/store.ts'
import { listChanges } from '../contract/read/changes.ts'
import { RequestAsker } from '../requests/asker.ts'
import { parametersOf } from '../requests/parameters.ts'
import { stampedBody } from '../responses/meta.ts'
import { sendBytes } from '../responses/send-bytes.ts'
import type { Router } from '../router.ts'

const MANY_EVENTS = 100

export function changeRoutes(router: Router): void {
  const { places } = router.environment.geography

  router.add(listChanges, async ({ request, reply, services }) => {
    const { text } = parametersOf(request, listChanges, places)
    const { after, limit } = parseRequest(text('after'), text('limit'))
    const { archive, recent, store, freshness } = services
    const events = await changesAfter(archive, recent, () => store.events, after, limit)
    if ('notReached' in events) throw positionTooHigh(events.notReached)
    if ('lostSince' in events) throw positionLost(after, events.lostSince)
    // Writing a thousand changes takes milliseconds: one such answer in each turn of the event
    // loop.
    if (events.length > MANY_EVENTS) await eventLoopShare.nextSlice(new RequestAsker(request, reply).subject)
    const body = stampedBody(changesContent(archive, after, events), archive, freshness.stamp)
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
