import type { Language } from '../../domain/languages.ts'

/** One mail, ready to be sent. */
export interface ChannelMail {
  readonly to: string
  readonly subject: string
  readonly language: Language
  readonly text: string
  readonly html: string
  /** Without angle brackets, the same at every retry: who gets it twice sees it once. */
  readonly messageId: string
  /** The mail that it is an answer to, for programs that show both together; null for the first. */
  readonly parentId: string | null
  /** POST there ends the messages, without a question (RFC 8058). */
  readonly unsubscribeUrl: string
}
