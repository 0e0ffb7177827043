import type { Edit, Sabotage } from '../sabotage.ts'

/** Every operation of the contract, as every kind of caller. */
const PROOFS = ['test:test/api/who-may-do-what.test.ts']

function weakened(name: string, edit: Edit): Sabotage {
  return { name, edits: [edit], proofs: PROOFS }
}

/** Defects of what a single route asks of its caller. */
export const AUTHORIZATION_SABOTAGES: readonly Sabotage[] = [
  weakened('a desk route needs only read', {
    file: 'src/api/desk/queue.ts',
    find: "endpoint('readDesk', 'GET /v1/desk/incidents/{id}', {",
    replace: "endpoint('readDesk', 'GET /v1/desk/incidents/{id}', { scope: 'read',",
  }),
  weakened('the stream of the desk needs only report', {
    file: 'src/api/desk/queue.ts',
    find: "endpoint('readDeskStream', 'GET /v1/desk/stream', {",
    replace: "endpoint('readDeskStream', 'GET /v1/desk/stream', { scope: 'report',",
  }),
  weakened('the audit log needs only review', {
    file: 'src/api/accounts/audit.ts',
    find: "endpoint('listAudit', 'GET /v1/admin/audit', {",
    replace: "endpoint('listAudit', 'GET /v1/admin/audit', { scope: 'review',",
  }),
  weakened('a month of the archive needs no key', {
    file: 'src/api/downloads.ts',
    find: "endpoint('downloadMonth', 'GET /v1/archive/{file}', {",
    replace: "endpoint('downloadMonth', 'GET /v1/archive/{file}', { scope: null,",
  }),
  weakened('an alert in CAP needs no key', {
    file: 'src/api/feeds.ts',
    find: "endpoint('readAlert', 'GET /v1/incidents/{id}.cap', {",
    replace: "endpoint('readAlert', 'GET /v1/incidents/{id}.cap', { scope: null,",
  }),
  weakened("the secret of another account's watch is rotated", {
    file: 'src/api/watches/routes.ts',
    find: 'findWatch(store, request.caller!.account.id, parameters.id)\n    requireWebhook(watch)',
    replace: 'findWatch(store, null as never, parameters.id)\n    requireWebhook(watch)',
  }),
  weakened("another account's watch is listened to", {
    file: 'src/api/listen.ts',
    find: 'watchListener(store, request.caller!.account.id, asked.watchId)',
    replace: 'watchListener(store, null as never, asked.watchId)',
  }),
  weakened('a key of another account is managed', {
    file: 'src/api/accounts/keys.ts',
    find: 'if (key?.accountId !== caller.account.id) throw unknownKey()',
    replace: 'if (key === null) throw unknownKey()',
  }),
  weakened("another account's list of sites is found", {
    file: 'src/store/queries/areas.ts',
    find: 'sql`SELECT ${SITE_LIST} FROM site_lists WHERE account_id = ${accountId} AND id = ${id}`,',
    replace: 'sql`SELECT ${SITE_LIST} FROM site_lists WHERE account_id <> ${accountId} || 1 AND id = ${id}`,',
  }),
  weakened('a publishable key uses saved areas', {
    file: 'src/api/request.ts',
    find: "const { account, key } = request.caller!\n  if (key.kind === 'publishable')",
    replace: "const { account, key } = request.caller!\n  if (key.kind === 'session' && key.kind === null)",
  }),
  weakened('an invitation gives roles that its sender lacks', {
    file: 'src/api/accounts/admin.ts',
    find: '    requireRoleScopes(request.caller!, role)\n',
    replace: '',
  }),
  weakened('a lesser key adds a passkey', {
    file: 'src/api/accounts/sessions.ts',
    find: 'a lesser key must not make one.\n  needsWholeRole: true,',
    replace: 'a lesser key must not make one.',
  }),
  weakened('a key that reads creates keys', {
    file: 'src/api/accounts/keys.ts',
    find: "  scopeIfGiven: 'watch',\n",
    replace: '',
  }),
]
