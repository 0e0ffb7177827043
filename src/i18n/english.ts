import { BROWSER_ENGLISH } from './browser/english.ts'
import about from './catalogues/en/about.json' with { type: 'json' }
import alerts from './catalogues/en/alerts.json' with { type: 'json' }
import messages from './catalogues/en/messages.json' with { type: 'json' }
import report from './catalogues/en/report.json' with { type: 'json' }
import status from './catalogues/en/status.json' with { type: 'json' }
import { type KeyOf, type TranslateKeys, translator } from './translator.ts'

/**
 * The areas of the interface, each a file: those of scripts, and those that only the server writes.
 */
export const ENGLISH = { ...BROWSER_ENGLISH, about, alerts, messages, report, status }

export type Area = keyof typeof ENGLISH

/** A key is its area and its name in the area's file, such as `panel.empty`. */
export type MessageKey = KeyOf<typeof ENGLISH>

export const english: TranslateKeys<MessageKey> = translator(ENGLISH, ENGLISH, 'en')
