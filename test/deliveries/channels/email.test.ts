import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { MessageWatch } from '../../../src/deliveries/channels/alert.ts'
import { channelBody, channelRequest } from '../../../src/deliveries/channels/channel-request.ts'
import type { ChannelMail } from '../../../src/deliveries/channels/email.ts'
import {
  emailTargetOf,
  emailTargetText,
  isSameReceiver,
  linkToken,
  readLinkToken,
  targetText,
} from '../../../src/deliveries/channels/target.ts'
import { MAX_WATCHES_TOGETHER } from '../../../src/deliveries/combined-deliveries.ts'
import { retractionOf } from '../../../src/domain/message-content.ts'
import type { WatchEvent } from '../../../src/domain/watch.ts'
import { anIncident } from '../../support/incident.ts'
import { NO_CHANNELS } from './fixtures.ts'

const KEY = 'abcdefghijklmnopqrstuvwx'
const WATCH = 'wat_01jd8z0c5x0000000000000000'
const SETTINGS = { ...NO_CHANNELS, advice: { kidnapping: 'Stay off the road <today>.' } }
const incident = anIncident(1, {
  type: 'kidnapping',
  summary: 'Gunmen <script>alert(1)</script> took "two" & left.',
})

function mailOf(
  event: WatchEvent,
  {
    test = false,
    label = null as string | null,
    document = incident as object,
    others = [] as readonly MessageWatch[],
  } = {},
) {
  const target = emailTargetText({ to: 'ada@example.org', key: KEY, label })
  const text = JSON.stringify(document)
  const message = { id: 'msg_1', watchId: WATCH, event, watchName: 'Roads', test, document: text, others }
  const request = channelRequest('email', target, message, SETTINGS, 0) as { mail: ChannelMail }
  return request.mail
}

const escaped = (url: string) => url.replaceAll('&', '&amp;')

describe('a mail of a watch', () => {
  it('is complete, as text and as HTML: what, where, when, how sure, who says so, what to do, link, until when', () => {
    const { to, subject, text, html } = mailOf('incident.created')
    assert.equal(to, 'ada@example.org')
    assert.match(subject, /^Kidnapping in /)
    for (const said of [
      'Where: ',
      'When: ',
      'Severity: ',
      'How sure: ',
      'Sources: ',
      'What to do: Stay off the road <today>.',
      `https://feed.example.org/incidents/${incident.id}`,
      'Counts until ',
      'because of your watch “Roads”',
      `https://feed.example.org/alerts/${linkToken(WATCH, KEY)}`,
    ])
      assert.ok(text.includes(said), `${said} is not in\n${text}`)
    for (const said of ['Where', 'How sure', 'What to do', 'Counts until', 'Open the incident', linkToken(WATCH, KEY)])
      assert.ok(html.includes(said), said)
  })

  it('writes what others wrote as text, never as markup', () => {
    const { html } = mailOf('incident.created', { label: '<i>Kaduna</i>"' })
    assert.ok(!html.includes('<script') && !html.includes('<i>') && !html.includes('<today>'))
    assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;') && html.includes('&lt;i&gt;Kaduna'))
  })

  it('is an answer to the first mail of the incident if it corrects or withdraws it', () => {
    const first = mailOf('incident.created')
    assert.deepEqual([first.messageId, first.parentId], [`${incident.id}.${WATCH}@feed.example.org`, null])
    const corrected = mailOf('incident.updated')
    assert.deepEqual([corrected.messageId, corrected.parentId], ['msg_1@feed.example.org', first.messageId])
    assert.ok(corrected.subject.startsWith('Corrected: ') && corrected.text.includes('This replaces what was sent'))
    const withdrawn = mailOf('incident.retracted', { document: retractionOf({ ...incident, status: 'retracted' }) })
    assert.equal(withdrawn.parentId, first.messageId)
    assert.ok(withdrawn.subject.startsWith('Withdrawn: ') && !withdrawn.text.includes('Gunmen'))
  })

  it('does not begin or join a thread if it is a test', () => {
    const { messageId, parentId, subject } = mailOf('incident.created', { test: true })
    assert.deepEqual([messageId, parentId], ['msg_1@feed.example.org', null])
    assert.ok(subject.startsWith('Test: '))
  })

  it('shows the area instead of a watch to who has no account', () => {
    assert.ok(mailOf('incident.created', { label: 'Kaduna' }).text.includes('You asked for alerts: Kaduna.'))
  })

  it('names every watch that it is for, with a link for each; that of the header ends all of them', () => {
    const other = (watchId: string, key: string, watchName: string, label: string | null) => ({
      watchId,
      watchName,
      target: emailTargetText({ to: 'ada@example.org', key, label }),
    })
    const ids = ['wat_01jd8z0c5x0000000000000001', 'wat_01jd8z0c5x0000000000000002'] as const
    const tokens = [linkToken(WATCH, KEY), linkToken(ids[0], 'b'.repeat(24)), linkToken(ids[1], 'c'.repeat(24))]
    const all = `https://feed.example.org/alerts/${tokens[0]}?and=${tokens[1]}.${tokens[2]}`
    const others = [other(ids[0], 'b'.repeat(24), 'Home', null), other(ids[1], 'c'.repeat(24), '<School>', null)]
    const { text, html, unsubscribeUrl, messageId } = mailOf('incident.created', { others })
    assert.equal(unsubscribeUrl, all)
    assert.equal(messageId, `${incident.id}.${WATCH}@feed.example.org`)
    assert.ok(text.includes('because of your watches “Roads”, “Home”, “<School>”.'))
    for (const line of [
      `Pause this watch: “Roads”: https://feed.example.org/alerts/${tokens[0]}\n`,
      `Pause this watch: “Home”: https://feed.example.org/alerts/${tokens[1]}\n`,
      `Pause this watch: “<School>”: https://feed.example.org/alerts/${tokens[2]}\n`,
      `Stop all of them: ${all}\n`,
    ])
      assert.ok(text.includes(line), `${line} is not in\n${text}`)
    assert.ok(html.includes('“&lt;School&gt;”') && html.includes(escaped(all)) && !html.includes('<School>'))
    const alerts = mailOf('incident.created', {
      label: 'Kaduna',
      others: others.map((each) => ({
        ...each,
        target: emailTargetText({ ...emailTargetOf(each.target)!, label: `near ${each.watchName}` }),
      })),
    })
    assert.ok(alerts.text.includes('You asked for alerts: “Kaduna”, “near Home”, “near <School>”.'))
    assert.ok(alerts.text.includes(`Stop all of them: ${all}`))
  })

  it('fits the link of the header into a line of a mail, however many watches', () => {
    const others = Array.from({ length: MAX_WATCHES_TOGETHER - 1 }, (_, index) => ({
      watchId: `wat_01jd8z0c5x00000000000000${String(index + 10)}`,
      watchName: `Watch ${index}`,
      target: emailTargetText({ to: 'ada@example.org', key: KEY, label: null }),
    }))
    const { unsubscribeUrl } = mailOf('incident.created', { others })
    assert.ok(`List-Unsubscribe: <${unsubscribeUrl}>`.length < 998 - 200, 'with room for a longer host')
  })

  it('is logged without the link that ends it', () => {
    const target = emailTargetText({ to: 'ada@example.org', key: KEY, label: null })
    const message = { id: 'msg_1', watchId: WATCH, event: 'incident.created', watchName: 'Roads', test: false } as const
    const body = channelBody('email', target, { ...message, document: JSON.stringify(incident) }, SETTINGS)
    assert.ok(body.startsWith('Subject: Kidnapping in ') && !body.includes(KEY) && body.includes('Where: '))
  })

  it('is not sent where the address was replaced by a new secret', () => {
    const message = { id: 'msg_1', watchId: WATCH, event: 'incident.created', watchName: 'Roads', test: false } as const
    const request = channelRequest(
      'email',
      'whsec_abc',
      { ...message, document: JSON.stringify(incident) },
      SETTINGS,
      0,
    )
    assert.ok('fault' in request && request.fault.includes('Make the watch again'))
  })
})

it('reads its own links, and no others', () => {
  assert.deepEqual(readLinkToken(linkToken(WATCH, KEY)), { watchId: WATCH, key: KEY })
  for (const wrong of ['', 'x', WATCH, linkToken(WATCH, KEY.slice(1)), `${linkToken(WATCH, KEY)}x`])
    assert.equal(readLinkToken(wrong), null, wrong)
})

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
