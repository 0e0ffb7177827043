import { PUBLISHERS } from '../publishers.ts'
import { SOURCE_CLASSES, type SourceClass } from './weights.ts'

/** Looks up the class of a publisher; `unknown` if no table lists it. */
export type Reliability = (publisher: string) => SourceClass

/** Longer than any real publisher name; bounds the cost of normalizing a huge one. */
const MAX_NAME_LENGTH = 200
const SITE = /^(?:https?:\/\/)?(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,})(?:\/.*)?$/
const ARTICLE = /^the /
const KIND = / (?:news|newspapers?|online|nigeria|ng|tv|television|media)$/

/** Returns one key for `The PUNCH Newspapers` and `punch`, one for `AFP` and its full name. */
export function publisherKey(publisher: string): string {
  const key = nameKey(publisher)
  return KNOWN.get(key)?.key ?? key
}

function nameKey(publisher: string): string {
  const name = publisher.slice(0, MAX_NAME_LENGTH).normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '').trim()
  const site = SITE.exec(name)
  if (site) return site[1]!
  const words = name.replace(/['’‘ʼ]/g, '').replace(/[^\p{L}\p{N}@]+/gu, ' ')
  let bare = words.trim().replace(ARTICLE, '')
  while (KIND.test(bare)) bare = bare.replace(KIND, '')
  return bare
}

interface KnownPublisher {
  readonly key: string
  readonly kind: SourceClass
}

const KNOWN: ReadonlyMap<string, KnownPublisher> = new Map(
  SOURCE_CLASSES.flatMap((kind) =>
    (PUBLISHERS[kind] ?? []).flatMap((names) => {
      const known = { key: nameKey(names[0]!), kind }
      return names.map((name) => [nameKey(name), known] as const)
    }),
  ),
)

/** The operator's entries take precedence over the built-in table. */
export function reliabilityFrom(edits: Iterable<readonly [publisher: string, kind: SourceClass]> = []): Reliability {
  const edited = new Map([...edits].map(([publisher, kind]) => [publisherKey(publisher), kind] as const))
  return (publisher) => {
    const key = publisherKey(publisher)
    return edited.get(key) ?? KNOWN.get(key)?.kind ?? (key.startsWith('@') ? 'social' : 'unknown')
  }
}
