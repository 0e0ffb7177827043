import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { type Alert, alertOf } from '../../../src/deliveries/channels/alert.ts'
import { discordBody, slackBody, teamsBody, telegramBody } from '../../../src/deliveries/channels/chat.ts'
import { contentOf } from '../../../src/deliveries/logged-message.ts'
import { WATCH_EVENTS } from '../../../src/domain/watch.ts'
import { temporaryFolder } from '../../support/folder.ts'
import { anIncident } from '../../support/incident.ts'
import { NO_CHANNELS } from './settings.ts'

const ROOT = join(import.meta.dirname, '../../..')

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

/** What Microsoft's own reader of cards finds wrong. */
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
