import assert from 'node:assert/strict'
import { it } from 'node:test'
import { emailTargetText, isSameReceiver, targetText } from '../../../src/deliveries/channels/target.ts'

const mail = (to: string, language?: 'ha') =>
  emailTargetText({ to, key: to, label: null, ...(language && { language }) })

it('is the same mailbox in whatever case, but not with another tag', () => {
  assert.ok(isSameReceiver('email', mail('ada@example.org'), mail('ADA@example.org')))
  assert.ok(!isSameReceiver('email', mail('ada@example.org'), mail('ada+school@example.org')))
  assert.ok(!isSameReceiver('email', 'whsec_lost', 'whsec_lost'))
})

it('is not the same in another language', () => {
  assert.ok(!isSameReceiver('email', mail('ada@example.org'), mail('ada@example.org', 'ha')))
  assert.ok(!isSameReceiver('slack', 'https://hooks.slack.com/x', targetText('https://hooks.slack.com/x', 'ha')))
  assert.ok(isSameReceiver('slack', 'https://hooks.slack.com/x', targetText('https://hooks.slack.com/x', 'en')))
})
