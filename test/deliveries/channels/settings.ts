import type { ChannelSettings } from '../../../src/deliveries/channels/channel-request.ts'
import { VapidSigner } from '../../../src/deliveries/channels/web-push.ts'
import { loadWords } from '../../../src/startup/channels.ts'

/** Of nobody. */
export const VAPID_KEYS = {
  publicKey: 'BCENKSefusplAiQgz2o_GUgNxSQbKAnMNX2cFDbjyjmjvttsC9dKsVUeyeP9VxAZtMW5WUvGfs8cOLF13N5pLtU',
  privateKey: 'KLrPU-Oa7TtecF5f2UeNcAFnvD5K7yI-uLFQBNFh8Aw',
}

export const NO_CHANNELS: ChannelSettings = {
  publicUrl: 'https://feed.example.org',
  advice: {},
  furtherHosts: [],
  telegram: null,
  push: new VapidSigner(VAPID_KEYS, () => 'mailto:operator@example.org'),
  wordsIn: await loadWords(),
}
