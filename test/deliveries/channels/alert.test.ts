import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { alertOf, type IncidentMessage, MAX_ENTRIES } from '../../../src/deliveries/channels/alert.ts'
import { subscriptionOf, subscriptionText } from '../../../src/deliveries/channels/browser-subscription.ts'
import { channelBody, channelRequest } from '../../../src/deliveries/channels/channel-request.ts'
import { discordBody, slackBody, teamsBody, telegramBody } from '../../../src/deliveries/channels/chat.ts'
import { type ChannelMail, emailOf } from '../../../src/deliveries/channels/email.ts'
import { addressIn, emailTargetText, languageIn, targetText } from '../../../src/deliveries/channels/target.ts'
import { MAX_PAYLOAD_BYTES, webPushBody } from '../../../src/deliveries/channels/web-push.ts'
import type { Incident } from '../../../src/domain/incident.ts'
import { LANGUAGE_CODES, type Language } from '../../../src/domain/languages.ts'
import { retractionOf } from '../../../src/domain/message-content.ts'
import type { Catalogue } from '../../../src/i18n/translate.ts'
import { anIncident } from '../../support/incident.ts'
import { NO_CHANNELS } from './fixtures.ts'

const HOSTILE = '<!here> @everyone <b>x</b> [y](https://evil.example) *z* & "q" '
const CONTEXT = { ...NO_CHANNELS, advice: { kidnapping: 'Stay off the road.' } }

const message = (number: number, changes: Partial<Incident>, event: IncidentMessage['event'] = 'incident.created') => {
  const incident = anIncident(number, { type: 'kidnapping', ...changes })
  const document = event === 'incident.retracted' ? retractionOf({ ...incident, status: 'retracted' }) : incident
  return { event, watchName: HOSTILE.repeat(5), test: false, document: JSON.stringify(document) }
}
const digest = (messages: readonly IncidentMessage[]) =>
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

const WRITTEN_CONTEXT = { ...NO_CHANNELS, advice: { kidnapping: 'WRITTEN-BY-THE-OPERATOR' } }
const KEY = 'abcdefghijklmnopqrstuvwx'
const SITES = {
  id: 'sit_1',
  name: 'NAME',
  nearest: Array(4).fill({ name: 'NAME', reference: null, distance_km: 1.5, radius_km: 5 }),
  more: 7,
}
const SOURCES = Array.from({ length: 5 }, (_, index) => ({ url: null, publisher: `NAME${index}`, published_at: null }))
/** Everything that has a name here, or that editors write, stays as it is. */
const incident: Incident = anIncident(1, {
  type: 'kidnapping',
  severity: 'critical',
  summary: 'WRITTEN-BY-AN-EDITOR',
  state: 'NAME',
  lga: 'NAME',
  location: { ...anIncident(1).location, place: 'NAME' },
  casualties: { killed: 2, injured: 1, abducted: 3 },
  sources: SOURCES,
  occurred_at: '2026-11-14T07:00:00Z',
  occurred_until: '2026-11-15T07:00:00Z',
})

const told = (event: IncidentMessage['event'], document: object): IncidentMessage => ({
  event,
  watchName: 'NAME',
  test: false,
  document: JSON.stringify(document),
  sites: SITES,
})
const PRECISIONS = ['exact', 'hour', 'day', 'week', 'month', 'year'] as const
const single: readonly IncidentMessage[] = [
  ...PRECISIONS.map((time_precision) => told('incident.created', { ...incident, time_precision })),
  told('incident.updated', { ...incident, sources: [], attribution: null }),
  { ...told('incident.created', incident), test: true },
  told('incident.retracted', retractionOf({ ...incident, status: 'retracted' })),
  told('incident.retracted', retractionOf({ ...incident, status: 'merged', merged_into: 'inc_2' } as Incident)),
]
const messages: readonly IncidentMessage[] = [...single, { ...single[0]!, further: [...single, ...single].slice(1) }]

/** All texts of all messages, without names and what others wrote. */
function textsIn(language: Language): string[] {
  return messages.flatMap((message) => {
    const alert = alertOf(message, WRITTEN_CONTEXT, language)
    const { title, summary, facts, adviceLabel, advice, note, linkText, entries } = alert
    const texts = [
      title,
      summary ?? '',
      adviceLabel,
      advice ?? '',
      note,
      linkText,
      ...facts.flatMap(({ label, value }) => [label, value]),
      ...entries.map(({ text }) => text),
    ]
    const mail = mailIn(language, message, 'NAME')
    const watchMail = mailIn(language, message, null)
    return [...texts, mail.text, watchMail.text]
  })
}

function mailIn(language: Language, message: IncidentMessage, label: string | null): ChannelMail {
  const target = emailTargetText({ to: 'a@example.org', key: KEY, label, language })
  const request = channelRequest('email', target, { ...message, id: 'msg_1', watchId: 'wat_1' }, WRITTEN_CONTEXT, 0)
  return (request as { mail: ChannelMail }).mail
}

const catalogueOf = (language: Language) =>
  JSON.parse(
    readFileSync(new URL(`../../../src/i18n/catalogues/${language}/messages.json`, import.meta.url), 'utf8'),
  ) as Catalogue

/** Words of four letters and more that only English messages have. */
const wordsOf = (texts: readonly string[]) => new Set(texts.join(' ').match(/\p{L}{4,}/gu) ?? [])
const KEPT = /^(NAME\d?|WRITTEN|OPERATOR|EDITOR|Incident|Feed|https|example|incidents|alerts|feed|abcdef\w*)$/
/** As Hausa and Pidgin write them too. */
const SHARED: Readonly<Record<Language, RegExp>> = {
  en: /./,
  ha: /^$/,
  yo: /^$/,
  ig: /^$/,
  pcm: /^(Open|incident|incidents|Kidnapping|Test|When|Where|high|critical|sources|source|Sources|latest|link|links|more|open|watch|mail|alert|alerts|Pause|January|November|sure|correction|before|hours|change|about|after|last|report|Each|comes|counts|number|another|Follow|tell|rely|because|your|Your|unless|with|correct|withdraw|then|send|week|around|places|replace|week|this|people|matter|Very)$/,
}

describe('messages in the language of their reader', () => {
  for (const language of LANGUAGE_CODES) {
    it(`fill every placeholder in ${language}, and keep what others wrote`, () => {
      const texts = textsIn(language)
      for (const text of texts) assert.doesNotMatch(text, /[{}]|undefined|NaN|null/, text)
      assert.ok(texts.includes('WRITTEN-BY-AN-EDITOR') && texts.includes('WRITTEN-BY-THE-OPERATOR'))
    })

    it(`keep to the limits of every channel in ${language}`, () => {
      for (const message of messages) {
        const whole = { ...message, id: 'msg_1', watchId: 'wat_1' }
        const telegram = JSON.parse(channelBody('telegram', targetText('-1', language), whole, WRITTEN_CONTEXT)) as {
          text: string
        }
        assert.ok(telegram.text.replace(/<[^>]*>/g, '').length <= 4096, String(telegram.text.length))
        const push = channelBody('webpush', JSON.stringify({ language }), whole, WRITTEN_CONTEXT)
        assert.ok(Buffer.byteLength(push) <= MAX_PAYLOAD_BYTES)
        assert.equal((JSON.parse(push) as { notification: { lang: string } }).notification.lang, language)
      }
    })

    if (language === 'en') continue

    it(`say nothing in English in ${language}`, () => {
      const english = wordsOf(textsIn('en'))
      const left = [...wordsOf(textsIn(language))].filter(
        (word) => english.has(word) && !KEPT.test(word) && !SHARED[language].test(word),
      )
      assert.deepEqual(left, [])
    })

    it(`have their own words for every sentence in ${language}`, () => {
      const [english, own] = [catalogueOf('en'), catalogueOf(language)]
      const same = Object.keys(english).filter((key) => JSON.stringify(own[key]) === JSON.stringify(english[key]))
      // Pidgin shares short words and the months with English; what is left are whole sentences.
      assert.deepEqual(language === 'pcm' ? same.filter((key) => /note|until|replaces|code/.test(key)) : same, [])
    })

    it(`name the language in the mail and in its HTML in ${language}`, () => {
      const mail = mailIn(language, messages[0]!, 'NAME')
      assert.equal(mail.language, language)
      assert.ok(mail.html.includes(`<html lang="${language}">`))
    })
  }

  it('write dates in words of the language', () => {
    const whenIn = (language: Language) => alertOf(messages[0]!, WRITTEN_CONTEXT, language).facts[2]
    assert.deepEqual(whenIn('ha'), {
      label: 'Yaushe',
      value: '14 Nuwamba 2026, 08:00 WAT zuwa 15 Nuwamba 2026, 08:00 WAT',
    })
    assert.equal(whenIn('yo')!.value.slice(0, 27), '14 Oṣù Bélú 2026, 08:00 WAT')
  })
})

describe('the language in the address of a watch', () => {
  const subscription = {
    endpoint: 'https://push.example.net/x',
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }

  it('is read back, whatever the channel', () => {
    for (const language of LANGUAGE_CODES) {
      const texts = [
        targetText('https://hooks.slack.com/services/T/B/x', language),
        emailTargetText({ to: 'a@example.org', key: KEY, label: null, language }),
        subscriptionText(subscription, language),
      ]
      assert.deepEqual(texts.map(languageIn), [language, language, language])
      assert.equal(addressIn(texts[0]!), 'https://hooks.slack.com/services/T/B/x')
      assert.deepEqual(subscriptionOf(texts[2]!), subscription)
    }
  })

  it('is English where none is, or one that no catalogue has', () => {
    assert.equal(languageIn('https://hooks.slack.com/services/T/B/x'), 'en')
    assert.equal(languageIn('{"to":"a@example.org","key":"k","label":null}'), 'en')
    assert.equal(languageIn('{"address":"-1","language":"xx"}'), 'en')
  })
})
