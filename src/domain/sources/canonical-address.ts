/** Parameters that say where a reader came from, not what is read. */
const TRACKING = /^(utm_.+|fbclid|gclid|dclid|msclkid|igshid|mc_[ce]id|_ga|ref|ref_src|amp|cmpid|ncid|sr_share|spm)$/i
const MAX_LENGTH = 2048

/**
 * One address for all its spellings: https, no `www.` or `m.`, no tracking parameters, no fragment,
 * no trailing slash. Null if the text is no web address. Only for comparing, not for opening.
 */
export function canonicalAddress(text: string): string | null {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null
  const host = url.hostname.replace(/^(www|m|amp)\.(?=.+\.)/, '').replace(/\.$/, '')
  const port = url.port === '' || url.port === '80' || url.port === '443' ? '' : `:${url.port}`
  const parameters = [...url.searchParams].filter(([name]) => !TRACKING.test(name)).sort(byNameAndValue)
  const query = new URLSearchParams(parameters).toString()
  const path = url.pathname.replace(/\/{2,}/g, '/').replace(/\/(amp\/?)?$/, '')
  return `https://${host}${port}${path}${query === '' ? '' : `?${query}`}`
}

function byNameAndValue(one: [string, string], other: [string, string]): number {
  return compare(one[0], other[0]) || compare(one[1], other[1])
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
