import type { TestWatchBody } from '../../src/index.ts'
import { type Command, EXIT, type World } from '../command.ts'
import { isForPeople, printJson, say } from '../output/print.ts'
import { type Connection, connect } from '../settings.ts'
import { UsageError } from '../usage-error.ts'

export const EVENTS = ['incident.created', 'incident.updated', 'incident.retracted'] as const

export const trigger: Command = {
  name: 'trigger',
  about: 'Send a signed test message through the service',
  args: ['[event]'],
  options: [
    {
      name: 'watch',
      value: 'ID',
      about: 'The watch whose endpoint and listeners receive it; needed if you have several',
    },
  ],
  details: `Events: ${EVENTS.join(', ')}. A running "incidents listen --watch ID" receives the message too.`,
  async run(world, given) {
    const [event = EVENTS[0]] = given.args
    if (!EVENTS.includes(event as never))
      throw new UsageError(`"${event}" is no event; there are ${EVENTS.join(', ')}.`)
    const connection = await connect(world)
    return sendTest(world, connection, given.text('watch') ?? (await onlyWatch(world, connection)), event)
  },
}

/** Returns an exit code that says whether the endpoint took the message. */
export async function sendTest(
  world: World,
  { feed }: Connection,
  watch: string,
  event: string | undefined,
): Promise<number> {
  const body = (event === undefined ? {} : { event }) as TestWatchBody
  const answer = await feed.watches.test(watch, body, { signal: world.signal })
  if (isForPeople(world))
    await say(
      world,
      answer.delivered
        ? `The endpoint answered ${answer.status_code} in ${answer.duration_ms} ms.`
        : `Not delivered: ${answer.message}`,
    )
  else await printJson(world, answer)
  return answer.delivered ? EXIT.done : EXIT.failed
}

async function onlyWatch(world: World, { feed }: Connection): Promise<string> {
  const { data } = await feed.watches.page({ limit: 10 } as never, { signal: world.signal })
  if (data.length === 1) return data[0]!.id
  if (data.length === 0)
    throw new UsageError('There is no watch to send through: incidents watch create --name … --url …')
  throw new UsageError(
    `Which watch? Give --watch with one of\n${data.map(({ id, name }) => `  ${id}  ${name}`).join('\n')}`,
  )
}
