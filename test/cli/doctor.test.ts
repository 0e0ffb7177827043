import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import type { ProbeAnswer } from '../../src/api/status.ts'
import { type Finding, resultsAsJson, resultsAsText } from '../../src/cli/doctor/findings.ts'
import {
  type ClockReading,
  type DatabaseFile,
  judgeAges,
  judgeClock,
  judgeDatabaseFile,
  judgeDisk,
  judgeInspection,
  judgeSecrets,
  judgeStandby,
} from '../../src/cli/doctor/machine.ts'
import { judgeDns, judgeMail, judgeProxy, judgePublicAddress } from '../../src/cli/doctor/network.ts'
import { checkContradictions } from '../../src/cli/doctor/settings.ts'
import { misspelledSettings } from '../../src/config/misspelled-settings.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import type { StandbyInspection } from '../../src/store/store.ts'

const NOW = Date.UTC(2026, 10, 16)
const GIB = 1024 ** 3
const statusesOf = (findings: Iterable<Finding>) => [...findings].map(({ status }) => status)
const textOf = (findings: Iterable<Finding>) => JSON.stringify([...findings])

describe('the clock', () => {
  const reading = (offset: number, other: Partial<ClockReading> = {}): ClockReading => ({
    of: 'database',
    time: NOW + offset,
    before: NOW,
    after: NOW + 100,
    precisionMs: 0,
    ...other,
  })

  it('agrees up to five seconds, and no slow answer makes it wrong', () => {
    assert.deepEqual(statusesOf(judgeClock(NOW, [reading(0), reading(4000), reading(-4000)])), ['ok', 'ok', 'ok'])
    assert.deepEqual(statusesOf(judgeClock(NOW, [reading(30_000, { after: NOW + 60_000 })])), ['ok'])
  })

  it('is said to be ahead or behind, by how much', () => {
    assert.match(textOf(judgeClock(NOW, [reading(-60_000)])), /60 s ahead of that of the database/)
    assert.match(textOf(judgeClock(NOW, [reading(60_100)])), /60 s behind that of the database/)
    assert.deepEqual(statusesOf(judgeClock(NOW, [reading(90_000, { of: 'public address' })])), ['warning'])
  })

  it('that has jumped ahead, or was ahead, is said to be so', () => {
    const DAY = 86_400_000
    assert.deepEqual(statusesOf(judgeAges(NOW, { seenAt: NOW - 1000, agedAt: NOW - 1000 })), [])
    assert.deepEqual(statusesOf(judgeAges(NOW + 90 * DAY, { seenAt: NOW, agedAt: NOW })), [], 'it did not run')
    assert.match(textOf(judgeAges(NOW, { seenAt: NOW, agedAt: NOW - 3 * DAY })), /jumped ahead; .*, 3 days behind it/)
    assert.match(textOf(judgeAges(NOW, { seenAt: NOW + DAY, agedAt: NOW })), /said 2026-11-17T00:00:00.000Z/)
  })

  it('before this build was written cannot be right', () => {
    assert.deepEqual(statusesOf(judgeClock(0, [])), ['failed'])
  })
})

describe('the disk', () => {
  const space = { folder: '/var/lib/feed', freeBytes: 50 * GIB, freeFiles: 1e6, databaseBytes: GIB }

  it('is judged by free space, files, and room for a backup', () => {
    assert.deepEqual(statusesOf(judgeDisk(space)), ['ok'])
    assert.deepEqual(statusesOf(judgeDisk({ ...space, freeBytes: GIB / 100 })), ['failed'])
    assert.deepEqual(statusesOf(judgeDisk({ ...space, freeBytes: GIB / 2 })), ['warning'])
    assert.match(textOf(judgeDisk({ ...space, databaseBytes: 60 * GIB })), /backup or restore would not fit/)
    assert.deepEqual(statusesOf(judgeDisk({ ...space, freeFiles: 3 })), ['ok', 'failed'])
  })
})

describe('the file of the database', () => {
  const right: DatabaseFile = {
    path: '/var/lib/feed/feed.db',
    folder: '/var/lib/feed',
    folderMode: 0o700,
    folderIsWritable: true,
    file: { mode: 0o600, owner: 1000, isFile: true, bytes: 4096 },
    fileIsAccessible: true,
    user: 1000,
  }

  it('is right if only its user can use it', () => {
    assert.deepEqual([...judgeDatabaseFile(right)], [])
    assert.deepEqual(statusesOf(judgeDatabaseFile({ ...right, file: null })), ['ok'])
  })

  const WRONG: [string, Partial<DatabaseFile>, Finding['status'], RegExp][] = [
    ['a folder that cannot be written', { folderIsWritable: false }, 'failed', /may not create files/],
    ['a folder that others can write', { folderMode: 0o777 }, 'warning', /chmod go-w/],
    ['a file that cannot be written', { fileIsAccessible: false }, 'failed', /may not read and write/],
    ['a file that others can read', { file: { ...right.file!, mode: 0o644 } }, 'warning', /mode 0644.*chmod 600/],
    ['a folder instead of a file', { file: { ...right.file!, isFile: false } }, 'failed', /is not a file/],
    ['root looking at the file of another', { user: 0 }, 'warning', /runs as root.*sudo -u '#1000'/],
    ['a folder that does not exist', { folderMode: null, file: null }, 'warning', /does not exist/],
  ]
  for (const [what, change, status, message] of WRONG)
    it(`says so of ${what}`, () => {
      const found = [...judgeDatabaseFile({ ...right, ...change })]
      assert.deepEqual(statusesOf(found), [status])
      assert.match(textOf(found), message)
    })
})

describe('the database', () => {
  const schema = { schemaVersion: 22, neededVersion: 22, latestVersion: 22 }
  const right = { software: 'PostgreSQL 17.2', tooOld: null, ...schema, notWritable: null }

  it('is judged by its version, its schema and whether it can be written', () => {
    assert.deepEqual(statusesOf(judgeInspection(right)), ['ok', 'ok', 'ok'])
    assert.deepEqual(statusesOf(judgeInspection({ ...right, tooOld: 'the service needs 15' })), ['failed', 'ok', 'ok'])
    assert.match(textOf(judgeInspection({ ...right, schemaVersion: 20 })), /2 migrations are pending.*backup/)
    const newer = { ...right, schemaVersion: 23 }
    assert.deepEqual(statusesOf(judgeInspection(newer)), ['ok', 'warning', 'ok'])
    assert.match(textOf(judgeInspection(newer)), /a newer build has used it, and this one still can/)
    const outdated = { ...newer, neededVersion: 23 }
    assert.deepEqual(statusesOf(judgeInspection(outdated)), ['ok', 'failed', 'ok'])
    assert.match(textOf(judgeInspection(outdated)), /a newer build has used it/)
    assert.deepEqual(statusesOf(judgeInspection({ ...right, notWritable: 'read-only' })), ['ok', 'ok', 'failed'])
  })
})

describe('a standby that carries reads', () => {
  const right = { host: 'db2:5432', unusable: null, isCopy: true, missingEvents: 0, behindSeconds: 0 }

  it('is judged by whether it answers, is a copy of the primary, and how late it is', () => {
    const judged = (change: Partial<StandbyInspection>) => {
      const findings = [...judgeStandby({ ...right, ...change })]
      return [...statusesOf(findings), ...findings.map(({ message }) => message)]
    }
    assert.deepEqual(judged({}), ['ok', 'The standby db2:5432 of DATABASE_READ_URL answers, and has the whole log'])
    assert.deepEqual(judged({ isCopy: null, missingEvents: 3, behindSeconds: 1 }), [
      'ok',
      'The standby db2:5432 of DATABASE_READ_URL answers',
    ])
    for (const [change, status, message] of [
      [{ unusable: 'it is off' }, 'warning', /cannot be used: it is off/],
      [{ isCopy: false }, 'failed', /is no copy of the server of DATABASE_URL/],
      [{ missingEvents: 30, behindSeconds: 12.4 }, 'warning', /is 12 s behind: it lacks 30 events/],
    ] as const) {
      const [found, text] = judged(change)
      assert.equal(found, status)
      assert.match(text!, message)
    }
  })
})

describe('the key of the secrets', () => {
  const right = {
    known: ['a'],
    fromSetting: 1,
    needsSetting: true,
    file: null,
    used: { ids: new Set(['a']), hasPlain: false },
  }

  it('must be given with PostgreSQL, and be the one in use', () => {
    assert.deepEqual(statusesOf(judgeSecrets(right)), ['ok'])
    assert.match(textOf(judgeSecrets({ ...right, known: [], fromSetting: 0 })), /SECRETS_KEY is not set/)
    assert.match(textOf(judgeSecrets({ ...right, used: { ids: new Set(['b']), hasPlain: false } })), /not here \(b\)/)
  })

  it('may have an older one beside it, until the next start', () => {
    const both = { ...right, known: ['new', 'a'], fromSetting: 2 }
    assert.deepEqual(statusesOf(judgeSecrets(both)), ['ok', 'warning'])
  })

  it('is in a file for its user only', () => {
    const file = { path: '/feed.db.secrets-key', mode: 0o644 }
    assert.match(textOf(judgeSecrets({ ...right, needsSetting: false, fromSetting: 0, file })), /chmod 600/)
  })
})

describe('mail', () => {
  const url = new URL('smtp://user%40example.org:x@mail.example.org')
  it('is judged by how far a connection came, and whether it is encrypted', () => {
    const ready = { step: 'ready', encrypted: true, loggedIn: true } as const
    assert.match(textOf(judgeMail(url, ready)), /accepts the login as user@example.org, encrypted/)
    assert.deepEqual(statusesOf(judgeMail(url, { ...ready, encrypted: false })), ['ok', 'warning'])
    assert.deepEqual(statusesOf(judgeMail(new URL('smtp://localhost'), { ...ready, encrypted: false })), ['ok'])
    assert.deepEqual(statusesOf(judgeMail(url, { step: 'connecting', reason: 'refused' })), ['failed'])
    assert.match(textOf(judgeMail(url, { step: 'logging in', reason: 'no' })), /refuses the login/)
  })
})

describe('names', () => {
  const servers = ['10.0.0.2']
  it('that only the system knows need DNS_SERVERS', () => {
    const found = judgeDns([{ name: 'a.org', service: 'no answer', systemKnows: true }], servers, false)
    assert.deepEqual(statusesOf(found), ['failed'])
    assert.match(textOf(found), /10\.0\.0\.2.*Set DNS_SERVERS/)
  })
  it('that exist, do not exist, or cannot be asked for are told apart', () => {
    const judged = (service: readonly string[] | 'unknown' | 'no answer') =>
      statusesOf(judgeDns([{ name: 'a.org', service, systemKnows: false }], servers, true))[0]
    assert.deepEqual([judged(['192.0.2.1']), judged('unknown'), judged('no answer')], ['ok', 'warning', 'failed'])
  })
})

describe('the proxy', () => {
  const arrived = (change: Partial<ProbeAnswer> = {}): ProbeAnswer => ({
    client_address: '198.51.100.7',
    connection_address: '127.0.0.1',
    connection_is_trusted: true,
    forwarded_for: '198.51.100.7',
    proof: '',
    ...change,
  })
  const CASES: [string, ProbeAnswer, boolean, Finding['status'], RegExp][] = [
    ['trusted, and it sends the header', arrived(), true, 'ok', /takes this machine for 198.51.100.7/],
    [
      'none, and nobody is trusted',
      arrived({ forwarded_for: null, connection_is_trusted: false }),
      false,
      'ok',
      /connects/,
    ],
    ['trusted, but without the header', arrived({ forwarded_for: null }), true, 'warning', /without X-Forwarded-For/],
    ['not trusted', arrived({ connection_is_trusted: false }), false, 'warning', /TRUST_PROXY=loopback/],
    [
      'elsewhere than TRUST_PROXY says',
      arrived({ connection_is_trusted: false, connection_address: '10.0.0.9' }),
      true,
      'failed',
      /TRUST_PROXY=…,10\.0\.0\.9/,
    ],
  ]
  for (const [what, plain, trusts, status, message] of CASES)
    it(`is ${what}`, () => {
      const found = [judgeProxy({ plain, forged: plain }, trusts)]
      assert.deepEqual(statusesOf(found), [status])
      assert.match(textOf(found), message)
    })

  it('must not let a client choose its address', () => {
    const forged = arrived({ client_address: '192.0.2.123', forwarded_for: '192.0.2.123' })
    assert.deepEqual(statusesOf([judgeProxy({ plain: arrived(), forged }, true)]), ['failed'])
  })
})

describe('the public address', () => {
  const answer = (status: number, body: string, headers = {}, certificateEnds: number | null = null) => ({
    answer: { status, body, headers, certificateEnds, before: NOW, after: NOW },
  })
  const url = 'https://feed.example.org'
  const READY = '{"status":"ready"}'
  const judged = (...values: Parameters<typeof answer>) => judgePublicAddress(url, answer(...values), true, NOW)

  it('answers and is this service, or does not say so', () => {
    assert.match(textOf(judged(200, READY)), /answers and is this service/)
    assert.match(textOf(judgePublicAddress(url, answer(200, READY), null, NOW)), /was not checked/)
    assert.deepEqual(statusesOf(judgePublicAddress(url, answer(200, READY), false, NOW)), ['failed'])
    assert.deepEqual(statusesOf(judgePublicAddress(null, null, null, NOW)), ['skipped'])
  })

  it('is told apart from a redirect, a proxy without a service, another site and a service that starts', () => {
    assert.match(textOf(judged(301, '', { location: 'https://www.example.org/' })), /redirects to https:\/\/www/)
    assert.match(textOf(judged(502, '<html>')), /the service behind it is not/)
    assert.match(textOf(judged(200, '<html>')), /not as this service does/)
    assert.match(textOf(judged(503, '{"status":"starting"}')), /says starting/)
  })

  it('has a certificate that lasts', () => {
    assert.deepEqual(statusesOf(judged(200, READY, {}, NOW + 60 * 86_400_000)), ['ok'])
    assert.deepEqual(statusesOf(judged(200, READY, {}, NOW + 86_400_000)), ['warning', 'ok'])
  })

  it('says what to do about each error', () => {
    const error = Object.assign(new Error('x'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })
    assert.match(textOf(judgePublicAddress(url, { error }, null, NOW)), /fullchain/)
  })
})

describe('printing', () => {
  const results = [
    { check: 'clock', findings: [{ status: 'ok', message: 'fine', mend: null }] },
    { check: 'disk', findings: [{ status: 'failed', message: 'full', mend: 'Free some.' }] },
  ] as const

  it('has a line for each finding, and what to mend below', () => {
    assert.equal(
      resultsAsText(results),
      'ok       clock  fine\nfailed   disk   full\n                → Free some.\n\n1 failed, 0 warnings, 1 ok',
    )
  })

  it('has the same as JSON, with the gravest status first', () => {
    const { status, checks } = JSON.parse(resultsAsJson(results, '1.0.0'))
    assert.equal(status, 'failed')
    assert.deepEqual(
      checks.map((check: { check: string; status: string }) => [check.check, check.status]),
      [
        ['clock', 'ok'],
        ['disk', 'failed'],
      ],
    )
  })
})

describe('settings', () => {
  test('a misspelled name is found among other variables, with the right one', () => {
    const meant = (name: string) => misspelledSettings([name], [])[0]?.mend
    assert.equal(meant('TRUSTPROXY'), 'Did you mean TRUST_PROXY?')
    assert.equal(meant('RATE_LIMT'), 'Did you mean RATE_LIMIT?')
    assert.equal(meant('DATABSE_URL'), 'Did you mean DATABASE_URL?')
    assert.equal(meant('database_url'), 'Did you mean DATABASE_URL?')
    assert.equal(meant('INCIDENT_FEED_PUBLIC_URL'), 'Did you mean PUBLIC_URL?')
    assert.equal(meant('STREAMS_PER_KEY'), 'Write STREAMS_PER_ACCOUNT instead.')
  })

  test('usual variables of a machine are no mistakes', () => {
    const usual =
      'HOME HOSTNAME PATH PWD LANG SHELL USER TERM TZ MAIL LOGNAME EDITOR PAGER DISPLAY SHLVL OLDPWD LS_COLORS XDG_RUNTIME_DIR SSH_AUTH_SOCK NODE_ENV NODE_OPTIONS PGPASSWORD INVOCATION_ID JOURNAL_STREAM CREDENTIALS_DIRECTORY STATE_DIRECTORY MAINPID LISTEN_FDS NOTIFY_SOCKET KUBERNETES_SERVICE_HOST KUBERNETES_PORT npm_config_cache'
    assert.deepEqual(misspelledSettings(usual.split(' '), []), [])
    assert.deepEqual(misspelledSettings(Object.keys(SETTINGS), []), [])
  })

  test('in a file of settings every unknown name counts, except what Node and PostgreSQL read', () => {
    const found = misspelledSettings([], ['PORT', 'WHATEVER', 'NODE_OPTIONS', 'PGPASSFILE', 'TZ'])
    assert.deepEqual(
      found.map(({ message }) => message),
      ['WHATEVER is not a setting, so it has no effect'],
    )
  })

  const CONTRADICTORY: [Record<string, string>, RegExp, 'warning' | 'failed'][] = [
    [{ SIGNUP: 'email' }, /needs a mail server/, 'failed'],
    [{ OPERATOR_KEY: 'secret' }, /OPERATOR_KEY is not/, 'failed'],
    [{ METRICS_PORT: '8080' }, /METRICS_PORT is the same/, 'failed'],
    [{ PUBLIC_URL: 'https://example.org/feed', TRUST_PROXY: 'loopback' }, /has a path/, 'failed'],
    [{ HOST: '0.0.0.0', METRICS_PORT: '9090' }, /PUBLIC_URL is not set/, 'warning'],
    [{ SMTP_URL: 'smtp://mail', MAIL_FROM: 'a@example.org' }, /links in mails/, 'warning'],
    [{ PUBLIC_URL: 'http://example.org' }, /PUBLIC_URL is http/, 'warning'],
    [{ PUBLIC_URL: 'https://example.org' }, /TRUST_PROXY is not set/, 'warning'],
    [{ TRUST_PROXY: 'loopback' }, /PUBLIC_URL is not: .* passkey/, 'warning'],
    [
      { HOST: '::', METRICS_PORT: '9090', PUBLIC_URL: 'https://example.org', TRUST_PROXY: '1' },
      /can forge its address/,
      'warning',
    ],
    [
      { HOST: '0.0.0.0', PUBLIC_URL: 'https://example.org', TRUST_PROXY: 'uniquelocal', METRICS_PUBLIC: 'true' },
      /\/metrics/,
      'warning',
    ],
    [
      { SMTP_URL: 'smtp://mail', PUBLIC_URL: 'https://example.org', TRUST_PROXY: 'loopback' },
      /at localhost/,
      'warning',
    ],
    [{ WEBHOOK_ALLOW_PRIVATE: 'true' }, /into your network/, 'warning'],
    [{ STREAMS: '20000' }, /above CONNECTIONS/, 'warning'],
    [{ DEMO: 'true' }, /DEMO is on/, 'warning'],
    [{ DATABASE_READ_URL: 'postgres://two/feed' }, /but DATABASE_URL is SQLite/, 'failed'],
  ]

  for (const [environment, message, status] of CONTRADICTORY)
    test(`${JSON.stringify(environment)} does not fit together`, () => {
      const found = [...checkContradictions(readConfig(environment, []))]
      assert.equal(found.length, 1, JSON.stringify(found))
      assert.match(found[0]!.message, message)
      assert.equal(found[0]!.status, status)
      assert.ok(found[0]!.mend)
    })

  test('the defaults and the settings of the recipes fit together', () => {
    const behindProxy = { PUBLIC_URL: 'https://feed.example.org', TRUST_PROXY: 'loopback' }
    const inContainer = {
      HOST: '0.0.0.0',
      METRICS_PORT: '9090',
      PUBLIC_URL: 'https://a.org',
      TRUST_PROXY: 'uniquelocal',
    }
    for (const environment of [{}, behindProxy, inContainer, { PUBLIC_URL: 'http://localhost:8080' }])
      assert.deepEqual([...checkContradictions(readConfig(environment, []))], [])
  })
})
