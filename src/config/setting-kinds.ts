import { isIP, isIPv4, isIPv6 } from 'node:net'
import { parseTrustedProxies, type TrustedProxies } from '../lib/network.ts'

/** A command was given wrong words. */
export class ConfigError extends Error {
  override readonly name: string = 'ConfigError'
}

/** A setting is wrong: every start fails in the same way until it is changed. */
export class SettingError extends ConfigError {
  override readonly name = 'SettingError'
}

/** The thing that a setting names, such as a port, is not to be had at present; later it may be. */
export class SettingUnavailable extends ConfigError {
  override readonly name = 'SettingUnavailable'
}

export interface Setting<Value> {
  readonly description: string
  /** As text; null if the setting may stay unset. */
  readonly fallback: string | null
  readonly takes: string
  /** Its value is never repeated in an error. */
  readonly secret?: true
  /** Returns undefined if the text, which is never empty, is not a valid value. */
  readonly read: (text: string) => Value | undefined
  /** The advice for a value that was once right, or that many would try. */
  readonly advice?: Readonly<Record<string, string>>
}

export const text = (description: string, fallback = ''): Setting<string> => ({
  description,
  fallback,
  takes: 'a text',
  read: (value) => value,
})

export const whole = (description: string, fallback: number, least: number, most: number): Setting<number> => ({
  description,
  fallback: String(fallback),
  takes: `a whole number from ${least} to ${most}`,
  read: (value) =>
    /^\d{1,12}$/.test(value) && Number(value) >= least && Number(value) <= most ? Number(value) : undefined,
})

export const oneOf = <const Value extends string>(
  description: string,
  values: readonly Value[],
  fallback: Value,
): Setting<Value> => ({
  description,
  fallback,
  takes: values.join(', '),
  read: (value) => values.find((known) => known === value),
})

export const yesOrNo = (description: string): Setting<boolean> => ({
  description,
  fallback: 'false',
  takes: 'true or false',
  read: (value) => ({ true: true, false: false })[value],
})

export const url = (description: string, protocols: readonly string[]): Setting<string> => ({
  description,
  fallback: '',
  takes: `a URL with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  read: (value) =>
    URL.canParse(value) && protocols.includes(new URL(value).protocol) ? value.replace(/\/$/, '') : undefined,
})

export const database = (description: string, fallback: string): Setting<string> => ({
  description,
  fallback,
  takes: 'sqlite:<file>, sqlite::memory: or postgres://…',
  read: (value) => (/^(sqlite:(?!\/\/[^/]).|postgres(ql)?:\/\/.)/.test(value) ? value : undefined),
})

export const trustedProxies = (description: string): Setting<TrustedProxies> => ({
  description,
  fallback: 'false',
  takes:
    'false, how many proxies a request passes, or their networks (10.0.0.0/8, loopback, uniquelocal, linklocal) by comma',
  read: parseTrustedProxies,
  advice: {
    true: 'TRUST_PROXY=true would let every client choose its address in X-Forwarded-For. Write how many proxies a request passes (TRUST_PROXY=1), or the networks they are in (TRUST_PROXY=loopback, or TRUST_PROXY=10.0.0.0/8)',
  },
})

export const nameServers = (description: string): Setting<readonly string[]> => ({
  description,
  fallback: '',
  takes: 'IP addresses by comma, each with a port if it is not 53 (10.0.0.2:5353, [fd00::2]:5353)',
  read: (value) => {
    const servers = value.split(',').map((server) => server.trim())
    return servers.every(isServerAddress) ? servers : undefined
  },
})

function isServerAddress(text: string): boolean {
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const isAddress = isIP(text) !== 0 || isIPv6(bracketed ?? '') || isIPv4(plain ?? '')
  return isAddress && Number(port) > 0 && Number(port) < 65536
}

/** Keys of 32 bytes each; the text is never repeated in an error. */
export const keys = (description: string): Setting<readonly Uint8Array[]> => ({
  description,
  fallback: '',
  takes: 'keys of 32 bytes in base64 with commas between them; openssl rand -base64 32 generates one',
  secret: true,
  read(value) {
    const keys = value.split(',').map((key) => Buffer.from(key.trim(), 'base64'))
    const isExact = value.split(',').every((key, index) => keys[index]!.toString('base64') === key.trim())
    return isExact && keys.every(({ length }) => length === 32) ? keys : undefined
  },
})

export const share = (description: string, fallback: number): Setting<number> => ({
  description,
  fallback: String(fallback),
  takes: 'a number from 0 to 1',
  read: (value) => (/^(0|1|0?\.\d{1,9}|1\.0+)$/.test(value) ? Number(value) : undefined),
})

/** As OpenTelemetry writes headers. */
export const headers = (description: string): Setting<Readonly<Record<string, string>>> => ({
  description,
  fallback: '',
  takes: 'name=value, with commas between them; values percent-encoded',
  secret: true,
  read(value) {
    const pairs = value.split(',').map((pair) => /^\s*([\w!#$%&'*+.^`|~-]+)=([\x21-\x7e]*)\s*$/.exec(pair))
    if (!pairs.every((pair) => pair !== null && isDecodable(pair[2]!))) return undefined
    return Object.fromEntries(pairs.map((pair) => [pair![1]!.toLowerCase(), decodeURIComponent(pair![2]!)]))
  },
})

function isDecodable(text: string): boolean {
  try {
    return !/[\r\n\0]/.test(decodeURIComponent(text))
  } catch {
    return false
  }
}

/** Its value is never repeated in an error. */
export const secretText = (description: string, form: RegExp, takes: string): Setting<string> => ({
  description,
  fallback: '',
  takes,
  secret: true,
  read: (value) => (form.test(value) ? value : undefined),
})

export const hostNames = (description: string): Setting<readonly string[]> => ({
  description,
  fallback: '',
  takes: 'host names by comma, each with a port if it has one (chat.example.org, 10.0.0.2:8065)',
  read: (value) => {
    const hosts = value.split(',').map((host) => host.trim().toLowerCase())
    return hosts.every((host) => /^[a-z0-9.[\]:-]{1,260}$/.test(host) && URL.canParse(`https://${host}`))
      ? hosts
      : undefined
  },
})

export const optional = <Value>(setting: Setting<Value>): Setting<Value | null> => ({ ...setting, fallback: null })
