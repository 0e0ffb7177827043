import { publisherKey, type Reliability } from './reliability.ts'
import { sourceUrlKey } from './source-url-key.ts'
import { SOURCE_CLASSES, type SourceClass } from './weights.ts'

export interface EvidenceSource {
  readonly publisher: string
  readonly url: string | null
  /** Police, army, government: somebody whose business it is to know. */
  readonly official?: boolean
}

interface Publisher {
  kind: SourceClass
  readonly addresses: Set<string>
}

/**
 * The classes of the sources that stand for themselves, most reliable first: the best set of sources of which no two
 * share a publisher or an address, so that a wire story that ten sites carry under one address counts once. Being the
 * best set, it can only gain by one more source, whatever that source repeats.
 */
export function independentSources(sources: readonly EvidenceSource[], reliability: Reliability): SourceClass[] {
  const publishers = [...publishersOf(sources, reliability).values()]
  publishers.sort((one, other) => SOURCE_CLASSES.indexOf(one.kind) - SOURCE_CLASSES.indexOf(other.kind))
  const owners = new Map<string, Publisher>()
  return publishers.filter((publisher) => claim(publisher, owners, new Set())).map(({ kind }) => kind)
}

/** Finds the publisher an address of its own, where need be by moving others to another one of theirs. */
function claim(publisher: Publisher, owners: Map<string, Publisher>, tried: Set<string>): boolean {
  for (const address of publisher.addresses) {
    if (tried.has(address)) continue
    tried.add(address)
    const owner = owners.get(address)
    if (owner === undefined || claim(owner, owners, tried)) {
      owners.set(address, publisher)
      return true
    }
  }
  return false
}

function publishersOf(sources: readonly EvidenceSource[], reliability: Reliability): Map<string, Publisher> {
  const publishers = new Map<string, Publisher>()
  for (const source of sources) {
    const key = publisherKey(source.publisher)
    const kind = classOf(source, reliability)
    const publisher = publishers.get(key) ?? { kind, addresses: new Set() }
    if (SOURCE_CLASSES.indexOf(kind) < SOURCE_CLASSES.indexOf(publisher.kind)) publisher.kind = kind
    // Without an address, a broadcast say, it repeats nobody's page but its own publisher's.
    publisher.addresses.add(source.url === null ? `by ${key}` : sourceUrlKey(source.url))
    publishers.set(key, publisher)
  }
  return publishers
}

/** A publisher that is listed keeps its class; of another, the report's word is taken that it is official. */
function classOf({ publisher, official }: EvidenceSource, reliability: Reliability): SourceClass {
  const kind = reliability(publisher)
  return kind === 'unknown' && official ? 'official' : kind
}
