import { momentText } from '../../../shared/format.ts'
import { casualtiesText, occurredText } from '../../../shared/incident-text.ts'
import { severityText, typeText } from '../../../shared/words.ts'
import type { DeskIncident } from '../../api/types.ts'
import { whereText } from '../../report/differences.ts'

/** What the service made of the report. */
export function Facts({ incident }: { incident: DeskIncident }) {
  const { casualties_reported: bySource = [], occurred_until: until, desk } = incident
  return (
    <section class="facts-section">
      <h2>What we made of it</h2>
      <dl class="facts">
        <dt>Type</dt>
        <dd>{typeText(incident.type)}</dd>
        <dt>Severity</dt>
        <dd>
          {severityText(incident.severity)}
          <span class="quiet"> {desk.severity_given ? 'set by hand' : 'from type and casualties'}</span>
        </dd>
        <dt>When</dt>
        <dd>
          {occurredText(incident)}
          {until && <span class="quiet block">until {momentText(until)}</span>}
        </dd>
        <dt>Where</dt>
        <dd>{whereText(incident)}</dd>
        <dt>Casualties</dt>
        <dd>
          {casualtiesText(incident.casualties)}
          {bySource.map((each) => (
            <span key={each.source} class="quiet block">
              {each.source}: {casualtiesText(each)}
            </span>
          ))}
        </dd>
        {desk.source_id !== null && (
          <>
            <dt>Imported as</dt>
            <dd>{desk.source_id}</dd>
          </>
        )}
        {desk.merged_into != null && (
          <>
            <dt>Merged into</dt>
            <dd>{desk.merged_into}</dd>
          </>
        )}
      </dl>
    </section>
  )
}
