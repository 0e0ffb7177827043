import { SEVERITIES, SEVERITY_DESCRIPTIONS } from '../../../../src/domain/taxonomy.ts'
import { SeverityDot } from '../../../shared/components/severity-dot.tsx'
import { useStore } from '../../../shared/store.ts'
import { currentView } from '../../view/current-view.ts'

/** Explains the marks on the map. */
export function Legend() {
  const { layer } = useStore(currentView)
  if (layer === 'heat') return <p class="legend">Darker where more incidents were confirmed.</p>
  if (layer === 'states') return <p class="legend">Each state by its number of incidents; darker is more.</p>
  return (
    <ul class="legend" aria-label="Marks on the map">
      {SEVERITIES.map((severity) => (
        <li key={severity}>
          <SeverityDot severity={severity} />
          {SEVERITY_DESCRIPTIONS[severity].label}
        </li>
      ))}
      <li>
        <span class="mark-area" />
        Only the area is known
      </li>
    </ul>
  )
}
