import { readFileSync } from 'node:fs'
import { SettingError } from '../config/setting-kinds.ts'
import type { Config } from '../config/settings.ts'
import { type Advice, MAX_ADVICE_LENGTH } from '../deliveries/channels/alert.ts'
import type { ChannelSettings, ConfiguredChannels } from '../deliveries/channels/channel-request.ts'
import { newVapidKeys, VapidSigner } from '../deliveries/channels/web-push.ts'
import { LANGUAGE_CODES, type Language } from '../domain/languages.ts'
import { TYPE_NAMES } from '../domain/taxonomy.ts'
import { loadLanguage, type Translate } from '../i18n/translate.ts'
import type { Store } from '../store/store.ts'

export function channelSettings(config: Config, publicUrl: () => string): ConfiguredChannels {
  const { CHANNEL_HOSTS, TELEGRAM_BOT_TOKEN: token, TELEGRAM_API_URL: apiUrl, ADVICE_FILE } = config
  return {
    furtherHosts: CHANNEL_HOSTS ?? [],
    telegram: token === null ? null : { token, apiUrl },
    advice: ADVICE_FILE === null ? {} : readAdvice(ADVICE_FILE),
    // The port is known only once the server listens.
    get publicUrl() {
      return publicUrl()
    },
  }
}

/**
 * Adds what the store has: the keys that sign notifications, made at the first start of all; and
 * the words of all languages.
 */
export async function openChannels(
  configured: ConfiguredChannels,
  { MAIL_FROM }: Config,
  { push }: Pick<Store, 'push'>,
): Promise<ChannelSettings> {
  const keys = await push.keys(newVapidKeys())
  const contact = () => pushContact(configured.publicUrl, MAIL_FROM)
  const wordsIn = await loadWords()
  return { ...configured, publicUrl: configured.publicUrl, push: new VapidSigner(keys, contact), wordsIn }
}

export async function loadWords(): Promise<(language: Language) => Translate> {
  const loaded = await Promise.all(LANGUAGE_CODES.map(loadLanguage))
  const words = new Map(loaded.map(({ language, translate }) => [language, translate]))
  return (language) => words.get(language)!
}

/** The contact for operators of push services, who take no plain http address. */
function pushContact(publicUrl: string, mailFrom: string): string {
  if (publicUrl.startsWith('https:')) return publicUrl
  return `mailto:${/<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom.trim()}`
}

/** Throws a `SettingError` that names the file and the reason. */
function readAdvice(file: string): Advice {
  try {
    return adviceOf(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new SettingError(`ADVICE_FILE: ${file}: ${(error as Error).message}`)
  }
}

function adviceOf(text: string): Advice {
  const advice: unknown = JSON.parse(text)
  if (typeof advice !== 'object' || advice === null || Array.isArray(advice))
    throw new TypeError('must hold a JSON object of types and texts')
  for (const [type, written] of Object.entries(advice)) {
    if (!(TYPE_NAMES as readonly string[]).includes(type))
      throw new TypeError(`${JSON.stringify(type)} is not a type of incident; /v1/types lists them`)
    if (typeof written !== 'string' || written.trim() === '' || written.length > MAX_ADVICE_LENGTH)
      throw new TypeError(`the advice for ${type} must be a text of 1 to ${MAX_ADVICE_LENGTH} characters`)
  }
  return advice as Advice
}
