import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { alertOf, type IncidentMessage, MAX_ENTRIES, type MessageWatch } from '../../src/deliveries/channels/alert.ts'
import { subscriptionOf, subscriptionText } from '../../src/deliveries/channels/browser-subscription.ts'
import { channelBody, channelRequest } from '../../src/deliveries/channels/channel-request.ts'
import { discordBody, slackBody, teamsBody, telegramBody } from '../../src/deliveries/channels/chat.ts'
import { type ChannelMail, emailOf } from '../../src/deliveries/channels/email.ts'
import {
  addressIn,
  emailTargetOf,
  emailTargetText,
  isSameReceiver,
  languageIn,
  linkToken,
  readLinkToken,
  targetText,
} from '../../src/deliveries/channels/target.ts'
import { MAX_PAYLOAD_BYTES, webPushBody } from '../../src/deliveries/channels/web-push.ts'
import { MAX_WATCHES_TOGETHER } from '../../src/deliveries/combined-deliveries.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { LANGUAGE_CODES, type Language } from '../../src/domain/languages.ts'
import { retractionOf } from '../../src/domain/message-content.ts'
import type { WatchEvent } from '../../src/domain/watch.ts'
import type { Catalogue } from '../../src/i18n/translate.ts'
import { anIncident } from '../support/incident.ts'
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
    readFileSync(new URL(`../../src/i18n/catalogues/${language}/messages.json`, import.meta.url), 'utf8'),
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

const WATCH = 'wat_01jd8z0c5x0000000000000000'
const SETTINGS = { ...NO_CHANNELS, advice: { kidnapping: 'Stay off the road <today>.' } }
const mailed = anIncident(1, {
  type: 'kidnapping',
  summary: 'Gunmen <script>alert(1)</script> took "two" & left.',
})

function mailOf(
  event: WatchEvent,
  {
    test = false,
    label = null as string | null,
    document = mailed as object,
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
      `https://feed.example.org/incidents/${mailed.id}`,
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
    assert.deepEqual([first.messageId, first.parentId], [`${mailed.id}.${WATCH}@feed.example.org`, null])
    const corrected = mailOf('incident.updated')
    assert.deepEqual([corrected.messageId, corrected.parentId], ['msg_1@feed.example.org', first.messageId])
    assert.ok(corrected.subject.startsWith('Corrected: ') && corrected.text.includes('This replaces what was sent'))
    const withdrawn = mailOf('incident.retracted', { document: retractionOf({ ...mailed, status: 'retracted' }) })
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
    assert.equal(messageId, `${mailed.id}.${WATCH}@feed.example.org`)
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
    const body = channelBody('email', target, { ...message, document: JSON.stringify(mailed) }, SETTINGS)
    assert.ok(body.startsWith('Subject: Kidnapping in ') && !body.includes(KEY) && body.includes('Where: '))
  })

  it('is not sent where the address was replaced by a new secret', () => {
    const message = { id: 'msg_1', watchId: WATCH, event: 'incident.created', watchName: 'Roads', test: false } as const
    const request = channelRequest('email', 'whsec_abc', { ...message, document: JSON.stringify(mailed) }, SETTINGS, 0)
    assert.ok('fault' in request && request.fault.includes('Make the watch again'))
  })
})

it('links of mails are read back, and no others are', () => {
  assert.deepEqual(readLinkToken(linkToken(WATCH, KEY)), { watchId: WATCH, key: KEY })
  for (const wrong of ['', 'x', WATCH, linkToken(WATCH, KEY.slice(1)), `${linkToken(WATCH, KEY)}x`])
    assert.equal(readLinkToken(wrong), null, wrong)
})

const mail = (to: string, language?: 'ha') =>
  emailTargetText({ to, key: to, label: null, ...(language && { language }) })

it('an address is the same mailbox in whatever case, but not with another tag', () => {
  assert.ok(isSameReceiver('email', mail('ada@example.org'), mail('ADA@example.org')))
  assert.ok(!isSameReceiver('email', mail('ada@example.org'), mail('ada+school@example.org')))
  assert.ok(!isSameReceiver('email', 'whsec_lost', 'whsec_lost'))
})

it('an address is not the same receiver in another language', () => {
  assert.ok(!isSameReceiver('email', mail('ada@example.org'), mail('ada@example.org', 'ha')))
  assert.ok(!isSameReceiver('slack', 'https://hooks.slack.com/x', targetText('https://hooks.slack.com/x', 'ha')))
  assert.ok(isSameReceiver('slack', 'https://hooks.slack.com/x', targetText('https://hooks.slack.com/x', 'en')))
})
