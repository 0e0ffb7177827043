import type { MessageKey } from './english.ts'
import type { TranslateKeys } from './translator.ts'

/** Returns any sentence of the interface, filled with values. */
export type Translate = TranslateKeys<MessageKey>
