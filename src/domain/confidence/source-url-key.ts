/** Said by the link that was followed, not of the page it leads to. */
const TRACKING = /^(?:utm_|at_|ns_|mc_[ce]id$|[a-z]*clid$|_g[al]$|igshid?$|ref(?:_src|_url)?$|cmp(?:id)?$|smid$|share$)/
const MIRROR = /^(?:www\d?|m|mobile|amp)\./

/** What an address is known by: the same page under http, www, /amp/ or with tracking parameters is one address. */
export function sourceUrlKey(url: string): string {
  const parsed = URL.parse(url.trim())
  if (parsed === null) return url.trim()
  const asked = [...parsed.searchParams]
    .filter(([name]) => name !== 'amp' && !TRACKING.test(name.toLowerCase()))
    .map(([name, value]) => `${name}=${value}`)
    .sort()
  const steps = parsed.pathname.split('/').filter((step) => step !== '')
  if (steps.at(-1) === 'amp') steps.pop()
  return `${parsed.host.replace(MIRROR, '')}/${steps.join('/')}?${asked.join('&')}`
}
