import { spawn } from 'node:child_process'
import type { World } from '../command.ts'

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/**
 * Opens an address in the browser; `BROWSER` names another program. Resolves to whether it started.
 */
export function openPage({ env, platform }: World, url: string): Promise<boolean> {
  const [program, ...args] = env.BROWSER ? [env.BROWSER] : (OPENERS[platform] ?? ['xdg-open'])
  return new Promise((resolve) => {
    const child = spawn(program!, [...args, url], { stdio: 'ignore', detached: true })
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
