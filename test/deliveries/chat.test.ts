import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { type Alert, alertOf, type ChannelMessage } from '../../src/deliveries/channels/alert.ts'
import { readReply } from '../../src/deliveries/channels/channel-request.ts'
import { discordBody, slackBody, teamsBody, telegramBody } from '../../src/deliveries/channels/chat.ts'
import { checkChannelUrl } from '../../src/deliveries/channels/target.ts'
import { contentOf } from '../../src/deliveries/logged-message.ts'
import { retractionOf } from '../../src/domain/message-content.ts'
import type { NamedSite } from '../../src/domain/sites.ts'
import { WATCH_EVENTS } from '../../src/domain/watch.ts'
import { temporaryFolder } from '../support/folder.ts'
import { anIncident } from '../support/incident.ts'
import { NO_CHANNELS } from './fixtures.ts'

const HOSTILE = '<!here> @everyone <b>x</b> [y](https://evil.example) *z* & "q" '

/** The longest that an incident may say, all of it hostile. */
const longest = {
  ...anIncident(1),
  summary: HOSTILE.repeat(100),
  sources: Array.from({ length: 9 }, (_, index) => ({
    url: null,
    publisher: `${HOSTILE.repeat(5)}${index}`,
    published_at: null,
  })),
}
const alert = alertOf(
  {
    event: 'incident.created',
    watchName: HOSTILE.repeat(9),
    test: false,
    document: JSON.stringify(longest),
    sites: {
      id: 'sit_1',
      name: HOSTILE,
      nearest: Array(20).fill({ name: HOSTILE, reference: null, distance_km: 99.9, radius_km: 100 }),
      more: 9980,
    },
  },
  { ...NO_CHANNELS, advice: { [longest.type]: HOSTILE.repeat(30) } },
  'en',
)

describe('an alert', () => {
  it('is complete: source, event, place, time, how sure, what to do, link and end', () => {
    assert.deepEqual(
      alert.facts.map(({ label }) => label).filter((label) => label !== 'Casualties'),
      ['Where', 'Your sites', 'When', 'Severity', 'How sure', 'Sources'],
    )
    assert.ok(alert.summary !== null && alert.advice !== null && alert.title !== '')
    assert.match(alert.note, /^Counts until \d+ \w+ \d{4}, \d\d:\d\d WAT/)
    assert.equal(alert.link, `https://feed.example.org/incidents/${longest.id}`)
  })
})

describe('an alert of a watch of sites', () => {
  const site = (name: string, distance_km?: number) => ({
    name,
    reference: null,
    radius_km: 25,
    ...(distance_km !== undefined && { distance_km }),
  })
  const factsOf = (message: Pick<ChannelMessage, 'event' | 'sites'>, document: object) =>
    alertOf({ ...message, watchName: 'Depots', test: false, document: JSON.stringify(document) }, NO_CHANNELS, 'en')
      .facts
  const siteText = (nearest: NamedSite[], more: number) => {
    const sites = { id: 'sit_1', name: 'Depots', nearest, more }
    return factsOf({ event: 'incident.created', sites }, anIncident(1)).find(({ label }) => label === 'Your sites')
      ?.value
  }

  it('names the nearest with their distances, and counts the others', () => {
    assert.equal(siteText([site('Depot', 3.2)], 0), 'Depot (3.2 km)')
    const five = [1, 2, 3, 4, 5].map((number) => site(`Depot ${number}`, number))
    assert.equal(siteText(five, 10), 'Depot 1 (1 km), Depot 2 (2 km), Depot 3 (3 km) and 12 more')
    assert.equal(siteText([], 0), undefined)
    assert.ok(siteText(Array(3).fill(site(HOSTILE.repeat(9), 99.9)), 9997)!.length <= 200)
  })

  it('that is withdrawn names them without distances', () => {
    const sites = { id: 'sit_1', name: 'Depots', nearest: [site('Depot'), site('Yard')], more: 0 }
    const retraction = retractionOf({ ...anIncident(1), status: 'retracted' })
    const facts = factsOf({ event: 'incident.retracted', sites }, retraction)
    assert.deepEqual(facts.at(-1), { label: 'Your sites', value: 'Depot, Yard' })
  })
})

describe('the longest alert', () => {
  it('is within the limits of Slack, and formats and mentions nothing', () => {
    const { blocks } = slackBody(alert)
    const text = JSON.stringify(blocks.filter(({ type }) => type !== 'section' || true))
    assert.ok(blocks.length <= 50)
    for (const block of blocks) {
      const parts = [block.text, ...(block.fields ?? []), ...(block.elements ?? [])].filter(
        (part) => part !== undefined,
      )
      for (const part of parts) {
        assert.ok(part.text.length <= (block.type === 'header' ? 150 : block.fields ? 2000 : 3000))
        if (part.type === 'mrkdwn') assert.ok(!part.text.includes('here'))
      }
      assert.ok((block.fields?.length ?? 0) <= 10)
    }
    assert.ok(!text.includes('"type":"mrkdwn","text":"<!'))
  })

  it('is within the limits of Discord, and mentions nobody', () => {
    const { embeds, allowed_mentions } = discordBody(alert)
    const [embed] = embeds as [(typeof embeds)[0]]
    const texts = [
      embed.title,
      embed.description ?? '',
      embed.footer.text,
      ...embed.fields.flatMap((f) => [f.name, f.value]),
    ]
    assert.ok(texts.reduce((sum, text) => sum + text.length, 0) <= 6000)
    assert.ok(embed.fields.every(({ value }) => value.length <= 1024))
    assert.deepEqual(allowed_mentions, { parse: [] })
    assert.ok(!embed.description!.includes('[y]('))
  })

  it('is within the limits of Telegram, with everything escaped', () => {
    const { text } = telegramBody(alert, '12')
    const plain = text.replaceAll(/<\/?[abi]( href="[^"]*")?>/g, '').replaceAll(/&(amp|lt|gt|quot);/g, '.')
    assert.ok(!/[<>&]/.test(plain), plain)
    assert.ok(plain.length <= 4096, String(plain.length))
  })

  it('is within the 28 KB of Teams, with what others wrote in text that formats nothing', () => {
    const body = JSON.stringify(teamsBody(alert))
    assert.ok(Buffer.byteLength(body) < 28_000)
    assert.ok(!/"TextBlock","text":"[^"]*[^\\]\[y\]\(/.test(body))
  })
})

describe('addresses', () => {
  for (const [kind, url, isTaken] of [
    ['slack', 'https://hooks.slack.com/services/T0/B0/x', true],
    ['slack', 'https://hooks.slack.com.evil.example/services/T0/B0/x', false],
    ['slack', 'http://hooks.slack.com/services/T0/B0/x', false],
    ['slack', 'https://hooks.slack.com:8443/services/T0/B0/x', false],
    ['slack', 'https://me@hooks.slack.com/services/T0/B0/x', false],
    ['slack', 'https://hooks.slack.com/', false],
    ['discord', 'https://discord.com/api/webhooks/123/a_b-c', true],
    ['discord', 'https://discord.com/api/webhooks/123', false],
    [
      'teams',
      'https://x.1a.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/1/triggers/manual/paths/invoke?sig=x',
      true,
    ],
    ['teams', 'https://api.powerplatform.com.evil.example/triggers/manual/paths/invoke', false],
  ] as const)
    it(`${isTaken ? 'takes' : 'refuses'} ${url} for ${kind}`, () => {
      assert.equal(checkChannelUrl(kind, url, []).fault === null, isTaken)
    })
})

describe('replies', () => {
  const answered = (status: number, body: string, retryAfter: string | null = null) =>
    ({ kind: 'answered', status, body, retryAfter, message: '', startedAt: 0, durationMs: 1 }) as const
  it('have their wait in a header or in the body', () => {
    const waits = [
      readReply('discord', answered(429, '{"message":"…","retry_after": 1.2}')),
      readReply('telegram', answered(429, '{"ok":false,"parameters":{"retry_after":35}}')),
      readReply('slack', answered(429, '', '30')),
    ].map((reply) => reply.kind === 'answered' && reply.retryAfter)
    assert.deepEqual(waits, ['2', '35', '30'])
  })

  it('of a taken message are not kept, but those of an endpoint are', () => {
    const [taken, endpoint] = [readReply('telegram', answered(200, 'x')), readReply('webhook', answered(200, 'x'))]
    assert.deepEqual(
      [taken.kind === 'answered' && taken.body, endpoint.kind === 'answered' && endpoint.body],
      ['', 'x'],
    )
  })
})

const ROOT = join(import.meta.dirname, '../..')

/**
 * Every form that a message can have: each event, as a test or not, with and without what is
 * optional, alone or with others.
 */
const ALERTS: readonly Alert[] = WATCH_EVENTS.flatMap((event) =>
  [true, false].flatMap((test) =>
    [true, false].flatMap((isFull) => {
      const incident = anIncident(1, {
        casualties: isFull
          ? { killed: 1, injured: 2, abducted: null }
          : { killed: null, injured: null, abducted: null },
        sources: isFull ? [{ url: null, publisher: 'Daily <Trust>', published_at: null }] : [],
      })
      const advice = isFull ? { [incident.type]: 'Stay away.' } : {}
      const document = contentOf(event, JSON.stringify(incident))
      const message = { event, watchName: 'Roads', test, document }
      const context = { ...NO_CHANNELS, advice }
      return [alertOf(message, context, 'ha'), alertOf({ ...message, further: [message, message] }, context, 'en')]
    }),
  ),
)

const HEAD = `
import type { KnownBlock } from '@slack/types'
import type { RESTPostAPIWebhookWithTokenJSONBody } from 'discord-api-types/v10'
import type { ApiMethods } from '@grammyjs/types'
interface Message { text: string; unfurl_links: boolean; unfurl_media: boolean; blocks: KnownBlock[] }
type Embeds = RESTPostAPIWebhookWithTokenJSONBody
type Chat = Parameters<ApiMethods<never>['sendMessage']>[0]
`

/** As literals: the compiler then refuses members that a type does not have. */
function declared(name: string, type: 'Message' | 'Embeds' | 'Chat', body: unknown): string {
  return `export const ${name}: ${type} = ${JSON.stringify(body)}\n`
}

/**
 * Compiles the source against the packages that the makers of the channels publish. Returns what is
 * wrong.
 */
async function compile(source: string): Promise<string> {
  await using folder = await temporaryFolder()
  await symlink(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'))
  await writeFile(join(folder.path, 'bodies.ts'), HEAD + source)
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    exactOptionalPropertyTypes: true,
    module: 'nodenext',
    types: [],
  }
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['bodies.ts'] }))
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc')
  const run = promisify(execFile)(process.execPath, [compiler, '-p', folder.path], { cwd: folder.path })
  return await run.then(
    () => '',
    ({ stdout, stderr }: { stdout: string; stderr: string }) => stdout + stderr,
  )
}

interface CardEvent {
  readonly message: string
}
interface AdaptiveCards {
  readonly SerializationContext: new () => { eventCount: number; getEventAt(index: number): CardEvent }
  readonly AdaptiveCard: new () => {
    parse(card: unknown, context: unknown): void
    validateProperties(): { readonly validationEvents: readonly CardEvent[] }
    getItemCount(): number
  }
}

/** Faults that Microsoft's own reader of cards finds. */
function cardFaults(card: unknown): string[] {
  const { SerializationContext, AdaptiveCard } = createRequire(import.meta.url)(
    'adaptivecards/dist/adaptivecards.js',
  ) as AdaptiveCards
  const context = new SerializationContext()
  const parsed = new AdaptiveCard()
  parsed.parse(card, context)
  const events = Array.from({ length: context.eventCount }, (_, index) => context.getEventAt(index))
  return [...events, ...parsed.validateProperties().validationEvents].map(({ message }) => message)
}

describe('the types that the makers of channels publish', () => {
  it('fit every message for Slack, Discord and Telegram, and refuse those that are broken', async () => {
    const [alert] = ALERTS as [Alert]
    const whole = ALERTS.map(
      (each, number) =>
        declared(`slack${number}`, 'Message', slackBody(each)) +
        declared(`discord${number}`, 'Embeds', discordBody(each)) +
        declared(`telegram${number}`, 'Chat', telegramBody(each, '-100')),
    )
    const slack = slackBody(alert)
    const discord = discordBody(alert)
    const broken = [
      declared('slackType', 'Message', { ...slack, blocks: [{ ...slack.blocks[0], type: 'heading' }] }),
      declared('slackText', 'Message', { ...slack, blocks: [{ type: 'section', text: 'plain' }] }),
      declared('discordMember', 'Embeds', { ...discord, embed: discord.embeds }),
      declared('discordColour', 'Embeds', { ...discord, embeds: [{ ...discord.embeds[0], color: '#c0262d' }] }),
      declared('telegramMode', 'Chat', { ...telegramBody(alert, '1'), parse_mode: 'Text' }),
      declared('telegramMember', 'Chat', { ...telegramBody(alert, '1'), disable_preview: true }),
    ].map((each) => `// @ts-expect-error\n${each}`)
    assert.equal(await compile([...whole, ...broken].join('')), '')
  })

  it('fit every card for Teams, and refuse those that are broken', () => {
    for (const alert of ALERTS) assert.deepEqual(cardFaults(teamsBody(alert).attachments[0]!.content), [])
    const { content } = teamsBody(ALERTS[0]!).attachments[0]!
    const [title] = content.body
    for (const [what, changes] of [
      ['an unknown element', { body: [{ ...title, type: 'Title' }] }],
      ['an unknown size', { body: [{ ...title, size: 'huge' }] }],
      ['a version of the future', { version: 'x' }],
      ['an unknown action', { actions: [{ ...content.actions[0], type: 'Action.Open' }] }],
    ] as const)
      assert.notDeepEqual(cardFaults({ ...content, ...changes }), [], what)
  })
})
