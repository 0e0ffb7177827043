import type { Environment } from '../../api/services.ts'
import type { Archive } from '../../archive/archive.ts'
import type { ArchiveView } from '../../archive/archive-view.ts'
import type { Steps } from '../../lib/steps.ts'
import { WrittenPage } from '../page.ts'
import type { PageLanguage } from '../page-language.ts'
import type { StaticMap } from '../static-map/static-map.ts'
import type { AreaDocument } from './content/area-cache.ts'
import { findAreaContent } from './content/area-content.ts'
import { AreaTrends } from './content/area-trends.ts'
import type { Area } from './places/area.ts'
import { findNeighbours, type Neighbours } from './places/neighbours.ts'
import { AreaMaps } from './view/area-map.ts'
import { areaPage } from './view/area-page.ts'
import { placeLists } from './view/place-lists.ts'

export interface WrittenAreaPage extends AreaDocument {
  readonly page: WrittenPage
}

/** Writes the pages of areas; what all of them share is worked out once. */
export class AreaWriter {
  readonly neighbours: Neighbours
  readonly #environment: Pick<Environment, 'config' | 'geography' | 'publicUrl'>
  readonly #maps: AreaMaps
  readonly #trends = new AreaTrends()

  constructor(environment: Pick<Environment, 'config' | 'geography' | 'publicUrl'>, map: StaticMap) {
    const { geography } = environment
    this.#environment = environment
    this.#maps = new AreaMaps(map, geography)
    this.neighbours = findNeighbours(geography.places, geography.statesGeoJson)
  }

  *write(archive: Archive, view: ArchiveView, area: Area, language: PageLanguage, now: number): Steps<WrittenAreaPage> {
    const { neighbours } = this
    const trends = this.#trends
    const { places } = this.#environment.geography
    const projection = this.#maps.projectionOf(area)
    const content = yield* findAreaContent(archive, view, area, { neighbours, trends, projection, now })
    yield
    const parts = {
      map: this.#maps.draw(area, projection, content, language.translate),
      places: placeLists(area, content, places, neighbours, language),
    }
    yield
    const page = new WrittenPage(areaPage(area, content, parts, language, this.#environment))
    return { page, size: page.size, validUntil: content.validUntil }
  }
}
