import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Translate } from '../../i18n/translate.ts'

const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'
const LENGTH = 10

/**
 * The code that the bot writes into a chat, and that an account must know to have messages sent
 * there: otherwise anybody could have them sent to the chats of others. It needs no storage: only
 * who has the bot's token can compute it.
 */
export function telegramCode(botToken: string, accountId: string, chatId: string): string {
  const hash = createHmac('sha256', botToken).update(`incident-feed chat ${accountId} ${chatId}`).digest()
  return Array.from(hash.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]).join('')
}

export function isTelegramCode(given: string, expected: string): boolean {
  const bytes = Buffer.from(given.trim().toUpperCase())
  return bytes.length === expected.length && timingSafeEqual(bytes, Buffer.from(expected))
}

/** The parameters of sendMessage with the code; nothing in it was written by the one who asks. */
export function codeMessage(chatId: string, code: string, t: Translate) {
  return { chat_id: chatId, text: t('messages.telegram_code', { code }) }
}
