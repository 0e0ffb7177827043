import type { ReadTrendsQuery, Trend, Trends } from '../../src/index.ts'
import type { Command, Option } from '../command.ts'
import { FILTER_OPTIONS, filterOf, WORD_OPTIONS } from '../filter-options.ts'
import { isForPeople, printJson, printTable, say } from '../output/print.ts'
import { connect } from '../settings.ts'

const GROUPS = ['state', 'lga', 'type', 'category', 'severity'] as const
const DEFAULT_PERIOD = 'month'
const QUESTION: readonly Option[] = [
  { name: 'group-by', value: 'GROUP', about: 'Each value of this group; without it, all together', values: GROUPS },
  { name: 'only', value: 'NAME', several: true, about: 'Shows these values of the group only; all are compared' },
  { name: 'period', value: 'PERIOD', about: `${DEFAULT_PERIOD} unless given`, values: ['week', 'month'] },
  { name: 'periods', value: 'N', about: 'How many, up to this one; 2 unless given' },
  { name: 'at', value: 'DATE', about: 'A day in the last period; today unless given' },
]
const OPTIONS = [...QUESTION, ...FILTER_OPTIONS, ...WORD_OPTIONS]

export const trends: Command = {
  name: 'trends',
  about: 'Compare recent counts with what would be usual',
  args: [],
  options: [
    ...OPTIONS,
    { name: 'higher', about: 'Only what is higher than usual' },
    { name: 'json', about: 'As JSON on a terminal too' },
  ],
  details:
    'incidents trends --group-by state\nincidents trends --group-by lga --only chikun --period week --periods 5\nincidents trends --group-by state --type kidnapping --higher',
  async run(world, given) {
    const { feed } = await connect(world)
    // As the user wrote it: the service judges it.
    const query = { period: DEFAULT_PERIOD, time_zone: 'Africa/Lagos', ...filterOf(given, OPTIONS) }
    const answer = await feed.trends(query as unknown as ReadTrendsQuery, { signal: world.signal })
    const shown = given.has('higher') ? answer.data.filter(isHigher) : answer.data
    if (!isForPeople(world) || given.has('json')) for (const trend of shown) await printJson(world, trend)
    else if (shown.length > 0)
      await printTable(world, ['GROUP', 'PERIOD', 'VERDICT', 'COMPARED'], rowsOf(shown, answer))
    if (shown.length === 0)
      await say(world, given.has('higher') ? 'Nothing is higher than usual.' : 'No incident matches.')
    return undefined
  },
}

function isHigher({ periods }: Trend): boolean {
  return periods.some(({ verdict }) => verdict === 'higher')
}

function rowsOf(shown: readonly Trend[], { group_by }: Trends): string[][] {
  return shown.flatMap((trend) =>
    trend.periods.map(({ key, verdict, text }) => [nameOf(trend, group_by), key, VERDICTS[verdict ?? 'none'], text]),
  )
}

const VERDICTS = { higher: 'higher', not_higher: 'not higher', none: '–' } as const

function nameOf(trend: Trend, groupBy: Trends['group_by']): string {
  if (groupBy === null) return 'all'
  if (groupBy !== 'lga') return trend[groupBy]!.label
  return trend.lga ? `${trend.lga.label}, ${trend.lga.state}` : 'LGA unknown'
}
