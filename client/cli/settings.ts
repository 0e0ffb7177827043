import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { IncidentFeed } from '../src/index.ts'
import type { World } from './command.ts'

/** Stored by `incidents login`. */
export interface Settings {
  readonly url: string
  readonly key: string
}

/** No key or no address is known; the message says how to give one. */
export class NotLoggedIn extends Error {
  override readonly name = 'NotLoggedIn'
}

type Home = Pick<World, 'env' | 'platform' | 'home'>

export function settingsPath({ env, platform, home }: Home): string {
  const folder = env.XDG_CONFIG_HOME || (platform === 'win32' && env.APPDATA ? env.APPDATA : join(home, '.config'))
  return join(folder, 'incident-feed', 'client.json')
}

/** Null if nothing is stored. */
export async function readSettings(home: Home): Promise<Settings | null> {
  const path = settingsPath(home)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    const { url, key } = JSON.parse(text) as Partial<Settings>
    if (typeof url === 'string' && typeof key === 'string') return { url, key }
  } catch {
    // Told below, as a file whose content is another.
  }
  throw new NotLoggedIn(`${path} cannot be read: run "incidents login" again.`)
}

/** Writes the file whole, readable by the user only. */
export async function storeSettings(home: Home, settings: Settings): Promise<string> {
  const path = settingsPath(home)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  await writeFile(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  // The mode of `writeFile` is only that of a new file.
  await chmod(draft, 0o600)
  await rename(draft, path)
  return path
}

/** Returns whether there was anything to remove. */
export async function removeSettings(home: Home): Promise<boolean> {
  const stored = await readFile(settingsPath(home)).then(
    () => true,
    () => false,
  )
  await rm(settingsPath(home), { force: true })
  return stored
}

/** The environment comes before what is stored. */
export async function currentSettings(world: Home): Promise<Settings> {
  const { INCIDENT_FEED_KEY: key, INCIDENT_FEED_URL: url } = world.env
  if (key && url) return { key, url: serviceUrl(url) }
  const stored = await readSettings(world)
  const settings = { key: key || stored?.key, url: url ? serviceUrl(url) : stored?.url }
  if (settings.url === undefined)
    throw new NotLoggedIn('No service is known: run "incidents login --url https://…", or set INCIDENT_FEED_URL.')
  if (settings.key === undefined)
    throw new NotLoggedIn('No key is known: run "incidents login", or set INCIDENT_FEED_KEY.')
  // A key must not go to a service that it does not belong to.
  if (!key && stored && settings.url !== stored.url)
    throw new NotLoggedIn(
      `The stored key belongs to ${stored.url}, not to ${settings.url}: set INCIDENT_FEED_KEY too, or run "incidents login".`,
    )
  return { key: settings.key, url: settings.url }
}

/** Normalises an address as people write it: `localhost:8080` is `http://localhost:8080`. */
export function serviceUrl(text: string): string {
  const isLocal = /^(localhost|127\.|\[::1\])/.test(text)
  const url = new URL(/^https?:\/\//.test(text) ? text : `${isLocal ? 'http' : 'https'}://${text}`)
  return url.href.replace(/\/+$/, '')
}

export interface Connection extends Settings {
  readonly feed: IncidentFeed
}

export async function connect(world: World): Promise<Connection> {
  const settings = await currentSettings(world)
  return { ...settings, feed: new IncidentFeed({ key: settings.key, baseUrl: settings.url }) }
}
