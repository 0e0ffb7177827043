import Type from 'typebox'
import { FILTER_PARAMETERS } from '../../../../filter/filter/parameters.ts'
import { GROUPING_PARAMETERS, parseGroupingBody } from '../../../../filter/grouping.ts'
import { queryBody } from '../../../incidents/contract.ts'
import { areaOfBody } from '../../../requests/filter-references.ts'
import { Statistics } from '../../../statistics/contract.ts'
import { renderStatistics } from '../../../statistics/statistics.ts'
import type { Tool } from '../tool.ts'

const MAX_BUCKETS = 100

export const statistics: Tool = {
  name: 'statistics',
  title: 'Count incidents and casualties',
  description:
    'Counts incidents and casualties by one or two groups (state, lga, type, category, severity, hour, day, week, month, year). ' +
    `At most ${MAX_BUCKETS} buckets: places and types with the most incidents come first and the rest is left out, with truncated = true; too many periods are refused. ` +
    'total always counts everything that matches. Casualties are those that are known: the true number may be higher.',
  input: queryBody(
    'StatisticsQuestion',
    { ...GROUPING_PARAMETERS, ...FILTER_PARAMETERS },
    { description: 'Which incidents, and how to count them.', example: { group_by: ['state'], since: '30d' } },
  ),
  output: Type.Object({
    ...Statistics.properties,
    truncated: Type.Boolean({ description: `Whether there are more than ${MAX_BUCKETS} buckets.` }),
    buckets: Type.Integer({ minimum: 0, description: 'All buckets that there are.' }),
  }),
  async call(given, { request, environment, services: { store, archive, freshness }, asker }) {
    const { places } = environment.geography
    const grouping = parseGroupingBody(given, places, await areaOfBody(request, store, given, '', places))
    const now = environment.clock()
    const { body, buckets } = await environment.queries.run(archive, asker, (view) =>
      renderStatistics(view, grouping, places, now, MAX_BUCKETS),
    )
    const counted = JSON.parse(body.toString()) as { meta: object }
    return {
      content: {
        ...counted,
        meta: { ...counted.meta, in_step_at: freshness.stamp },
        truncated: buckets > MAX_BUCKETS,
        buckets,
      },
      links: [],
    }
  },
}
