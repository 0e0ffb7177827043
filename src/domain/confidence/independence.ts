import { publisherKey, type Reliability } from './reliability.ts'
import { sourceUrlKey } from './source-url-key.ts'
import { SOURCE_CLASSES, type SourceClass } from './weights.ts'

export interface EvidenceSource {
  readonly publisher: string
  readonly url: string | null
  /** The source speaks for the police, the army or the government. */
  readonly official?: boolean
}

interface Publisher {
  kind: SourceClass
  readonly addresses: Set<string>
}

/**
 * Returns the classes of the independent sources, best first: the best set in which no two share a
 * publisher or URL, so an agency story on ten sites counts once. A further source only improves it.
 */
export function independentSources(sources: readonly EvidenceSource[], reliability: Reliability): SourceClass[] {
  const publishers = [...publishersOf(sources, reliability).values()]
  publishers.sort((one, other) => SOURCE_CLASSES.indexOf(one.kind) - SOURCE_CLASSES.indexOf(other.kind))
  const owners = new Map<string, Publisher>()
  return publishers.filter((publisher) => claim(publisher, owners, new Set())).map(({ kind }) => kind)
}

/** Assigns a free URL, or moves holders to another of their URLs (bipartite augmenting paths). */
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
    // A source without a URL, such as a broadcast, can only repeat its own publisher.
    publisher.addresses.add(source.url === null ? `by ${key}` : sourceUrlKey(source.url))
    publishers.set(key, publisher)
  }
  return publishers
}

/** A listed publisher keeps its class; an unknown one is official if the report says so. */
function classOf({ publisher, official }: EvidenceSource, reliability: Reliability): SourceClass {
  const kind = reliability(publisher)
  return kind === 'unknown' && official ? 'official' : kind
}
