import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { alertOf, type ToldMessage } from '../../../src/deliveries/channels/alert.ts'
import { subscriptionOf, subscriptionText } from '../../../src/deliveries/channels/browser-subscription.ts'
import { channelBody, channelRequest } from '../../../src/deliveries/channels/channel-request.ts'
import type { ChannelMail } from '../../../src/deliveries/channels/email.ts'
import { addressIn, emailTargetText, languageIn, targetText } from '../../../src/deliveries/channels/target.ts'
import { MAX_PAYLOAD_BYTES } from '../../../src/deliveries/channels/web-push.ts'
import type { Incident } from '../../../src/domain/incident.ts'
import { LANGUAGE_CODES, type Language } from '../../../src/domain/languages.ts'
import { retractionOf } from '../../../src/domain/message-content.ts'
import type { Catalogue } from '../../../src/i18n/translator.ts'
import { anIncident } from '../../support/incident.ts'
import { NO_CHANNELS } from './settings.ts'

const CONTEXT = { ...NO_CHANNELS, advice: { kidnapping: 'WRITTEN-BY-THE-OPERATOR' } }
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

const told = (event: ToldMessage['event'], document: object): ToldMessage => ({
  event,
  watchName: 'NAME',
  test: false,
  document: JSON.stringify(document),
  sites: SITES,
})
const PRECISIONS = ['exact', 'hour', 'day', 'week', 'month', 'year'] as const
const single: readonly ToldMessage[] = [
  ...PRECISIONS.map((time_precision) => told('incident.created', { ...incident, time_precision })),
  told('incident.updated', { ...incident, sources: [], attribution: null }),
  { ...told('incident.created', incident), test: true },
  told('incident.retracted', retractionOf({ ...incident, status: 'retracted' })),
  told('incident.retracted', retractionOf({ ...incident, status: 'merged', merged_into: 'inc_2' } as Incident)),
]
const messages: readonly ToldMessage[] = [...single, { ...single[0]!, further: [...single, ...single].slice(1) }]

/** All texts of all messages, without names and what others wrote. */
function textsIn(language: Language): string[] {
  return messages.flatMap((message) => {
    const alert = alertOf(message, CONTEXT, language)
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

function mailIn(language: Language, message: ToldMessage, label: string | null): ChannelMail {
  const target = emailTargetText({ to: 'a@example.org', key: KEY, label, language })
  const request = channelRequest('email', target, { ...message, id: 'msg_1', watchId: 'wat_1' }, CONTEXT, 0)
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
        const telegram = JSON.parse(channelBody('telegram', targetText('-1', language), whole, CONTEXT)) as {
          text: string
        }
        assert.ok(telegram.text.replace(/<[^>]*>/g, '').length <= 4096, String(telegram.text.length))
        const push = channelBody('webpush', JSON.stringify({ language }), whole, CONTEXT)
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
    const whenIn = (language: Language) => alertOf(messages[0]!, CONTEXT, language).facts[2]
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
