import { RateLimiter } from '../../accounts/rate-limiter.ts'
import { CachedBody } from '../../api/responses/cached-body.ts'
import type { Environment, Services } from '../../api/services.ts'
import type { Asker } from '../../archive/sliced-queries.ts'
import { Problem } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident.ts'
import { canonicalQuery } from '../../filter/canonical.ts'
import type { LoadedLanguage } from '../../i18n/load.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { SharedRuns } from '../../lib/concurrency.ts'
import { findPictureMarks } from '../static-map/picture-marks.ts'
import { fitBox } from '../static-map/projection.ts'
import type { StaticMap } from '../static-map/static-map.ts'
import { findFigures } from '../view/figures.ts'
import { readShownView } from '../view/shown-view.ts'
import { IMAGE_HEIGHT, MAP_WIDTH } from './frame.ts'
import { ImageRenderer } from './image-renderer.ts'
import { incidentSvg } from './incident-svg.ts'
import { viewSvg } from './view-svg.ts'

/** Some hundreds of images. */
const MAX_BYTES = 32 << 20
const ENTRY_BYTES = 300
/** An image of a view says when it was made; until it is this old it is not drawn again. */
const VIEW_LIFETIME_MS = 5 * 60_000
/** New images for one address in a minute. Those already drawn are not counted. */
const IMAGES_PER_MINUTE = 30

interface Entry {
  readonly cached: CachedBody
  readonly validUntil: number
}

/** Draws preview images, each once, and keeps them while there is room. */
export class Previews {
  readonly #environment: Environment
  readonly #imagesPerMinute: number
  readonly #map: StaticMap
  readonly #renderer = new ImageRenderer()
  readonly #drawing = new SharedRuns<CachedBody>()
  readonly #limiter = new RateLimiter()
  readonly #entries = new BoundedCache<string, Entry>(
    MAX_BYTES,
    ({ cached }, key) => ENTRY_BYTES + key.length + cached.size,
  )

  constructor(environment: Environment, map: StaticMap, imagesPerMinute = IMAGES_PER_MINUTE) {
    this.#environment = environment
    this.#imagesPerMinute = imagesPerMinute
    this.#map = map
  }

  /** Memory in bytes, keys included. */
  get size(): number {
    return this.#entries.size
  }

  /** A version of an incident never changes, so its image does not either. */
  ofIncident(incident: Incident, { language, translate }: LoadedLanguage, asker: Asker) {
    const key = `incident ${incident.id} ${incident.version} ${language}`
    return this.#get(key, Number.POSITIVE_INFINITY, asker, async () =>
      incidentSvg(incident, this.#map, this.#environment.config.DEMO, translate),
    )
  }

  ofView(services: Services, address: URLSearchParams, { language, translate }: LoadedLanguage, asker: Asker) {
    const { geography, queries, clock, config } = this.#environment
    const now = clock()
    const { filter, box } = readShownView(address, geography.places, now)
    const projection = fitBox(box ?? this.#map.boxOfStates(filter.states ?? []), MAP_WIDTH, IMAGE_HEIGHT)
    const corner = [projection.shown.west, projection.shown.north, projection.markZoom].map((part) => part.toFixed(2))
    const key = `view ${canonicalQuery(filter)} ${corner} ${language}`
    return this.#get(key, now + VIEW_LIFETIME_MS, asker, async (signal) => {
      const { marks, figures } = await queries.run(
        services.archive,
        { subject: asker.subject, signal },
        function* (view) {
          const figures = yield* findFigures(view, filter, now)
          return { figures, marks: yield* findPictureMarks(view, filter, now, projection) }
        },
      )
      return viewSvg(
        { filter, figures, marks, projection, now, isDemo: config.DEMO },
        this.#map,
        geography.places,
        translate,
      )
    })
  }

  #get(
    key: string,
    validUntil: number,
    asker: Asker,
    write: (signal: () => AbortSignal) => Promise<string>,
  ): CachedBody | Promise<CachedBody> {
    const now = this.#environment.clock()
    const entry = this.#entries.get(key)
    if (entry !== undefined && now < entry.validUntil) return entry.cached
    return this.#drawing.join(
      key,
      () => asker.signal(),
      async (signal) => {
        this.#count(asker.subject, now)
        const cached = new CachedBody(await this.#renderer.draw(await write(signal)))
        this.#entries.set(key, { cached, validUntil })
        return cached
      },
    )
  }

  #count(subject: string, now: number): void {
    const { allowed, resetsIn } = this.#limiter.consume(subject, this.#imagesPerMinute, now)
    if (allowed) return
    throw new Problem(
      'rate_limited',
      `One address may have ${this.#imagesPerMinute} new preview images a minute. Try again in ${resetsIn} s.`,
      { headers: { 'retry-after': String(resetsIn) } },
    )
  }
}
