import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openAccount } from '../../src/accounts/keys.ts'
import type { ChannelKind } from '../../src/domain/watch.ts'
import { openSealedStore } from '../../src/store/secrets/open-sealed.ts'
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../store/databases.ts'
import { aWatch, MAX_WATCHES, watchId, withWatches } from '../store/fixtures.ts'
import { startTestApp } from '../support/app.ts'
import { runCommand } from '../support/commands.ts'
import { openTestStore } from '../support/databases/stores.ts'
import { postSession } from '../support/sign-in.ts'
import { oneStoreOf } from '../support/tier.ts'

let folder: string
let environment: Record<string, string>
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'accounts-'))
  environment = { DATABASE_URL: `sqlite:${join(folder, 'feed.db')}` }
})
after(() => rm(folder, { recursive: true }))

const run = (...words: string[]) => runCommand(words, environment)

test('accounts are listed, blocked, unblocked and given a role; keys are listed, issued and revoked', async () => {
  const { key } = await (async () => {
    await using store = await openTestStore(environment.DATABASE_URL!)
    return openAccount(store, { email: 'ada@example.org', name: 'Ada\u001b[31m' }, {}, Date.now())
  })()
  const listed = await run('accounts', 'list', '--email', 'ADA@example.org')
  assert.match(
    listed.output,
    new RegExp(`^${key.accountId}\tclient\tactive\t"ada@example.org" \\(claimed, not verified\\)\t"Ada\\\\u001b`),
  )
  assert.match((await run('accounts', 'block', key.accountId)).output, /\tblocked\t/)
  assert.match((await run('accounts', 'unblock', key.accountId)).output, /\tactive\t/)
  assert.match((await run('accounts', 'role', key.accountId, 'editor')).output, /\teditor\t/)
  const issued = await run('keys', 'create', '--account', key.accountId)
  assert.match(issued.output, /scopes: read, watch, report, review\. The key is shown only once/)
  const excess = await run('keys', 'create', '--account', key.accountId, '--scope', 'admin')
  assert.deepEqual([excess.code, /has the role editor, whose keys can have/.test(excess.output)], [1, true])
  assert.equal((await run('keys', 'list', '--account', key.accountId)).output.trim().split('\n').length, 2)
  assert.match((await run('keys', 'revoke', key.id)).output, /is revoked/)
  assert.match((await run('keys', 'list', '--account', key.accountId)).output, new RegExp(`${key.id}\t.*\trevoked\t`))
  assert.deepEqual(await auditOf(key.accountId, key.id), [
    ['account.change', { status: 'active' }, { status: 'blocked' }],
    ['account.change', { status: 'blocked' }, { status: 'active' }],
    ['account.change', { role: 'client' }, { role: 'editor' }],
    ['key.revoke', { account_id: key.accountId, scopes: ['read', 'watch'] }, null],
  ])
})

test('an account is deleted once its address is given, on record, and not with a role', async () => {
  const { key } = await (async () => {
    await using store = await openTestStore(environment.DATABASE_URL!)
    return openAccount(store, { email: 'leaving@example.org', name: 'Ada' }, {}, Date.now())
  })()
  const id = key.accountId
  const unconfirmed = await run('accounts', 'delete', id)
  assert.deepEqual([unconfirmed.code, /takes the e-mail address of/.test(unconfirmed.output)], [1, true])
  await run('accounts', 'role', id, 'reporter')
  const member = await run('accounts', 'delete', id, '--confirm', 'leaving@example.org')
  assert.deepEqual([member.code, /has the role reporter; take it away first/.test(member.output)], [1, true])
  await run('accounts', 'role', id, 'client')
  const deleted = await run('accounts', 'delete', id, '--confirm', 'Leaving@example.org')
  assert.deepEqual([deleted.code, /is deleted, with its watches/.test(deleted.output)], [0, true])
  assert.match((await run('accounts', 'list', '--status', 'deleted')).output, new RegExp(`^${id}\tclient\tdeleted\t-`))
  assert.match((await run('keys', 'list', '--account', id)).output, new RegExp(`${key.id}\t.*\trevoked\t`))
  for (const words of [
    ['accounts', 'delete', id, '--confirm', id],
    ['accounts', 'unblock', id],
    ['accounts', 'sign-in-link', id],
    ['keys', 'create', '--account', id],
  ])
    assert.deepEqual([(await run(...words)).code, words[1]], [1, words[1]])
  assert.deepEqual((await auditOf(id)).at(-1), ['account.delete', { status: 'active' }, { status: 'deleted' }])
})

/** The audit log of commands on these, oldest first. */
async function auditOf(...subjects: string[]): Promise<unknown[]> {
  await using store = await openTestStore(environment.DATABASE_URL!)
  const everything = { accountId: null, incidentId: null, from: null, to: null }
  const entries = (await store.audit.list(everything, null, 100)).filter(({ subject }) => subjects.includes(subject))
  for (const { by } of entries)
    assert.deepEqual(by, { accountId: null, keyId: null, name: `${userInfo().username}, at the command line` })
  return entries.toReversed().map(({ action, before, after }) => [action, before, after])
}

test('the last admin is not blocked, and wrong words get a sentence', async () => {
  const { output } = await run('keys', 'create', '--scope', 'operate')
  const admin = /acc_\w+/.exec(output)![0]
  const refused = await run('accounts', 'block', admin)
  assert.deepEqual([refused.code, /is the last admin that can sign in/.test(refused.output)], [1, true])
  for (const words of [
    ['accounts', 'erase'],
    ['accounts', 'role', admin, 'king'],
    ['accounts', 'block', 'acc_none'],
  ]) {
    const { code, output } = await run(...words)
    assert.equal(code, 1, output)
    assert.match(output, /^incident-feed: /)
  }
})

test('a person is created with a link that signs in, once; further links are printed', async () => {
  const words = [
    '--email',
    'efe@example.org',
    '--name',
    'Efe',
    '--role',
    'editor',
    '--public-url',
    'https://feed.example',
  ]
  const created = await run('accounts', 'create', ...words)
  assert.equal(created.code, 0, created.output)
  const id = /acc_\w+/.exec(created.output)![0]
  const link = /^https:\/\/feed\.example\/sign-in\?token=([\w-]{32})$/m
  assert.match(created.output, link)
  const printed = await run('accounts', 'sign-in-link', id, '--public-url', 'https://feed.example')
  const [, token] = link.exec(printed.output)!
  {
    await using app = await startTestApp(environment)
    const response = await postSession(app.url, { token })
    assert.equal(response.status, 201)
    const { account } = (await response.json()) as { account: { id: string; name: string; role: string } }
    assert.deepEqual([account.id, account.name, account.role], [id, 'Efe', 'editor'])
    assert.equal((await postSession(app.url, { token })).status, 410)
  }
  // The operator vouches for an address, whichever command opens its account: one has it.
  assert.match(
    (await run('accounts', 'list', '--email', 'EFE@example.org')).output,
    /"efe@example\.org" \(not verified\)/,
  )
  for (const again of [
    ['accounts', 'create', '--email', 'Efe@Example.org', '--name', 'Efe', '--role', 'admin'],
    ['keys', 'create', '--email', 'EFE@example.org'],
  ]) {
    const taken = await run(...again)
    assert.equal(taken.code, 1)
    assert.match(taken.output, new RegExp(`${id} has this address, with the role editor; incident-feed accounts role`))
  }
  assert.equal((await run('keys', 'create', '--email', 'bot@example.org')).code, 0)
  assert.match(
    (await run('accounts', 'list', '--email', 'bot@example.org')).output,
    /"bot@example\.org" \(not verified\)/,
  )
  await run('accounts', 'block', id)
  for (const [refused, reason] of [
    [['accounts', 'create', ...words], /has this address, with the role editor/],
    [['accounts', 'create', '--email', 'x', '--name', 'X', '--role', 'editor'], /--email must be an e-mail address/],
    [['accounts', 'create', '--email', 'x@example.org', '--name', 'X', '--role', 'king'], /--role takes/],
    [['accounts', 'sign-in-link', 'acc_none'], /there is no account/],
    [['accounts', 'sign-in-link', id], /is blocked/],
  ] as const) {
    const { code, output } = await run(...refused)
    assert.deepEqual([code, reason.test(output)], [1, true], output)
  }
})

describe('secrets', () => {
  const [LOST, KNOWN] = [randomBytes(32), randomBytes(32)]
  const HEADERS = [
    { name: 'X-Team', value: 'roads' },
    { name: 'Authorization', value: 'Bearer s3cret' },
  ]

  /**
   * Watch 1 has headers and watch 2 none, 3 to 5 are of other channels; all encrypted with the lost
   * key.
   */
  async function withLostKey(database: EmptyDatabase): Promise<void> {
    await using store = await openSealedStore(database.url, { secretKeys: [LOST] })
    await withWatches(store, 1, { headers: HEADERS })
    await store.watches.add(aWatch(2), MAX_WATCHES)
    const ofChannel = (number: number, channel: ChannelKind, url: string, secret: string) =>
      store.watches.add(aWatch(number, { channel, url, secrets: [{ secret, expiresAt: null }] }), MAX_WATCHES)
    await ofChannel(3, 'slack', 'https://hooks.slack.com/***01234567', 'https://hooks.slack.com/services/T/B/s3cret')
    await ofChannel(4, 'telegram', 'telegram:-1001', '-1001')
    await ofChannel(5, 'webpush', 'https://push.example.org/***0123456789abcdef', '{"endpoint":"s3cret"}')
    await store.push.keys({ publicKey: 'public', privateKey: 's3cret' })
  }

  async function secretIn(database: EmptyDatabase, number: number, ...secretKeys: Uint8Array[]) {
    await using store = await openSealedStore(database.url, { secretKeys })
    const watch = await store.watches.find('acc_1', watchId(number))
    return { secret: watch!.secrets[0]!.secret, headers: watch!.headers, status: watch!.status }
  }

  for (const [name, newDatabase] of oneStoreOf([
    ['SQLite', emptySqlite],
    ['PostgreSQL', emptyPostgres],
  ] as const)) {
    test(`secrets replace-lost names each watch with the headers that it lost, and no value, in ${name}`, async () => {
      await using database = await newDatabase()
      await withLostKey(database)
      const environment = { SECRETS_KEY: KNOWN.toString('base64'), DATABASE_URL: database.url }
      const first = await runCommand(['secrets', 'replace-lost'], environment)
      assert.equal(first.code, 0, first.output)
      const lines = first.output.trim().split('\n')
      assert.deepEqual(lines.slice(0, 4), [
        `${watchId(1)} X-Team Authorization`,
        watchId(2),
        `${watchId(3)} (slack)`,
        `${watchId(5)} (webpush)`,
      ])
      assert.deepEqual(lines.slice(4), [
        '2 watches have a new secret. Their owners get one that they can see from POST /v1/watches/{id}/rotate-secret.',
        '2 watches have lost the addresses that their messages go to, and are switched off; their channels are named after them. Their owners give the addresses again with PATCH /v1/watches/{id} {"channel": …, "status": "active"}.',
        '1 watch has lost headers, which are named after it. Its owner sets them again with PATCH /v1/watches/{id} {"headers": …}.',
      ])
      assert.doesNotMatch(first.output, /s3cret|roads|whsec_/)
      for (const number of [1, 2]) {
        const { secret, headers } = await secretIn(database, number, KNOWN)
        assert.match(secret, /^whsec_/)
        assert.notEqual(secret, `whsec_${number}`)
        assert.deepEqual(headers, [])
      }
      for (const [number, secret, status] of [
        [3, '', 'disabled'],
        [4, '-1001', 'active'],
        [5, '', 'disabled'],
      ] as const) {
        const found = await secretIn(database, number, KNOWN)
        assert.deepEqual([found.secret, found.status], [secret, status])
      }
      {
        await using store = await openSealedStore(database.url, { secretKeys: [KNOWN] })
        assert.equal(await store.push.storedKeys(), null, 'others are made at the next start')
      }
      const again = await runCommand(['secrets', 'replace-lost'], environment)
      assert.deepEqual([again.code, again.output], [0, 'No watch has lost its secret or a header.\n'])
    })
  }

  test('secrets says what its action is', async () => {
    for (const words of [['secrets'], ['secrets', 'replace']]) {
      const { code, output } = await runCommand(words)
      assert.equal(code, 1, output)
      assert.match(output, /the action of secrets is replace-lost/)
    }
  })
})
