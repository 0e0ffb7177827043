import type { WatchFilter } from '../../../../client/src/generated/types.ts'
import { languageIn } from '../../../deliveries/channels/target.ts'
import { addressOf } from '../../../deliveries/send/message.ts'
import { isMessenger } from '../../../domain/channel.ts'
import { shownStatus, type Watch } from '../../../domain/watch.ts'
import { maskedHeaders } from '../../../domain/watch-headers.ts'
import { declaredForm } from '../../../filter/filter/declared-form.ts'
import { scheduleResponse } from './schedule-request.ts'

type ShownWatch = Omit<Watch, 'createdSeq'>

/**
 * With the secret, which is shown only when it is made; of other channels it is their address, and
 * never shown.
 */
export function watchWithSecret(watch: ShownWatch) {
  return { ...watchResponse(watch), secret: isMessenger(watch.channel) ? '' : watch.secrets[0]!.secret }
}

export function watchResponse(watch: ShownWatch) {
  return {
    id: watch.id,
    name: watch.name,
    channel: {
      kind: watch.channel,
      language: isMessenger(watch.channel) ? languageIn(addressOf(watch.secrets)) : null,
    },
    url: watch.url,
    description: watch.description,
    filter: declaredForm(JSON.parse(watch.filter.given) as Record<string, unknown>) as WatchFilter,
    events: watch.events,
    headers: maskedHeaders(watch.headers),
    ...scheduleResponse(watch.schedule),
    status: shownStatus(watch),
    disabled_reason: watch.disabledReason,
    failing_since: timeOrNull(watch.failingSince),
    sequence: watch.sequence,
    created_at: time(watch.createdAt),
    updated_at: time(watch.updatedAt),
  }
}

function time(at: number): string {
  return new Date(at).toISOString()
}

function timeOrNull(at: number | null): string | null {
  return at === null ? null : time(at)
}
