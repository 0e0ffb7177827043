import Type from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Named, Nullable, pageParameters, Time } from '../schema.ts'

export const AuditEntry = Named(
  'AuditEntry',
  Type.Object({
    id: Type.String(),
    at: Time('When it happened.'),
    by: Type.Object(
      { account_id: Nullable(Type.String()), key_id: Nullable(Type.String()), name: Type.String() },
      { description: 'Who did it.' },
    ),
    action: Type.String({
      description: 'What was done, such as `incident.confirm`, `account.change`, `key.revoke` or `session.create`.',
    }),
    subject: Type.String({ description: 'The id of the incident, account, key or session that it was done to.' }),
    note: Nullable(Type.String()),
    before: Type.Unknown({ description: 'The changed fields before; null if there were none.' }),
    after: Type.Unknown({ description: 'The changed fields after; null if there are none.' }),
  }),
)

export const AuditList = Named(
  'AuditList',
  Type.Object({
    data: Type.Array(Type.Ref('AuditEntry')),
    has_more: Type.Boolean(),
    next_cursor: Nullable(Type.String()),
  }),
)

export const listAudit = endpoint({
  id: 'listAudit',
  method: 'GET',
  path: '/v1/admin/audit',
  tag: 'Admin',
  summary: 'Read the audit log',
  description:
    'Who did what, when, and what it changed: every step at the desk, sign-ins, and changes of roles and keys. Newest first.',
  scope: 'admin',
  query: {
    actor: { description: 'Only what this account did.', example: 'acc_01jd8z0c5xqvjv8y2kvhr3w1ad' },
    incident: { description: 'Only what was done to this incident.', example: 'inc_01jd8z0c5xqvjv8y2kvhr3w1ad' },
    from: { description: 'At or after this RFC 3339 time or date (UTC).', example: '2026-01-01' },
    to: { description: 'Before this RFC 3339 time or date (UTC).', example: '2026-02-01' },
    ...pageParameters('Entries', 200),
  },
  response: { status: 200, description: 'A page of entries.', schema: Type.Ref('AuditList') },
  problems: ['invalid_parameter', 'invalid_cursor'],
})
