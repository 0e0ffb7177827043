import type { FeedChange, StreamFilter } from '../../src/index.ts'
import { type Command, EXIT } from '../command.ts'
import { FILTER_OPTIONS, filterOf } from '../filter-options.ts'
import { connectionNotes } from '../output/connection-notes.ts'
import { placeOf } from '../output/incident-text.ts'
import { oneLine } from '../output/plain-text.ts'
import { isForPeople, printJson, say, write } from '../output/print.ts'
import { connect } from '../settings.ts'
import { interruptible } from '../terminal/interruptible.ts'
import { openPage } from '../terminal/open-page.ts'

export const tail: Command = {
  name: 'tail',
  about: 'Follow incidents as they are confirmed, corrected and retracted',
  args: [],
  options: FILTER_OPTIONS,
  details: 'On a terminal: o opens the newest incident in the browser, q quits. In a pipe: one JSON object a line.',
  async run(world, given) {
    const { feed, url } = await connect(world)
    let newest: string | null = null
    const keys = {
      o: () =>
        void (newest === null ? say(world, 'There is none yet.') : openPage(world, `${url}/incidents/${newest}`)),
    }
    return interruptible(world, keys, async (signal) => {
      const stream = feed.stream(filterOf(given) as StreamFilter, { signal, onState: connectionNotes(world) })
      for await (const change of stream) {
        newest = change.incident_id
        await (isForPeople(world) ? write(world.stdout, `${lineOf(change)}\n`) : printJson(world, change))
      }
      return EXIT.done
    })
  },
}

function lineOf({ at, event, incident, incident_id }: FeedChange): string {
  const what =
    incident === null
      ? ['delete your copy']
      : [`${incident.severity} ${incident.type}`, placeOf(incident), incident.summary]
  return [at.slice(11, 19), event, incident_id, ...what].map(oneLine).join('  ')
}
