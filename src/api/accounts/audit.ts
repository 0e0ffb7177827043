import Type from 'typebox'
import { type FieldError, invalidParameters } from '../../domain/errors.ts'
import { isIdentifier, type Noun } from '../../domain/identifier.ts'
import { parseLimit } from '../../filter/parameters.ts'
import { parseTime } from '../../lib/time.ts'
import type { AuditEntry, AuditPosition } from '../../store/store.ts'
import { endpointsOf, ok } from '../contract/endpoint.ts'
import { NamedObject, NamedPage, Nullable, pageParameters, Text, Time } from '../contract/schema.ts'
import { invalidCursor, pageOf, parametersOf } from '../request.ts'
import { timeResponse } from '../response.ts'
import type { Router } from '../router.ts'

const endpoint = endpointsOf({ tag: 'Admin', scope: 'admin' })

NamedObject('AuditEntry', {
  id: Type.String(),
  at: Time('When it happened.'),
  by: Type.Object(
    { account_id: Nullable(Type.String()), key_id: Nullable(Type.String()), name: Type.String() },
    { description: 'Who did it.' },
  ),
  action: Text('What was done, such as `incident.confirm`, `account.change`, `key.revoke` or `session.create`.'),
  subject: Text('The id of the incident, account, key or session that it was done to.'),
  note: Nullable(Type.String()),
  before: Type.Unknown({ description: 'The changed fields before; null if there were none.' }),
  after: Type.Unknown({ description: 'The changed fields after; null if there are none.' }),
})

NamedPage('AuditList', 'AuditEntry')

const listAudit = endpoint('listAudit', 'GET /v1/admin/audit', {
  summary: 'Read the audit log',
  description:
    'Who did what, when, and what it changed: every step at the desk, sign-ins, and changes of roles and keys. Newest first.',
  query: {
    actor: { description: 'Only what this account did.', example: 'acc_01jd8z0c5xqvjv8y2kvhr3w1ad' },
    incident: { description: 'Only what was done to this incident.', example: 'inc_01jd8z0c5xqvjv8y2kvhr3w1ad' },
    from: { description: 'At or after this RFC 3339 time or date (UTC).', example: '2026-01-01' },
    to: { description: 'Before this RFC 3339 time or date (UTC).', example: '2026-02-01' },
    ...pageParameters('Entries', 200),
  },
  response: ok('A page of entries.', Type.Ref('AuditList')),
})

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
    at: timeResponse(at),
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
