import type { Source } from '../../../../src/domain/incident.ts'

/** The publisher, as a link if its address can be opened. */
export function SourceName({ source: { url, publisher } }: { source: Source }) {
  if (url === null || !/^https?:/.test(url)) return <span>{publisher}</span>
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {publisher}
    </a>
  )
}
