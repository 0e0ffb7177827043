import { CHANNEL_KINDS, type ChannelKind } from '../../../src/domain/channel.ts'
import { LANGUAGE_CODES, LANGUAGES, type Language } from '../../../src/domain/languages.ts'
import { Field } from '../../shared/parts/field.tsx'
import { subscribeHere } from '../../shared/parts/push/subscribe.ts'
import { PushNote } from '../push/push-note.tsx'
import { CHANNEL_WORDS, type WatchEntry } from './types.ts'

export interface ChannelForm {
  readonly channel: ChannelKind
  /** Of the endpoint, or of the channel's webhook. */
  readonly url: string
  readonly chatId: string
  readonly code: string
  /** Of messages for people. */
  readonly language: Language
}

interface ChannelFieldsProperties {
  readonly form: ChannelForm
  /** What is shown of the address that the watch has; null for a new watch. */
  readonly before: string | null
  readonly onChange: (part: Partial<ChannelForm>) => void
}

const EXAMPLES = {
  webhook: 'https://example.org/hooks/incidents',
  slack: 'https://hooks.slack.com/services/…',
  discord: 'https://discord.com/api/webhooks/…',
  teams: 'https://….api.powerplatform.com/…',
} as const

/**
 * How messages reach their receiver, and where. An address that is a secret is asked for anew, or
 * kept.
 */
export function ChannelFields({ form, before, onChange }: ChannelFieldsProperties) {
  const { channel } = form
  const keeps = before !== null && channel !== 'webhook'
  return (
    <>
      {before === null && (
        <Field label="Channel">
          <select
            value={channel}
            onChange={({ currentTarget }) => onChange({ channel: currentTarget.value as ChannelKind })}
          >
            {CHANNEL_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {CHANNEL_WORDS[kind]}
              </option>
            ))}
          </select>
        </Field>
      )}
      {channel === 'email' ? (
        <p class="push-note">
          Mails go to the address of your account, once it is confirmed. Every mail has a link that pauses the watch.
        </p>
      ) : channel === 'webpush' ? (
        before === null && <PushNote />
      ) : channel === 'telegram' ? (
        <>
          <Field label="Chat">
            <input
              required={!keeps}
              maxLength={40}
              placeholder={keeps ? before : '-1001234567890 or @name'}
              value={form.chatId}
              onInput={({ currentTarget }) => onChange({ chatId: currentTarget.value })}
            />
          </Field>
          <Field label="Code that the bot wrote into the chat">
            <input
              maxLength={20}
              placeholder="Save once without it"
              value={form.code}
              onInput={({ currentTarget }) => onChange({ code: currentTarget.value })}
            />
          </Field>
        </>
      ) : (
        <Field
          label={channel === 'webhook' ? 'Address of your endpoint' : `Webhook address from ${CHANNEL_WORDS[channel]}`}
        >
          <input
            required={!keeps}
            type="url"
            maxLength={2000}
            placeholder={keeps ? before : EXAMPLES[channel]}
            value={form.url}
            onInput={({ currentTarget }) => onChange({ url: currentTarget.value })}
          />
        </Field>
      )}
      {channel !== 'webhook' && (
        <Field label="Language of the messages">
          <select
            value={form.language}
            onChange={({ currentTarget }) => onChange({ language: currentTarget.value as Language })}
          >
            {LANGUAGE_CODES.map((code) => (
              <option key={code} value={code}>
                {LANGUAGES[code]}
              </option>
            ))}
          </select>
        </Field>
      )}
    </>
  )
}

/**
 * The members of a request that say where messages go, and in which language; what is not
 * given anew is kept. A new watch of this browser asks for its permission.
 */
export async function channelMembers(form: ChannelForm, before: WatchEntry | null) {
  const { channel, url, language } = form
  if (channel === 'webhook') return { url: url.trim() }
  const address = await addressMembers(form, before === null)
  const isSame = Object.keys(address).length === 0 && before?.channel.language === language
  return isSame ? {} : { channel: { kind: channel, language, ...address } }
}

async function addressMembers({ channel, url, chatId, code }: ChannelForm, isNew: boolean) {
  if (channel === 'email') return {}
  if (channel === 'webpush') return isNew ? { subscription: await subscribeHere() } : {}
  if (channel !== 'telegram') return url.trim() === '' ? {} : { url: url.trim() }
  const proof = code.trim() === '' ? {} : { code: code.trim() }
  return chatId.trim() === '' ? {} : { chat_id: chatId.trim(), ...proof }
}
