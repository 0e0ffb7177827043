import type { Incident, IncidentField, IncidentQueryWith, IncidentWith } from '../../src/index.ts'
import type { Command, Option, World } from '../command.ts'
import { FIELDS } from '../fields.ts'
import { FILTER_OPTIONS, filterOf, TIME_OPTIONS, WORD_OPTIONS } from '../filter-options.ts'
import { fieldTable, incidentTable } from '../output/incident-text.ts'
import { isForPeople, printJson, printTable, say, terminalWidth, write } from '../output/print.ts'
import { type Connection, connect } from '../settings.ts'
import { UsageError } from '../usage-error.ts'
import { csvLines, features } from './list-formats.ts'

const DEFAULT_COUNT = 50
const PAGE = 1000
const FORMATS = ['table', 'json', 'csv', 'geojson'] as const
const FILTERS = [...FILTER_OPTIONS, ...WORD_OPTIONS, ...TIME_OPTIONS]
const FIELD_OPTION: Option = {
  name: 'fields',
  value: 'NAME',
  several: true,
  values: FIELDS,
  about: 'Only these members of each incident, and id',
}

export const list: Command = {
  name: 'list',
  about: 'List incidents, newest first',
  args: [],
  options: [
    ...FILTERS,
    { name: 'order', value: 'ORDER', about: 'By the time of publication', values: ['newest', 'oldest'] },
    FIELD_OPTION,
    { name: 'limit', value: 'N', about: `How many; ${DEFAULT_COUNT} unless given` },
    { name: 'all', about: 'All that match' },
    { name: 'format', value: 'FORMAT', about: 'A table on a terminal, else one JSON object a line', values: FORMATS },
  ],
  details:
    'incidents list --state kaduna --since 7d\nincidents list --q bridge --fields occurred_at,summary\nincidents list --type kidnapping --since 30d --all --format csv > kidnappings.csv',
  async run(world, given) {
    const count = countOf(given.text('limit'), given.has('all'))
    const query = {
      ...filterOf(given, [...FILTERS, FIELD_OPTION]),
      ...(given.has('order') ? { order: given.text('order')! } : {}),
    }
    const connection = await connect(world)
    const format = given.text('format') ?? (isForPeople(world) ? 'table' : 'json')
    const hasMore = await PRINTERS[format as (typeof FORMATS)[number]](world, connection, query, count)
    if (hasMore && !given.has('limit')) await say(world, `There are more: --limit N or --all shows them.`)
    return undefined
  },
}

function countOf(limit: string | undefined, all: boolean): number {
  if (limit !== undefined && all) throw new UsageError('Give --limit or --all, not both.')
  if (all) return Number.POSITIVE_INFINITY
  if (limit === undefined) return DEFAULT_COUNT
  if (!/^[1-9]\d{0,8}$/.test(limit)) throw new UsageError(`--limit takes a whole number from 1, not ${limit}`)
  return Number(limit)
}

/** Prints up to `count`; returns whether there are more. */
type Print = (world: World, connection: Connection, query: Query, count: number) => Promise<boolean>

/** As the user wrote it: the service judges it. */
type Query = Readonly<Record<string, string | string[]>>
/** A member that was not asked for is missing. */
type Listed = IncidentWith<readonly IncidentField[]>

const PRINTERS: Readonly<Record<(typeof FORMATS)[number], Print>> = {
  async table(world, connection, query, count) {
    const found: Listed[] = []
    const hasMore = await eachIncident(world, connection, query, count, (incident) => {
      found.push(incident)
    })
    if (found.length === 0) await say(world, 'No incident matches.')
    else if (query.fields === undefined)
      await printTable(world, ...incidentTable(found as readonly Incident[], terminalWidth(world)))
    else await printTable(world, ...fieldTable(found, query.fields as string[] as IncidentField[]))
    return hasMore
  },
  json: (world, connection, query, count) =>
    eachIncident(world, connection, query, count, (incident) => printJson(world, incident)),
  async csv(world, connection, query, count) {
    const lines = csvLines(connection, { ...query, limit: Math.min(count, PAGE) }, count, world.signal)
    for (let next = await lines.next(); ; next = await lines.next()) {
      if (next.done) return next.value
      await write(world.stdout, next.value)
    }
  },
  async geojson(world, connection, query, count) {
    const { collection, hasMore } = await features(
      connection,
      { ...query, limit: Math.min(count, PAGE) },
      count,
      world.signal,
    )
    await printJson(world, collection)
    return hasMore
  },
}

async function eachIncident(
  { signal }: World,
  { feed }: Connection,
  query: Query,
  count: number,
  use: (incident: Listed) => Promise<void> | void,
): Promise<boolean> {
  let seen = 0
  const asked = { ...query, limit: Math.min(count, PAGE) } as unknown as IncidentQueryWith<readonly IncidentField[]>
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await feed.incidents.page(cursor === undefined ? asked : { ...asked, cursor }, { signal })
    for (const [index, incident] of page.data.entries()) {
      await use(incident)
      if (++seen === count) return index + 1 < page.data.length || page.next_cursor !== null
    }
    cursor = page.next_cursor
  }
  return false
}
