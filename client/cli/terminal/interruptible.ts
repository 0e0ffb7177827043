import { EXIT, type World } from '../command.ts'
import { type KeyActions, onKeys } from './keys.ts'

/** Runs what has no end of its own until the user ends it: `q` with 0, an interrupt with 130. */
export async function interruptible(
  world: World,
  keys: KeyActions,
  work: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const quit = new AbortController()
  let code: number = EXIT.interrupted
  const stop = () => quit.abort()
  const quitGladly = () => {
    code = EXIT.done
    stop()
  }
  world.signal.addEventListener('abort', stop, { once: true })
  if (world.signal.aborted) stop()
  const release = onKeys(world, { ...keys, q: quitGladly }, stop)
  try {
    return await work(quit.signal)
  } catch (error) {
    if (quit.signal.aborted) return code
    throw error
  } finally {
    release()
    world.signal.removeEventListener('abort', stop)
  }
}
