import Type from 'typebox'
import { parseTrendQuestionBody, TREND_FILTER_PARAMETERS, TREND_PARAMETERS } from '../../../../filter/trend-question.ts'
import { queryBody } from '../../../incidents/contract.ts'
import { areaOfBody } from '../../../requests/filter-references.ts'
import { Trends } from '../../../trends/contract.ts'
import { readTrends } from '../../../trends/followed-trends.ts'
import { writeTrends } from '../../../trends/routes.ts'
import type { Tool } from '../tool.ts'

const MAX_GROUPS = 40

export const trends: Tool = {
  name: 'trends',
  title: 'Compare with the usual',
  description:
    'Tells whether there were more incidents than usual: counts by week or month of the event against the same season of up to five earlier years, for the country or each state, LGA, type, category or severity. ' +
    `At most ${MAX_GROUPS} groups, those called higher first, with truncated = true if there are more; only = a place or type tells of these. ` +
    'For one place use group_by and only rather than a filter: the verdict then counts the places among which it stands out. Quote text. A null verdict means that nothing can be said, never that all is well; fewer incidents may mean fewer reports.',
  input: queryBody(
    'TrendsQuestion',
    { ...TREND_PARAMETERS, ...TREND_FILTER_PARAMETERS },
    {
      description: 'What to compare.',
      example: { group_by: 'state', only: ['Kaduna'], period: 'month' },
    },
  ),
  output: Type.Object({
    ...Trends.properties,
    truncated: Type.Boolean({ description: `Whether there are more than ${MAX_GROUPS} groups.` }),
    groups: Type.Integer({ minimum: 0, description: 'All groups that there are.' }),
    higher: Type.Integer({ minimum: 0, description: 'Those of them with a period that is higher than usual.' }),
  }),
  async call(given, { request, environment, services: { store, archive, freshness }, asker }) {
    const { places } = environment.geography
    const now = environment.clock()
    const saved = await areaOfBody(request, store, given, '', places)
    const question = parseTrendQuestionBody(given, places, now, saved)
    const { answer, groups, higher } = await environment.queries.run(archive, asker, function* (view) {
      const found = yield* readTrends(view, question, now)
      const { only } = question
      const asked = only === null ? found.groups : found.groups.filter(({ key }) => only.includes(key))
      const isHigher = ({ periods }: (typeof asked)[number]) => periods.some(({ verdict }) => verdict === 'higher')
      const first = [...asked.filter(isHigher), ...asked.filter((group) => !isHigher(group))].slice(0, MAX_GROUPS)
      const answer = yield* writeTrends({ ...found, groups: first }, question, places, view)
      return { answer, groups: asked.length, higher: asked.filter(isHigher).length }
    })
    const written = JSON.parse(answer.cached.body.toString()) as { meta: object }
    return {
      content: {
        ...written,
        meta: { ...written.meta, in_step_at: freshness.stamp },
        truncated: groups > MAX_GROUPS,
        groups,
        higher,
      },
      links: [],
    }
  },
}
