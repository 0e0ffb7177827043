import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ProbeAnswer } from '../../../src/api/probe.ts'
import { type ClockReading, judgeClock } from '../../../src/cli/doctor/checks/clock.ts'
import { judgeInspection } from '../../../src/cli/doctor/checks/database.ts'
import { type DatabaseFile, judgeDatabaseFile } from '../../../src/cli/doctor/checks/database-file.ts'
import { judgeDisk } from '../../../src/cli/doctor/checks/disk.ts'
import { judgeDns } from '../../../src/cli/doctor/checks/dns.ts'
import { judgeMail } from '../../../src/cli/doctor/checks/mail.ts'
import { judgeProxy } from '../../../src/cli/doctor/checks/proxy.ts'
import { judgePublicAddress } from '../../../src/cli/doctor/checks/public-address.ts'
import { judgeSecrets } from '../../../src/cli/doctor/checks/secrets.ts'
import type { Finding } from '../../../src/cli/doctor/finding.ts'
import { resultsAsJson, resultsAsText } from '../../../src/cli/doctor/print.ts'

const NOW = Date.UTC(2026, 10, 16)
const GIB = 1024 ** 3
const statusesOf = (findings: readonly Finding[]) => findings.map(({ status }) => status)
const textOf = (findings: readonly Finding[]) => JSON.stringify(findings)

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
    assert.deepEqual(judgeDatabaseFile(right), [])
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
      const found = judgeDatabaseFile({ ...right, ...change })
      assert.deepEqual(statusesOf(found), [status])
      assert.match(textOf(found), message)
    })
})

describe('the database', () => {
  const right = { software: 'PostgreSQL 17.2', tooOld: null, schemaVersion: 22, latestVersion: 22, notWritable: null }

  it('is judged by its version, its schema and whether it can be written', () => {
    assert.deepEqual(statusesOf(judgeInspection(right)), ['ok', 'ok', 'ok'])
    assert.deepEqual(statusesOf(judgeInspection({ ...right, tooOld: 'the service needs 15' })), ['failed', 'ok', 'ok'])
    assert.match(textOf(judgeInspection({ ...right, schemaVersion: 20 })), /2 migrations are pending.*backup/)
    assert.match(textOf(judgeInspection({ ...right, schemaVersion: 23 })), /a newer build has used it/)
    assert.deepEqual(statusesOf(judgeInspection({ ...right, notWritable: 'read-only' })), ['ok', 'ok', 'failed'])
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
      const found = judgeProxy({ plain, forged: plain }, trusts)
      assert.deepEqual(statusesOf(found), [status])
      assert.match(textOf(found), message)
    })

  it('must not let a client choose its address', () => {
    const forged = arrived({ client_address: '192.0.2.123', forwarded_for: '192.0.2.123' })
    assert.deepEqual(statusesOf(judgeProxy({ plain: arrived(), forged }, true)), ['failed'])
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
