import type { DeskIncident } from '../../api/types.ts'
import { passagesIn } from '../../report/evidence.ts'

/** What was written, with the words marked that stand for the place and the casualties. */
export function WrittenText({ incident }: { incident: DeskIncident }) {
  const { text } = incident.desk
  const written = text ?? incident.summary
  return (
    <section class="written">
      <h2>What was written</h2>
      <div class="text">
        {passagesIn(written, incident).map(({ text: part, field }, index) =>
          field === null ? (
            part
          ) : (
            <mark key={`${index} ${part}`} class={field}>
              {part}
            </mark>
          ),
        )}
      </div>
      {text === null && <p class="quiet">Only this summary was sent, no text.</p>}
    </section>
  )
}
