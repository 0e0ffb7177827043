import { readFileSync } from 'node:fs'

/** The domains of `search` (or `domain`) in the text of `/etc/resolv.conf`. */
export function parseSearchDomains(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  const search = lines.findLast(([keyword]) => keyword === 'search' || keyword === 'domain')
  return (search ?? []).slice(1).filter((domain) => domain !== '.')
}

export function systemSearchDomains(path = '/etc/resolv.conf'): string[] {
  try {
    return parseSearchDomains(readFileSync(path, 'utf8'))
  } catch {
    // A system without the file searches no domains.
    return []
  }
}

/**
 * The full names to try, as for `dns.lookup`: a service in the same Docker or Kubernetes network
 * has a short name. A name with a dot is first tried as it is.
 */
export function namesToTry(name: string, searchDomains: readonly string[]): string[] {
  const searched = searchDomains.map((domain) => `${name}.${domain}`)
  return name.includes('.') ? [name, ...searched] : [...searched, name]
}
