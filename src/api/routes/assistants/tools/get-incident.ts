import Type from 'typebox'
import { invalidParameters } from '../../../../domain/errors.ts'
import type { Incident } from '../../../../domain/incident.ts'
import { findPublicSlot } from '../../../incidents/find.ts'
import { incidentLink, pageLink } from '../incident-brief.ts'
import type { Tool, ToolContext } from '../tool.ts'

/** More sources than anybody reads; a merged incident may have hundreds. */
const MAX_SOURCES = 20

export const getIncident: Tool = {
  name: 'get_incident',
  title: 'Read one incident',
  description:
    'Returns one incident whole: what happened, where and how precisely, when, casualties, sources, and why the service trusts it as much as it does. ' +
    'A retracted incident is refused with a sentence that says so; do not go on reporting it.',
  input: Type.Object(
    { id: Type.String({ description: 'The id, such as inc_01jd8z0c5x…, from search_incidents.' }) },
    { additionalProperties: false },
  ),
  output: Type.Object({
    incident: Type.Ref('Incident'),
    sources_total: Type.Integer({ minimum: 0, description: `All sources; up to ${MAX_SOURCES} are listed.` }),
  }),
  call({ id }, context) {
    if (typeof id !== 'string') throw invalidParameters([{ pointer: '/id', message: 'must be the id of an incident' }])
    const incident = readIncident(context, id)
    return {
      content: {
        incident: { ...incident, sources: incident.sources.slice(0, MAX_SOURCES) },
        sources_total: incident.sources.length,
      },
      links: [incidentLink(incident), pageLink(incident, context.environment.publicUrl())],
    }
  },
}

/** Throws a `Problem` if the incident is not public. */
export function readIncident({ services: { archive } }: Pick<ToolContext, 'services'>, id: string): Incident {
  return archive.view.incidentOf(findPublicSlot(archive, id))
}
