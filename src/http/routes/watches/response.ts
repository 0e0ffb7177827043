import { shownStatus, type Watch } from '../../../domain/watch.ts'
import { maskedHeaders } from '../../../domain/watch-headers.ts'
import { declaredForm } from '../../../query/filter/declared-form.ts'

type ShownWatch = Omit<Watch, 'createdSeq'>

/** With the secret, which is shown only when it is made. */
export function watchWithSecret(watch: ShownWatch) {
  return { ...watchResponse(watch), secret: watch.secrets[0]!.secret }
}

export function watchResponse(watch: ShownWatch) {
  return {
    id: watch.id,
    name: watch.name,
    url: watch.url,
    description: watch.description,
    filter: declaredForm(JSON.parse(watch.filter.given) as Record<string, unknown>),
    events: watch.events,
    headers: maskedHeaders(watch.headers),
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
