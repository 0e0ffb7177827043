/** Query parameters that describe the link, not the page. */
const TRACKING = /^(?:utm_|at_|ns_|mc_[ce]id$|[a-z]*clid$|_g[al]$|igshid?$|ref(?:_src|_url)?$|cmp(?:id)?$|smid$|share$)/
const MIRROR = /^(?:www\d?|m|mobile|amp)\./

/** Returns one key for a page under http, www, /amp/ or with tracking parameters. */
export function sourceUrlKey(url: string): string {
  const parsed = URL.parse(url.trim())
  if (parsed === null) return url.trim()
  const parameters = [...parsed.searchParams]
    .filter(([name]) => name !== 'amp' && !TRACKING.test(name.toLowerCase()))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
  const segments = parsed.pathname.split('/').filter((segment) => segment !== '')
  if (segments.at(-1) === 'amp') segments.pop()
  return `${parsed.host.replace(MIRROR, '')}/${segments.join('/')}?${parameters.join('&')}`
}
