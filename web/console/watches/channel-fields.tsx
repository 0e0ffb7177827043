import { useEffect, useState } from 'preact/hooks'
import type { Watch } from '../../../client/src/generated/types.ts'
import { LANGUAGE_CODES, LANGUAGES, type Language } from '../../../src/domain/languages.ts'
import { CHANNEL_KINDS, type ChannelKind } from '../../../src/domain/watch.ts'
import { Button, Field, Select, typed } from '../../shared/parts/controls.tsx'
import { currentTraits, pushSupport, SUPPORT_WORDS, shownAddressHere, subscribeHere } from '../../shared/parts/push.ts'
import { request } from '../../shared/parts/request.ts'
import { useAction } from '../actions.ts'
import { FailureNote } from '../parts.tsx'
import { show } from '../view.ts'
import { CHANNEL_WORDS } from './watch.ts'

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
  /** The shown part of the address that the watch has; null for a new watch. */
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
 * The way of messages to their receiver. An address that is a secret is asked for anew, or kept.
 */
export function ChannelFields({ form, before, onChange }: ChannelFieldsProperties) {
  const { channel } = form
  const keeps = before !== null && channel !== 'webhook'
  return (
    <>
      {before === null && (
        <Field label="Channel">
          <Select
            value={channel}
            options={CHANNEL_KINDS}
            labelOf={(kind) => CHANNEL_WORDS[kind]}
            onChoose={(channel) => onChange({ channel })}
          />
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
              {...typed(form.chatId, (chatId) => onChange({ chatId }))}
            />
          </Field>
          <Field label="Code that the bot wrote into the chat">
            <input
              maxLength={20}
              placeholder="Save once without it"
              {...typed(form.code, (code) => onChange({ code }))}
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
            {...typed(form.url, (url) => onChange({ url }))}
          />
        </Field>
      )}
      {channel !== 'webhook' && (
        <Field label="Language of the messages">
          <Select
            value={form.language}
            options={LANGUAGE_CODES}
            labelOf={(code) => LANGUAGES[code]}
            onChoose={(language) => onChange({ language })}
          />
        </Field>
      )}
    </>
  )
}

/**
 * The members of a request that say where messages go, and in which language; what is not
 * given anew is kept. A new watch of this browser asks for its permission.
 */
export async function channelMembers(form: ChannelForm, before: Watch | null) {
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

const MAX_NAME = 100

/**
 * Turns on notifications in this browser for what a watch looks for: of a watch that notifies a
 * browser, in this one instead; of another, by a watch beside it.
 */
export function NotifyHere({ watch, onDone }: { watch: Watch; onDone: () => void }) {
  const [here, setHere] = useState<string | null>(null)
  const { isBusy, failure, run } = useAction()
  useEffect(() => {
    // Without an answer, the button is shown: it does no harm in the browser that is notified.
    shownAddressHere().then(setHere, () => setHere(null))
  }, [watch.url])
  const isBrowser = watch.channel.kind === 'webpush'
  const isThis = isBrowser && watch.url === here
  const turnOn = () =>
    run(async () => {
      const channel = { kind: 'webpush', subscription: await subscribeHere() }
      if (isBrowser) {
        await request('PATCH', `/v1/watches/${watch.id}`, { body: { channel, status: 'active' } })
        onDone()
        return
      }
      const name = `${watch.name.slice(0, MAX_NAME - 20)}, in this browser`
      const body = { name, channel, filter: watch.filter }
      const { id } = await request<Watch>('POST', '/v1/watches', { body, idempotencyKey: crypto.randomUUID() })
      show('watches', { watch: id })
    })
  if (isThis && watch.status !== 'disabled')
    return (
      <section class="panel" aria-labelledby="notify-heading">
        <h2 id="notify-heading">Notifications</h2>
        <p>This browser shows what the watch finds. Pause the watch for quiet.</p>
      </section>
    )
  return (
    <section class="panel" aria-labelledby="notify-heading">
      <h2 id="notify-heading">Notifications</h2>
      {isBrowser && !isThis && (
        <p>Another browser shows what the watch finds, or one that has ended its subscription.</p>
      )}
      <PushNote />
      <FailureNote failure={failure} />
      <Button
        label={isBrowser ? 'Show them in this browser' : 'Notify me in this browser'}
        disabled={isBusy || pushSupport(currentTraits()) !== 'ready'}
        onClick={turnOn}
      />
    </section>
  )
}

/** Whether this browser can show notifications, and what to do first. */
function PushNote() {
  const support = pushSupport(currentTraits())
  return <p class={support === 'ready' ? 'push-note' : 'push-note hindered'}>{SUPPORT_WORDS[support]}</p>
}
