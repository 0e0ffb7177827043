import { useEffect, useState } from 'preact/hooks'
import { Button, Table, typed } from '../../shared/parts/controls.tsx'
import { momentText } from '../../shared/text.ts'
import { useLoaded } from '../actions.ts'
import { FailureNote, Link } from '../parts.tsx'
import { replaceQuery } from '../view.ts'
import {
  conditionLabel,
  EVENT_OUTCOME_WORDS,
  type Explanation,
  incidentIdIn,
  valueText,
} from '../watches/explanation.ts'

/**
 * Says why a watch matched an incident, or not. The address names the incident, so that a link
 * leads here.
 */
export function ExplainPanel({ watchId, incident }: { watchId: string; incident: string }) {
  const [text, setText] = useState(incident)
  useEffect(() => setText(incident), [incident])
  const {
    body: explanation,
    failure,
    reload,
  } = useLoaded<Explanation>(
    incident === '' ? null : `/v1/watches/${encodeURIComponent(watchId)}/explain?${new URLSearchParams({ incident })}`,
  )
  const ask = (event: Event) => {
    event.preventDefault()
    const id = incidentIdIn(text)
    if (id === incident) reload()
    else replaceQuery({ watch: watchId, ...(id === '' ? {} : { incident: id }) })
  }
  return (
    <section class="panel" aria-labelledby="why-heading">
      <h2 id="why-heading">Why did it match, or not?</h2>
      <form class="row-of-buttons" onSubmit={ask}>
        <label class="inline-field">
          <span class="hidden">Id or address of an incident</span>
          <input placeholder="inc_… or the address of an incident" required {...typed(text, setText)} />
        </label>
        <Button type="submit" label="Explain" />
      </form>
      <FailureNote failure={failure} />
      <div role="status">
        {incident !== '' && explanation === null && failure === null && <p class="quiet">Loading.</p>}
        {explanation !== null && <p>{matchText(explanation)}</p>}
      </div>
      {explanation !== null && <Details watchId={watchId} explanation={explanation} />}
    </section>
  )
}

function matchText({ matches, conditions, verdict }: Explanation) {
  const failing = conditions.filter(({ holds }) => !holds).map(({ condition }) => conditionLabel(condition))
  return (
    <>
      {matches !== null && (
        <strong class={matches ? 'good' : 'bad'}>
          {matches ? 'It matches.' : `It does not: ${failing.join(', ')}.`}
        </strong>
      )}{' '}
      {verdict}
    </>
  )
}

function Details({ watchId, explanation }: { watchId: string; explanation: Explanation }) {
  const { incident_id: incident, matches, conditions, events } = explanation
  return (
    <>
      {matches !== null && conditions.length === 0 && <p>The filter has no condition: every incident matches.</p>}
      {conditions.length > 0 && (
        <Table columns={['Condition', 'Wanted', 'Found', 'Holds']}>
          {conditions.map(({ condition, wanted, actual, holds }) => (
            <tr key={condition}>
              <td>{conditionLabel(condition)}</td>
              <td data-label="Wanted">{valueText(condition, wanted)}</td>
              <td data-label="Found">{valueText(condition, actual)}</td>
              <td data-label="Holds">
                <span class={holds ? 'good' : 'bad'}>{holds ? 'yes' : 'no'}</span>
              </td>
            </tr>
          ))}
        </Table>
      )}
      {events.length > 0 && (
        <ul class="explained-events">
          {events.map(({ seq, event, at, outcome, delivery }) => (
            <li key={seq}>
              {event}, {momentText(at)}:{' '}
              {delivery === null ? (
                EVENT_OUTCOME_WORDS[outcome]
              ) : (
                <Link view="deliveries" query={{ watch: watchId, delivery: delivery.id }}>
                  {EVENT_OUTCOME_WORDS[outcome]}
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
      {matches !== null && (
        <p>
          <a href={`/incidents/${incident}`}>See the incident</a>
        </p>
      )}
    </>
  )
}
