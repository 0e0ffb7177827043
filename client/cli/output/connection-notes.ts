import type { ConnectionState } from '../../src/index.ts'
import type { World } from '../command.ts'
import { say } from './print.ts'

/** Says on stderr when the connection is made, lost, and made again. */
export function connectionNotes(world: World): (state: ConnectionState) => void {
  let connections = 0
  return (state) => {
    if (state.state === 'disconnected') {
      const why = state.error === null ? 'The service ended the connection' : `Connection lost (${state.error.message})`
      void say(world, `${why}; trying again in ${Math.ceil(state.reconnectInMs / 1000)} s.`)
    } else void say(world, connections++ === 0 ? 'Connected.' : 'Connected again; nothing was missed.')
  }
}
