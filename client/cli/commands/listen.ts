import type { ListenSource } from '../../src/index.ts'
import { type Command, EXIT, type Given } from '../command.ts'
import { explainError } from '../explain-error.ts'
import { filterOf, WATCH_OPTIONS } from '../filter-options.ts'
import { Listener } from '../listen/listener.ts'
import { parseHeaders } from '../listen/own-headers.ts'
import { parseTargets } from '../listen/targets.ts'
import { say } from '../output/print.ts'
import { connect } from '../settings.ts'
import { interruptible } from '../terminal/interruptible.ts'
import { UsageError } from '../usage-error.ts'
import { EVENTS } from './trigger.ts'

export const listen: Command = {
  name: 'listen',
  about: 'Forward signed messages to your computer',
  args: [],
  options: [
    { name: 'forward-to', value: 'URL', about: 'The endpoint, as localhost:3000/hook' },
    { name: 'forward', value: 'EVENT=URL', several: true, about: 'Another endpoint for one event' },
    { name: 'header', value: 'NAME:VALUE', repeated: true, about: 'Send this header too' },
    { name: 'watch', value: 'ID', about: 'What this watch sends, with its own signatures, tests and resends included' },
    {
      name: 'event',
      value: 'EVENT',
      several: true,
      values: EVENTS,
      about: 'With filters: which messages; incident.created unless given, all with --incident',
    },
    ...WATCH_OPTIONS,
  ],
  details: `Without --watch, messages for the filters are signed with a secret that is shown at the start.
A watch's own headers are not forwarded, because nobody can read their values: --header gives them to your endpoint.
While your endpoint is down or answers an error, a message is sent again for about four minutes.
On a terminal: r sends the newest message again, o opens its incident in the browser, q quits.
In a pipe: one JSON object a line, with what became of each message.`,
  async run(world, given) {
    const targets = parseTargets(given.text('forward-to'), given.list('forward'))
    const own = parseHeaders(given.each('header'))
    const source = sourceOf(given)
    const connection = await connect(world)
    let listener: Listener | null = null
    const tell = (error: unknown) => say(world, `error: ${explainError(error)?.text ?? String(error)}`)
    const keys = {
      r: () => void listener?.resendNewest().catch(tell),
      o: () => void listener?.openNewest().catch(tell),
    }
    return interruptible(world, keys, async (signal) => {
      listener = new Listener(world, connection, source, targets, own, signal)
      await listener.run()
      await say(world, 'The watch was deleted: there is nothing more to listen to.')
      return EXIT.failed
    })
  },
}

function sourceOf(given: Given): ListenSource {
  const filter = filterOf(given, WATCH_OPTIONS)
  const watch = given.text('watch')
  if (watch === undefined)
    return { ...filter, ...(given.has('event') ? { events: [...given.list('event')] } : {}) } as ListenSource
  const [name] = Object.keys(filter)
  if (name !== undefined || given.has('event'))
    throw new UsageError(`A watch has its own filter and events: leave out --${name?.replaceAll('_', '-') ?? 'event'}.`)
  return { watch }
}
