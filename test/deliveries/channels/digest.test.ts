import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { alertOf, MAX_ENTRIES, type ToldMessage } from '../../../src/deliveries/channels/alert.ts'
import { discordBody, slackBody, teamsBody, telegramBody } from '../../../src/deliveries/channels/chat.ts'
import { emailOf } from '../../../src/deliveries/channels/email.ts'
import { MAX_PAYLOAD_BYTES, webPushBody } from '../../../src/deliveries/channels/web-push.ts'
import type { Incident } from '../../../src/domain/incident.ts'
import { retractionOf } from '../../../src/domain/message-content.ts'
import { anIncident } from '../../support/incident.ts'
import { NO_CHANNELS } from './settings.ts'

const HOSTILE = '<!here> @everyone <b>x</b> [y](https://evil.example) *z* & "q" '
const CONTEXT = { ...NO_CHANNELS, advice: { kidnapping: 'Stay off the road.' } }

const message = (number: number, changes: Partial<Incident>, event: ToldMessage['event'] = 'incident.created') => {
  const incident = anIncident(number, { type: 'kidnapping', ...changes })
  const document = event === 'incident.retracted' ? retractionOf({ ...incident, status: 'retracted' }) : incident
  return { event, watchName: HOSTILE.repeat(5), test: false, document: JSON.stringify(document) }
}
const digest = (messages: readonly ToldMessage[]) =>
  alertOf({ ...messages[0]!, further: messages.slice(1) }, CONTEXT, 'en')

describe('a digest', () => {
  const alert = digest([
    message(1, { severity: 'low' }),
    message(2, { severity: 'critical' }, 'incident.updated'),
    message(3, { severity: 'medium', type: 'protest' }),
    message(4, { severity: 'high' }, 'incident.retracted'),
  ])

  it('counts what it tells, what was withdrawn first, then the worst', () => {
    assert.equal(alert.title, '4 incidents: 2 new, 1 corrected, 1 withdrawn')
    assert.equal(alert.severity, 'critical')
    const starts = alert.entries.map(({ text }) => text.split(' ').slice(0, 3).join(' '))
    assert.deepEqual(starts, [
      'Withdrawn: Kidnapping in',
      'Critical · Corrected:',
      'Medium · Protest',
      'Low · Kidnapping',
    ])
    assert.deepEqual(
      alert.entries.map(({ link }) => link),
      [4, 2, 3, 1].map((number) => `https://feed.example.org/incidents/${anIncident(number).id}`),
    )
  })

  it('has advice for each type, until when it counts, and lines without links for channels without entries', () => {
    assert.equal(alert.advice, 'Kidnapping: Stay off the road.')
    assert.match(alert.note, /^Each counts for 24 hours/)
    assert.deepEqual(
      alert.summary!.split('\n'),
      alert.entries.map(({ text }) => `• ${text}`),
    )
  })

  it('of one incident is its alert', () => {
    const one = message(1, {})
    assert.deepEqual(digest([one]), alertOf(one, CONTEXT, 'en'))
    assert.equal(digest([one]).entries.length, 0)
  })
})

describe('the longest digest', () => {
  const hostile = {
    summary: HOSTILE.repeat(100),
    lga: HOSTILE.repeat(9),
    state: HOSTILE,
    location: { ...anIncident(1).location, place: HOSTILE },
  }
  const alert = digest(Array.from({ length: 100 }, (_, index) => message(index, hostile)))

  it('names some and counts the rest', () => {
    assert.equal(alert.entries.length, MAX_ENTRIES + 1)
    assert.equal(alert.entries.at(-1)!.text, `and ${100 - MAX_ENTRIES} more: open the map`)
  })

  it('is within the limits of each channel, and formats and mentions nothing of its own', () => {
    const { blocks } = slackBody(alert)
    assert.ok(blocks.length <= 50)
    for (const block of blocks) if (block.text !== undefined) assert.ok(block.text.text.length <= 3000)
    assert.ok(!/<!here>|<b>/.test(JSON.stringify(blocks.filter((block) => block.text?.type === 'mrkdwn'))))
    const [embed] = discordBody(alert).embeds
    assert.ok(embed!.description!.length <= 4096, String(embed!.description!.length))
    assert.ok(JSON.stringify(embed).length <= 7000)
    assert.ok(!/[^\\]\[y\]/.test(embed!.description!))
    const { text } = telegramBody(alert, '-1')
    assert.ok(text.replace(/<[^>]*>/g, '').replace(/&\w+;/g, '&').length <= 4096)
    assert.ok(!text.includes('<b>x'))
    const card = teamsBody(alert).attachments[0]!.content
    assert.ok(JSON.stringify(card).length < 28_000)
    assert.equal(card.actions[0]!.title, 'Open the map')
    assert.ok(Buffer.byteLength(JSON.stringify(webPushBody(alert))) <= MAX_PAYLOAD_BYTES)
    const sender = { id: 'msg_1', watchId: 'wat_1', watchName: 'A watch', test: false }
    const { html, text: plain } = emailOf(
      alert,
      sender,
      { to: 'a@b.example', key: 'k', label: null },
      CONTEXT.publicUrl,
      CONTEXT.wordsIn('en'),
    )
    for (const { link } of alert.entries) assert.ok(html.includes(`href="${link}"`) && plain.includes(link))
    assert.ok(!html.includes('<b>x'))
  })
})
