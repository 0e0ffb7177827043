import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { SMTPServer } from 'smtp-server'
import { type Mailer, MailUnavailable, smtpMailer } from '../../../src/accounts/mail/mailer.ts'
import { openStore } from '../../../src/store/open.ts'
import type { FailingWatch, Store } from '../../../src/store/store.ts'
import { disableFailingWatches } from '../../../src/webhooks/dispatch/disable-failing-watches.ts'
import { watchId } from '../../store/watch-fixtures.ts'
import { until } from '../../support/app.ts'
import { withWatchesAt } from '../watches.ts'

const NOW = Date.UTC(2026, 0, 10)
const DAY = 86_400_000
const ACCOUNT = 'acc_1'

/** Decodes the encoded words of the header and the quoted-printable body. */
function decoded(mail: string): string {
  const [header, body] = mail.split(/\r\n\r\n(.*)/s) as [string, string]
  const words = header.replaceAll('?=\r\n =?UTF-8?Q?', '').replace(/=\?UTF-8\?Q\?(.*?)\?=/g, (_, word: string) => {
    return decodeURIComponent(word.replaceAll('_', ' ').replace(/=([0-9A-F]{2})/g, '%$1'))
  })
  return `${words}\r\n\r\n${body.replaceAll('=\r\n', '').replaceAll('=3D', '=')}`
}

async function startMailServer() {
  const mails: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      let mail = ''
      stream.on('data', (chunk) => {
        mail += chunk
      })
      stream.on('end', () => {
        mails.push(decoded(mail))
        done()
      })
    },
  })
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  const mailer = smtpMailer(
    `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    'Feed <feed@example.org>',
  )
  const close = () => new Promise<void>((resolve) => smtp.close(() => resolve()))
  return { mails, mailer, [Symbol.asyncDispose]: close }
}

/** Disables watch 1 and returns it with the errors that were reported. */
async function disable(store: Store, mailer: Mailer | null, failingSince: number, gone = false) {
  const errors: unknown[] = []
  const failing: FailingWatch[] = [{ watchId: watchId(1), accountId: ACCOUNT, failingSince }]
  const options = { clock: () => NOW, mailer, onError: (error: unknown) => errors.push(error) }
  await disableFailingWatches(failing, new Set(gone ? [watchId(1)] : []), store, options)
  return { errors, watch: (await store.watches.find(ACCOUNT, watchId(1)))! }
}

async function storeWithWatch(): Promise<Store> {
  const store = await openStore('sqlite::memory:')
  await withWatchesAt(store, 1, 'https://receiver.org/hook', { name: 'Roads in Kaduna' })
  return store
}

test('a watch that has failed for five days is disabled, and its owner is mailed how to resume it', async () => {
  await using server = await startMailServer()
  await using store = await storeWithWatch()
  const { watch, errors } = await disable(store, server.mailer, NOW - 5 * DAY)
  assert.deepEqual([watch.status, watch.disabledReason], ['disabled', 'Every attempt failed for five days.'])
  await until(() => server.mails.length === 1, 'the mail')
  const [mail] = server.mails
  assert.match(mail!, /^From: Feed <feed@example\.org>\r$/m)
  assert.match(mail!, new RegExp(`^To: ${(await store.accounts.find(ACCOUNT))!.email}\r$`, 'm'))
  assert.match(mail!, /^Subject: Your watch "Roads in Kaduna" was switched off\r$/m)
  assert.match(mail!, /^Every attempt failed for five days\.\r$/m)
  assert.match(mail!, /Nothing more is sent to https:\/\/receiver\.org\/hook\./)
  assert.ok(mail!.includes(`PATCH /v1/watches/${watchId(1)} {"status": "active"}`))
  assert.ok(mail!.includes(`POST /v1/watches/${watchId(1)}/recover {"since": "7d"}`))
  assert.deepEqual(errors, [])
})

test('an endpoint that is gone disables its watch at once, and the mail says why', async () => {
  await using server = await startMailServer()
  await using store = await storeWithWatch()
  const { watch } = await disable(store, server.mailer, NOW, true)
  assert.deepEqual([watch.status, watch.disabledReason], ['disabled', 'The endpoint answered 410 Gone.'])
  await until(() => server.mails.length === 1, 'the mail')
  assert.match(server.mails[0]!, /^The endpoint answered 410 Gone\.\r$/m)
})

test('a watch that has failed for less than five days stays active, and no mail is sent', async () => {
  await using server = await startMailServer()
  await using store = await storeWithWatch()
  const { watch } = await disable(store, server.mailer, NOW - 5 * DAY + 1)
  assert.equal(watch.status, 'active')
  assert.deepEqual(server.mails, [])
})

test('a watch is disabled even without a mail server', async () => {
  await using store = await storeWithWatch()
  const { watch, errors } = await disable(store, null, NOW - 5 * DAY)
  assert.equal(watch.status, 'disabled')
  assert.deepEqual(errors, [])
})

test('an unavailable mail server is reported, and the watch is still disabled', async () => {
  await using store = await storeWithWatch()
  const { watch, errors } = await disable(store, smtpMailer('smtp://127.0.0.1:1', 'feed@example.org'), NOW - 5 * DAY)
  assert.equal(watch.status, 'disabled')
  await until(() => errors.length === 1, 'the error')
  assert.ok(errors[0] instanceof MailUnavailable)
})
