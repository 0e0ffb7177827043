import { execFile } from 'node:child_process'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

/** Thrown if npm could not fetch the generators: nothing was tried then. */
export class RegistryUnreachable extends Error {}

const UNREACHABLE = /ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH|network|socket hang up/i

/** Returns what the command printed; throws with all of it if it fails. */
export async function run(
  command: string,
  parameters: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  // The commands of npm packages ask the PATH for Node: it must be the one that runs this.
  const path = `${dirname(process.execPath)}:${process.env.PATH}`
  const env = { ...process.env, ...environment, PATH: path, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  try {
    const { stdout, stderr } = await promisify(execFile)(command, parameters, {
      cwd: folder,
      env,
      maxBuffer: 64 * 1024 * 1024,
    })
    return `${stdout}${stderr}`.trim()
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${parameters.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
  }
}

export async function runNpm(parameters: readonly string[], folder: string): Promise<void> {
  try {
    await run('npm', parameters, folder)
  } catch (error) {
    if (!(error instanceof Error) || !UNREACHABLE.test(error.message)) throw error
    throw new RegistryUnreachable(
      `The package registry cannot be reached, so no client was tried. npm says:\n${error.message}`,
    )
  }
}
