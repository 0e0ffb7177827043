import { PREFIXES, SUFFIX_LENGTH } from '../../domain/identifier.ts'
import type { Language } from '../../domain/languages.ts'

/** Where the mails of a watch go, and what their links need. Stored as the watch's secret. */
export interface EmailTarget {
  readonly to: string
  /** The random part of the link in every mail: whoever has it can end the watch. */
  readonly key: string
  /** The area in the reader's words; null for a watch of an account, which has a name. */
  readonly label: string | null
  /** Absent in targets from before mails had a language: English. */
  readonly language?: Language
}

/** Bytes of the random part of a link. */
export const LINK_KEY_BYTES = 18
const LINK_KEY_LENGTH = 24
const LINK_TOKEN = new RegExp(`^([0-9a-z]{${SUFFIX_LENGTH}})([\\w-]{${LINK_KEY_LENGTH}})$`)

export function emailTargetText({ to, key, label, language }: EmailTarget): string {
  return JSON.stringify({ to, key, label, language })
}

/** Null if the text is no such target: its key was lost, and a new secret put in its place. */
export function emailTargetOf(text: string): EmailTarget | null {
  if (!text.startsWith('{')) return null
  return JSON.parse(text) as EmailTarget
}

/** The part of a link that names the watch and shows that its mails are read. */
export function linkToken(watchId: string, key: string): string {
  return `${watchId.slice(PREFIXES.watch.length)}${key}`
}

/**
 * The path of the page for the watches that a mail is for: GET asks, POST ends the mails of all of
 * them. The first token is in the path, the others in the query.
 */
export function linkPath([first, ...others]: readonly string[]): string {
  return `/alerts/${first}${others.length === 0 ? '' : `?and=${others.join('.')}`}`
}

export function readLinkToken(token: string): { readonly watchId: string; readonly key: string } | null {
  const found = LINK_TOKEN.exec(token)
  return found === null ? null : { watchId: `${PREFIXES.watch}${found[1]}`, key: found[2]! }
}
