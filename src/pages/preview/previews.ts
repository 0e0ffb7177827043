import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiter } from '../../accounts/rate-limiter.ts'
import { casualtiesText, daysText, filterTexts, placesText } from '../../api/alerts/subscription-text.ts'
import { writeCaching } from '../../api/caching.ts'
import { findPublicSlot } from '../../api/incidents/incidents.ts'
import { QueryClient, queryOf } from '../../api/request.ts'
import { CachedBody, matchesEtag } from '../../api/response.ts'
import { type Environment, type Phase, requireServices, type Services } from '../../api/services.ts'
import type { Asker } from '../../archive/sliced-queries.ts'
import { incidentTag } from '../../domain/cache-tags.ts'
import { Problem } from '../../domain/errors.ts'
import type { Incident } from '../../domain/incident.ts'
import { DEFAULT_LANGUAGE } from '../../domain/languages.ts'
import type { Places } from '../../domain/places.ts'
import { confidenceLevel, SEVERITIES } from '../../domain/taxonomy.ts'
import { canonicalQuery, type Filter } from '../../filter/filter.ts'
import { type LoadedLanguage, loadLanguage, type Translate } from '../../i18n/translate.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { SharedRuns } from '../../lib/concurrency.ts'
import type { Box } from '../../lib/geometry.ts'
import { dayText, momentText } from '../../lib/nigeria-time.ts'
import { numberText } from '../../lib/text.ts'
import { isCurrent, type Timed } from '../../lib/time.ts'
import { type Html, html } from '../html.ts'
import type { Mark } from '../marks.ts'
import { languageInAddress } from '../page-language.ts'
import { fitBox, type Projection } from '../projection.ts'
import { type Figures, findFigures, readShownView } from '../shown-view.ts'
import { dot, findPictureMarks, IMAGE_PALETTE, type StaticMap } from '../static-map.ts'
import { column, frame, IMAGE_HEIGHT, MAP_WIDTH, TEXT_LEFT } from './frame.ts'
import { ImageRenderer } from './image-renderer.ts'

export function previewRoutes(
  server: FastifyInstance,
  environment: Environment,
  currentPhase: () => Phase,
  map: StaticMap,
): void {
  const previews = new Previews(environment, map)

  server.get('/incidents/:id/preview.png', async (request: FastifyRequest<{ Params: { id: string } }>, reply) => {
    const { archive } = requireServices(currentPhase())
    const slot = findPublicSlot(archive, request.params.id)
    const incident = JSON.parse(Buffer.from(archive.documentOf(slot)).toString()) as Incident
    const image = await previews.ofIncident(incident, await words(request), new QueryClient(request, reply))
    return sendImage(request, reply, image, [incidentTag(incident.id)])
  })

  server.get('/preview.png', async (request, reply) => {
    const services = requireServices(currentPhase())
    const address = new URLSearchParams(queryOf(request))
    const image = await previews.ofView(services, address, await words(request), new QueryClient(request, reply))
    return sendImage(request, reply, image)
  })
}

/** Only by `?lang=`: the programs that fetch previews do not speak for their readers. */
function words(request: FastifyRequest): Promise<LoadedLanguage> {
  return loadLanguage(languageInAddress(request) ?? DEFAULT_LANGUAGE)
}

/** Without `Content-Encoding`: a PNG is compressed already. */
function sendImage(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: CachedBody,
  tags?: readonly string[],
): FastifyReply {
  // Without `Vary`: an image is the same for all who ask for its address.
  writeCaching(request, reply, { kind: 'images', vary: '', ...(tags && { tags }) })
  reply.header('etag', etag)
  if (matchesEtag(request.headers['if-none-match'], etag)) return reply.status(304).send()
  return reply.header('content-type', 'image/png').send(body)
}

/** Some hundreds of images. */
const MAX_BYTES = 32 << 20
const ENTRY_BYTES = 300
/** An image of a view says when it was made; until it is this old it is not drawn again. */
const VIEW_LIFETIME_MS = 5 * 60_000
/** New images for one address in a minute. Those already drawn are not counted. */
const IMAGES_PER_MINUTE = 30

interface Entry extends Timed {
  readonly cached: CachedBody
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
    if (entry !== undefined && isCurrent(entry, now)) return entry.cached
    return this.#drawing.join(
      key,
      () => asker.signal(),
      async (signal) => {
        this.#count(asker.subject, now)
        const cached = new CachedBody(await this.#renderer.draw(await write(signal)))
        this.#entries.set(key, { cached, madeAt: now, validUntil })
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

/** Far enough to recognize the state; farther if the place is known less well. */
const MIN_DISTANCE_KM = 150
const KM_PER_DEGREE = 111

/** The image of one incident: what, where, when, how sure, and its place on the map. */
export function incidentSvg(incident: Incident, map: StaticMap, isDemo: boolean, t: Translate): string {
  const { location, lga, state } = incident
  const projection = fitBox(surroundings(incident), MAP_WIDTH, IMAGE_HEIGHT, 0)
  const picture = map.draw(projection, {
    marks: [],
    outlined: [location.state_code],
    hatched:
      location.precision === 'state' ? { code: location.state_code, colour: IMAGE_PALETTE[incident.severity] } : null,
    palette: IMAGE_PALETTE,
    above: position(incident, projection),
  })
  const kind = `${t(`common.type_${incident.type}`)} · ${t('common.severity_label', { severity: t(`common.severity_${incident.severity}`) })}`
  const { svg } = column(
    [
      {
        text: `${lga === null ? '' : `${lga}, `}${state} · ${dayText(incident.occurred_at)}`,
        size: 26,
        quiet: true,
      },
      { text: incident.summary, size: 38, bold: true, maxLines: 6, above: 8 },
      {
        text: `${t('common.confidence')}: ${t(`common.confidence_${confidenceLevel(incident.confidence)}`)}`,
        size: 26,
        above: 12,
      },
    ],
    88,
  )
  const words = html`<g transform="translate(${TEXT_LEFT + 14} 72)">${dot(incident.severity, IMAGE_PALETTE, 1.4)}</g><text x="${TEXT_LEFT + 40}" y="81" font-size="26">${kind}</text>${svg}`
  return frame(picture, words, isDemo, t)
}

function surroundings({ lat, lng, location: { radius_km } }: Incident): Box {
  const degrees = Math.max(MIN_DISTANCE_KM, 1.3 * (radius_km ?? 0)) / KM_PER_DEGREE
  return { west: lng - degrees, east: lng + degrees, south: lat - degrees, north: lat + degrees }
}

/** Known only to the state: no position. To the LGA: a dashed circle of its size, not a point. */
function position({ lat, lng, severity, location: { precision, radius_km } }: Incident, projection: Projection) {
  if (precision === 'state') return html``
  const [x, y] = projection.at(lng, lat)
  const radius = radius_km === null ? 0 : projection.pixelsOf(radius_km)
  const isArea = precision === 'lga'
  const colour = IMAGE_PALETTE[severity]
  const around =
    isArea || radius > 24
      ? html`<circle r="${Math.max(24, radius).toFixed(0)}" fill="${colour}" fill-opacity="0.12" stroke="${colour}" stroke-width="2" stroke-dasharray="8 6"/>`
      : null
  return html`<g transform="translate(${x.toFixed(0)} ${y.toFixed(0)})">${around}${isArea ? null : dot(severity, IMAGE_PALETTE, 2)}</g>`
}

interface ViewImage {
  readonly filter: Filter
  readonly figures: Figures
  readonly marks: readonly Mark[]
  readonly projection: Projection
  readonly now: number
  readonly isDemo: boolean
}

/** The image of a view: where and when, how many incidents and casualties, and the map. */
export function viewSvg(view: ViewImage, map: StaticMap, places: Places, t: Translate): string {
  const { filter, figures, marks, projection, now, isDemo } = view
  const picture = map.draw(projection, { marks, outlined: filter.states ?? [], palette: IMAGE_PALETTE })
  const { svg, bottom } = column(
    [
      { text: placesText(filter, places, t), size: 40, bold: true },
      { text: daysText(filter, now, t), size: 26, quiet: true },
      ...filterTexts(filter, t).map((text) => ({ text, size: 22, quiet: true, maxLines: 1 })),
      {
        text: t('common.incidents', { count: numberText(figures.total.count) }),
        size: 46,
        bold: true,
        above: 20,
        maxLines: 1,
      },
      { text: casualtiesText(figures.total, t), size: 28 },
    ],
    40,
  )
  const asOf = html`<text x="${TEXT_LEFT}" y="${IMAGE_HEIGHT - 84}" font-size="20" fill="${IMAGE_PALETTE.quiet}">${t('share.as_of', { time: momentText(now) })}</text>`
  return frame(picture, html`${svg}${severities(figures, bottom + 48, t)}${asOf}`, isDemo, t)
}

/** The worst first; what did not happen is left out. */
function severities({ bySeverity }: Figures, top: number, t: Translate): Html[] {
  return SEVERITIES.filter((severity) => bySeverity[severity] > 0)
    .toReversed()
    .map((severity, index) => {
      const [x, y] = [TEXT_LEFT + 14 + (index % 2) * 250, top + Math.floor(index / 2) * 44]
      return html`<g transform="translate(${x} ${y})">${dot(severity, IMAGE_PALETTE, 1.2)}<text x="26" dy="0.36em" font-size="24">${t(`common.severity_${severity}`)} ${numberText(bySeverity[severity])}</text></g>`
    })
}
