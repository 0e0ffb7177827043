import type { Command } from '../command.ts'
import { incidentLines } from '../output/incident-text.ts'
import { plainText } from '../output/plain-text.ts'
import { isForPeople, printJson, write } from '../output/print.ts'
import { connect } from '../settings.ts'

export const get: Command = {
  name: 'get',
  about: 'Show one incident',
  args: ['<id>'],
  options: [{ name: 'json', about: 'As JSON on a terminal too' }],
  async run(world, given) {
    const { feed, url } = await connect(world)
    const incident = await feed.incidents.get(given.args[0]!, { signal: world.signal })
    if (!isForPeople(world) || given.has('json')) await printJson(world, incident)
    else
      await write(
        world.stdout,
        `${incidentLines(incident, `${url}/incidents/${incident.id}`).map(plainText).join('\n')}\n`,
      )
    return undefined
  },
}
