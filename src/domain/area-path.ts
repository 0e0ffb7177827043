import { foldAccents } from '../lib/text/fold-accents.ts'

/** The page with all states. */
export const AREA_PAGES_PATH = '/nigeria'

/**
 * The name of an area in an address: `Jema'a` becomes `jemaa`, `Abua/Odual` becomes `abua-odual`.
 */
export function areaSlug(name: string): string {
  return foldAccents(name.toLowerCase())
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** The path of a state's page by its name: `/nigeria/kaduna`. */
export function statePath(state: string): string {
  return `${AREA_PAGES_PATH}/${areaSlug(state)}`
}

/** The path of an LGA's page: `/nigeria/kaduna/chikun`. */
export function lgaPath(state: string, lga: string): string {
  return `${statePath(state)}/${areaSlug(lga)}`
}

/** The path of the page about the area that an incident is known to be in. */
export function incidentAreaPath({ state, lga }: { readonly state: string; readonly lga: string | null }): string {
  return lga === null ? statePath(state) : lgaPath(state, lga)
}
