import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkContradictions } from '../../../src/cli/doctor/checks/contradictions.ts'
import { checkNames } from '../../../src/cli/doctor/checks/names.ts'
import { checkValues } from '../../../src/cli/doctor/checks/values.ts'
import { readConfig } from '../../../src/config/read-config.ts'
import { SETTINGS } from '../../../src/config/settings.ts'

test('a misspelled name is found among other variables, with the right one', () => {
  const meant = (name: string) => checkNames([name], [])[0]?.mend
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
  assert.deepEqual(checkNames(usual.split(' '), []), [])
  assert.deepEqual(checkNames(Object.keys(SETTINGS), []), [])
})

test('in a file of settings every unknown name counts, except what Node and PostgreSQL read', () => {
  const found = checkNames([], ['PORT', 'WHATEVER', 'NODE_OPTIONS', 'PGPASSFILE', 'TZ'])
  assert.deepEqual(
    found.map(({ message }) => message),
    ['WHATEVER is not a setting, so it has no effect'],
  )
})

test('all wrong values are found at once, and no secret is repeated', () => {
  const found = checkValues({ PORT: 'eighty', SECRETS_KEY: 'hunter2', DEMO: 'true' }, ['--signup', 'maybe'])
  assert.deepEqual(
    found.map(({ status }) => status),
    ['failed', 'failed', 'failed'],
  )
  const text = JSON.stringify(found)
  for (const wanted of ['PORT takes', 'SECRETS_KEY takes', 'SIGNUP takes']) assert.ok(text.includes(wanted), wanted)
  assert.ok(!text.includes('hunter2'))
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
  [
    { HOST: '::', METRICS_PORT: '9090', PUBLIC_URL: 'https://example.org', TRUST_PROXY: '1' },
    /can forge its address/,
    'warning',
  ],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://example.org', TRUST_PROXY: 'uniquelocal' }, /\/metrics/, 'warning'],
  [{ SMTP_URL: 'smtp://mail', PUBLIC_URL: 'https://example.org', TRUST_PROXY: 'loopback' }, /at localhost/, 'warning'],
  [{ WEBHOOK_ALLOW_PRIVATE: 'true' }, /into your network/, 'warning'],
  [{ STREAMS: '20000' }, /above CONNECTIONS/, 'warning'],
  [{ DEMO: 'true' }, /DEMO is on/, 'warning'],
]

for (const [environment, message, status] of CONTRADICTORY)
  test(`${JSON.stringify(environment)} does not fit together`, () => {
    const found = checkContradictions(readConfig(environment, []))
    assert.equal(found.length, 1, JSON.stringify(found))
    assert.match(found[0]!.message, message)
    assert.equal(found[0]!.status, status)
    assert.ok(found[0]!.mend)
  })

test('the defaults and the settings of the recipes fit together', () => {
  const behindProxy = { PUBLIC_URL: 'https://feed.example.org', TRUST_PROXY: 'loopback' }
  const inContainer = { HOST: '0.0.0.0', METRICS_PORT: '9090', PUBLIC_URL: 'https://a.org', TRUST_PROXY: 'uniquelocal' }
  for (const environment of [{}, behindProxy, inContainer, { PUBLIC_URL: 'http://localhost:8080' }])
    assert.deepEqual(checkContradictions(readConfig(environment, [])), [])
})
