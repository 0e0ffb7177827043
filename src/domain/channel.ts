/** Ways to reach a receiver: signed JSON for a program, or a message that people read. */
export const CHANNEL_KINDS = ['webhook', 'email', 'slack', 'discord', 'teams', 'telegram', 'webpush'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** Channels whose messages people read. */
export type MessengerKind = Exclude<ChannelKind, 'webhook'>

export function isMessenger(kind: ChannelKind): kind is MessengerKind {
  return kind !== 'webhook'
}

/** The pair of keys by which push services know this service (RFC 8292), in base64url. */
export interface VapidKeys {
  /**
   * 65 bytes: browsers are told it when they subscribe, and take only messages signed with its
   * pair.
   */
  readonly publicKey: string
  readonly privateKey: string
}
