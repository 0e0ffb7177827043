import type { StoredPlace } from '../../domain/places.ts'
import { type NamedPlace, RANKS } from '../../geo/gazetteer.ts'
import type { Geography } from '../../geo/geography.ts'
import { WakeableSleep } from '../../lib/concurrency.ts'
import { nextTurn, type Runtime } from '../../lib/runtime.ts'
import { type GazetteerPosition, type Store, StoreUnavailable } from '../../store/store.ts'

const PAGE = 2000
/** So many are indexed in a few milliseconds; then requests get their turn. */
const SLICE = 250
/** A lost notification delays a change by this long. */
const POLL_INTERVAL_MS = 5_000

type StoredGazetteer = Pick<Store, 'gazetteer'>
type KnownGeography = Pick<Geography, 'gazetteer' | 'locate'>
type OnError = (error: unknown) => void

/** Keeps the gazetteer in memory in step with the stored one, whichever node has changed it. */
export class GazetteerFollower implements AsyncDisposable {
  readonly #store: StoredGazetteer
  readonly #geography: KnownGeography
  readonly #onError: OnError
  readonly #sleep: WakeableSleep
  readonly #stopListening: () => void
  #position: GazetteerPosition = { revision: 0, id: '' }
  #finished: Promise<void> = Promise.resolve()

  private constructor(store: StoredGazetteer, geography: KnownGeography, runtime: Runtime, onError: OnError) {
    this.#sleep = new WakeableSleep(POLL_INTERVAL_MS, runtime)
    this.#store = store
    this.#geography = geography
    this.#onError = onError
    this.#stopListening = store.gazetteer.onChange(() => this.#sleep.wake())
  }

  /** Resolves once every stored place is in memory: before that, names would be misunderstood. */
  static async start(
    store: StoredGazetteer,
    geography: KnownGeography,
    runtime: Runtime,
    onError: OnError,
  ): Promise<GazetteerFollower> {
    const follower = new GazetteerFollower(store, geography, runtime, onError)
    try {
      await follower.#catchUp()
    } catch (error) {
      follower.#stopListening()
      throw error
    }
    follower.#finished = follower.#run()
    return follower
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopListening()
    this.#sleep.stop()
    await this.#finished
  }

  async #run(): Promise<void> {
    for (;;) {
      await this.#sleep.wait()
      if (this.#sleep.stopped) return
      try {
        await this.#catchUp()
      } catch (error) {
        this.#onError(error)
        // Other failures than an unavailable store are bugs; an immediate retry would repeat them.
        if (!(error instanceof StoreUnavailable)) this.#sleep.clearWake()
      }
    }
  }

  async #catchUp(): Promise<void> {
    const { gazetteer, locate } = this.#geography
    for (;;) {
      this.#sleep.clearWake()
      const changes = await this.#store.gazetteer.changedAfter(this.#position, PAGE)
      for (const [index, { place, removed, revision }] of changes.entries()) {
        if (index % SLICE === SLICE - 1) await nextTurn()
        const named = removed ? null : namedPlace(place, locate)
        if (named === null) gazetteer.remove(place.id)
        else gazetteer.add(named, place.source === 'desk' ? RANKS.desk : RANKS.imported, place.id, place.key)
        this.#position = { revision, id: place.id }
      }
      if (changes.length < PAGE || this.#sleep.stopped) return
    }
  }
}

/** Null outside Nigeria: the borders may have become more exact since it was stored. */
function namedPlace(stored: StoredPlace, locate: Geography['locate']): NamedPlace | null {
  const { name, lat, lng, population, kind, aliases, radiusKm, source } = stored
  const located = locate(lat, lng)
  if (located.kind !== 'located') return null
  const { state, lga } = located
  return {
    ...{ name, lat, lng, state, lga, population, kind, others: aliases },
    ...(radiusKm === null ? {} : { radiusKm }),
    ...(source === 'desk' ? { notable: true } : {}),
  }
}
