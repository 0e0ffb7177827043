import { dayText } from '../../../shared/format.ts'
import type { DeskIncident } from '../../api/types.ts'
import { PublisherClass } from './publisher-class.tsx'
import { SourceName } from './source-name.tsx'

export function SourcesSection({ incident }: { incident: DeskIncident }) {
  const { sources, desk } = incident
  return (
    <section class="sources-section">
      <h2>Sources</h2>
      {sources.length === 0 && <p class="quiet">No source was named.</p>}
      <ul class="sources">
        {sources.map((source, index) => (
          <li key={`${source.url} ${source.publisher}`}>
            <SourceName source={source} />
            <span class="source-meta">
              {desk.official_sources.includes(index) && <span class="tag">official</span>}
              {source.published_at !== null && <span class="quiet">{dayText(source.published_at)}</span>}
              <PublisherClass publisher={source.publisher} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
