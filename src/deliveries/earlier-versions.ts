import type { Incident } from '../domain/incident.ts'
import { type IndexedFields, indexedFieldsOf } from '../filter/indexed-fields.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import type { EventLog, LogEvent } from '../store/store.ts'

/** Most incidents have one or two; of one that is corrected often, the rest is remembered. */
const FIRST_PAGE = 2
const PAGE = 50
/** Versions that are remembered, of all incidents together: about 300 bytes each. */
const MAX_REMEMBERED = 20_000

type Versions = Pick<EventLog, 'versionsBefore'>

/** Yields what filters look at, of each version before the event, newest first. */
export async function* earlierFields(event: Pick<LogEvent, 'incidentId' | 'seq'>, log: Versions) {
  for await (const { fields } of earlierVersions(event, log)) yield fields
}

interface EarlierVersion {
  readonly seq: number
  readonly fields: IndexedFields
}

async function* earlierVersions(
  { incidentId, seq }: Pick<LogEvent, 'incidentId' | 'seq'>,
  log: Versions,
): AsyncGenerator<EarlierVersion> {
  for (let before = seq, size = FIRST_PAGE; ; size = PAGE) {
    const page = await log.versionsBefore(incidentId, before, size)
    for (const version of page)
      yield { seq: version.seq, fields: indexedFieldsOf(JSON.parse(version.document) as Incident) }
    if (page.length < size) return
    before = page.at(-1)!.seq
  }
}

/** The versions of an incident up to an event, each once by what filters look at. */
interface KnownVersions {
  readonly seq: number
  readonly fields: ReadonlyMap<string, IndexedFields>
}

/**
 * Says what filters may have matched before an event: whoever was told of any version is told of
 * its correction. Remembers the versions, so that the hundredth correction of an incident does not
 * read a hundred documents.
 */
export class EarlierVersions {
  readonly #log: Versions
  readonly #known = new BoundedCache<string, KnownVersions>(MAX_REMEMBERED, ({ fields }) => fields.size)

  constructor(log: Versions) {
    this.#log = log
  }

  /** Returns each earlier version that differs from the event's own, of which `fields` are. */
  async fieldsBefore(event: Pick<LogEvent, 'incidentId' | 'seq'>, fields: IndexedFields): Promise<IndexedFields[]> {
    const { incidentId, seq } = event
    const remembered = this.#known.get(incidentId)
    // After an error the fan-out may go back: what is known of later events does not count then.
    const known = remembered !== undefined && remembered.seq < seq ? remembered : undefined
    const own = JSON.stringify(fields)
    const versions = new Map(known?.fields)
    for await (const earlier of earlierVersions(event, this.#log)) {
      if (known !== undefined && earlier.seq <= known.seq) break
      versions.set(JSON.stringify(earlier.fields), earlier.fields)
    }
    const others = [...versions].filter(([text]) => text !== own).map(([, each]) => each)
    versions.set(own, fields)
    this.#known.set(incidentId, { seq, fields: versions })
    return others
  }
}
