import type { ChannelSettings } from '../../src/channels/channel-request.ts'

export const NO_CHANNELS: ChannelSettings = {
  publicUrl: 'https://feed.example.org',
  advice: {},
  furtherHosts: [],
  telegram: null,
}
