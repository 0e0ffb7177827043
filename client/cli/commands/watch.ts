import type { Delivery, Watch } from '../../src/index.ts'
import { type Command, EXIT, type Option } from '../command.ts'
import { filterOf, WATCH_OPTIONS } from '../filter-options.ts'
import { isForPeople, printJson, printTable, say } from '../output/print.ts'
import { connect } from '../settings.ts'
import { askYesNo } from '../terminal/ask.ts'
import { UsageError } from '../usage-error.ts'
import { EVENTS, sendTest } from './trigger.ts'

const ID = '<watch id>'
const event: Option = { name: 'event', value: 'EVENT', about: 'Which message', values: EVENTS }

const HEAD = ['ID', 'STATUS', 'EVENTS', 'NAME', 'URL']
const rowOf = ({ id, status, events, name, url }: Watch) => [id, status, events.join(','), name, url]

const changeStatus = (name: 'pause' | 'resume', status: 'paused' | 'active', about: string): Command => ({
  name: `watch ${name}`,
  about,
  args: [ID],
  options: [],
  async run(world, given) {
    const { feed } = await connect(world)
    const watch = await feed.watches.update(given.args[0]!, { status }, { signal: world.signal })
    await (isForPeople(world) ? printTable(world, HEAD, [rowOf(watch)]) : printJson(world, watch))
    return undefined
  },
})

export const WATCH_COMMANDS: readonly Command[] = [
  {
    name: 'watch list',
    about: 'List your watches',
    args: [],
    options: [],
    async run(world) {
      const { feed } = await connect(world)
      const rows: string[][] = []
      for await (const watch of feed.watches.list({}, { signal: world.signal })) {
        if (isForPeople(world)) rows.push(rowOf(watch))
        else await printJson(world, watch)
      }
      if (!isForPeople(world)) return undefined
      await (rows.length === 0
        ? say(world, 'There is none yet: incidents watch create')
        : printTable(world, HEAD, rows))
      return undefined
    },
  },
  {
    name: 'watch create',
    about: 'Create a watch: signed messages for what matches',
    args: [],
    options: [
      { name: 'name', value: 'NAME', about: 'Its name, unique in your account' },
      { name: 'url', value: 'URL', about: 'The endpoint that receives the messages' },
      { ...event, several: true, about: 'Which messages; incident.created unless given, all with --incident' },
      ...WATCH_OPTIONS,
    ],
    details: 'The secret is shown once: your endpoint verifies messages with it.',
    async run(world, given) {
      const [name, url] = [given.text('name'), given.text('url')]
      if (name === undefined || url === undefined) throw new UsageError('A watch needs --name and --url.')
      const { feed } = await connect(world)
      const events = given.has('event') ? { events: [...given.list('event')] as Watch['events'] } : {}
      const watch = await feed.watches.create(
        { name, url, filter: filterOf(given, WATCH_OPTIONS), ...events } as never,
        {
          signal: world.signal,
        },
      )
      if (!isForPeople(world)) await printJson(world, watch)
      else {
        await printTable(world, HEAD, [rowOf(watch)])
        await say(world, `Secret, shown once: ${watch.secret}`)
      }
      return undefined
    },
  },
  changeStatus('pause', 'paused', 'Keep messages back until it is resumed'),
  changeStatus('resume', 'active', 'Send again, what was kept back included'),
  {
    name: 'watch delete',
    about: 'Delete a watch and its log',
    args: [ID],
    options: [{ name: 'yes', about: 'Without asking' }],
    async run(world, given) {
      const id = given.args[0]!
      if (!given.has('yes')) {
        if (!world.stdin.isTTY) throw new UsageError('Deleting cannot be undone: add --yes.')
        if (!(await askYesNo(world, `Delete ${id} and its log?`))) return EXIT.failed
      }
      const { feed } = await connect(world)
      await feed.watches.delete(id, { signal: world.signal })
      await say(world, `${id} is deleted.`)
      return undefined
    },
  },
  {
    name: 'watch test',
    about: 'Send a signed test message to its endpoint',
    args: [ID],
    options: [event],
    async run(world, given) {
      return sendTest(world, await connect(world), given.args[0]!, given.text('event'))
    },
  },
  {
    name: 'watch deliveries',
    about: 'Show what was sent, newest first',
    args: [ID],
    options: [{ name: 'limit', value: 'N', about: 'How many, up to 100; 20 unless given' }],
    async run(world, given) {
      const { feed } = await connect(world)
      const limit = given.text('limit') ?? '20'
      const page = await feed.deliveries.page(given.args[0]!, { limit } as never, { signal: world.signal })
      if (isForPeople(world))
        await printTable(world, ['ID', 'STATUS', 'EVENT', 'ATTEMPTS', 'CREATED'], page.data.map(deliveryRow))
      else for (const delivery of page.data) await printJson(world, delivery)
      return undefined
    },
  },
  {
    name: 'watch resend',
    about: 'Send a message again',
    args: ['<message id>'],
    options: [],
    async run(world, given) {
      const { feed } = await connect(world)
      const delivery = await feed.deliveries.redeliver(given.args[0]!, { signal: world.signal })
      await (isForPeople(world) ? say(world, `${delivery.id} will be sent again at once.`) : printJson(world, delivery))
      return undefined
    },
  },
]

function deliveryRow({ id, status, event, attempts, created_at }: Delivery): string[] {
  return [id, status, event, String(attempts), created_at]
}
