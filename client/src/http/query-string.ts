/** The value of a query parameter: lists are written with commas. */
export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined | null

/** Writes parameters as a query string, with its question mark; absent values are left out. */
export function queryString(parameters: Readonly<Record<string, QueryValue>>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null) search.set(name, String(value))
  }
  const text = search.toString()
  return text === '' ? '' : `?${text}`
}
