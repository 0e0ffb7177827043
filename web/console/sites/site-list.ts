/** A list of sites as the API shows it, without the sites. */
export interface SiteList {
  readonly id: string
  readonly name: string
  readonly size: number
  readonly watches: number
  readonly updated_at: string
}

export interface Site {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly radius_km: number
  readonly reference: string | null
}

/** The type of a file's content by its name; what is no table is GeoJSON. */
export function contentTypeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  return /\.csv$/i.test(name) || type === 'text/csv' ? 'text/csv' : 'application/geo+json'
}

/** What a list may be called, from the name of its file. */
export function nameFromFile(fileName: string): string {
  const base = fileName.replace(/\.[^.]*$/, '').replaceAll(/[_-]+/g, ' ')
  return base.trim().slice(0, 100)
}

/** The sites whose name or reference has the text. */
export function sitesWith(sites: readonly Site[], text: string): readonly Site[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return sites
  return sites.filter(({ name, reference }) => `${name}\n${reference ?? ''}`.toLowerCase().includes(wanted))
}
