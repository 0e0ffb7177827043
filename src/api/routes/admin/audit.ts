import { type FieldError, invalidParameters } from '../../../domain/errors.ts'
import { isIdentifier, type Noun } from '../../../domain/identifier.ts'
import { parseLimit } from '../../../filter/parameter-values.ts'
import { parseTime } from '../../../lib/time.ts'
import type { AuditEntry, AuditPosition } from '../../../store/store.ts'
import { listAudit } from '../../contract/accounts/audit.ts'
import { invalidCursor, pageOf, parametersOf } from '../../requests/parameters.ts'
import type { Router } from '../../router.ts'

const MAX_LIMIT = 200

export function auditRoutes(router: Router): void {
  const { places } = router.environment.geography

  router.add(listAudit, async ({ request, services: { store } }) => {
    // `from` and `to` are not those of incidents, so they are read here.
    const { text } = parametersOf(request, listAudit, places)
    const errors: FieldError[] = []
    const query = {
      accountId: parseIdentifier('account', 'actor', text('actor'), errors),
      incidentId: parseIdentifier('incident', 'incident', text('incident'), errors),
      from: parseMoment('from', text('from'), errors),
      to: parseMoment('to', text('to'), errors),
    }
    const limit = parseLimit(text('limit'), MAX_LIMIT, errors)
    if (errors.length > 0) throw invalidParameters(errors)
    const cursor = text('cursor')
    const entries = await store.audit.list(query, cursor === null ? null : parseCursor(cursor), limit + 1)
    return pageOf(entries, limit, ({ at, id }) => `${at}.${id}`, auditResponse)
  })
}

function auditResponse({ id, at, by, action, subject, note, before, after }: AuditEntry) {
  return {
    id,
    at: new Date(at).toISOString(),
    by: { account_id: by.accountId, key_id: by.keyId, name: by.name },
    action,
    subject,
    note,
    before: before ?? null,
    after: after ?? null,
  }
}

function parseIdentifier(noun: Noun, parameter: string, text: string | null, errors: FieldError[]): string | null {
  if (text !== null && !isIdentifier(noun, text)) errors.push({ parameter, message: `must be the id of an ${noun}` })
  return text
}

function parseMoment(parameter: string, text: string | null, errors: FieldError[]): number | null {
  if (text === null) return null
  const moment = parseTime(text)
  if (moment === null) errors.push({ parameter, message: 'must be an RFC 3339 time or a date, as 2026-05-01' })
  return moment
}

function parseCursor(text: string): AuditPosition {
  const [at, id] = text.split('.')
  if (!/^\d{1,15}$/.test(at ?? '') || !/^[as]\d{15}$/.test(id ?? '')) throw invalidCursor()
  return { at: Number(at), id: id! }
}
