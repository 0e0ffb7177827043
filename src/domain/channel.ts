/** Ways to reach a receiver: signed JSON for a program, or a message that people read. */
export const CHANNEL_KINDS = ['webhook', 'email', 'slack', 'discord', 'teams', 'telegram', 'webpush'] as const
export type ChannelKind = (typeof CHANNEL_KINDS)[number]

/** Those whose messages people read. */
export type MessengerKind = Exclude<ChannelKind, 'webhook'>

export function isMessenger(kind: ChannelKind): kind is MessengerKind {
  return kind !== 'webhook'
}
