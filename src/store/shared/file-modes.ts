import { chmodSync, closeSync, openSync, statSync } from 'node:fs'

/** Files with data are for the service's user alone, whatever the umask. */
export const OWNER_ONLY = 0o600
export const OWNER_ONLY_FOLDER = 0o700

/** Creates an empty file before another library fills it: that would create it for everybody. */
export function createOwnerOnly(path: string): void {
  closeSync(openSync(path, 'wx', OWNER_ONLY))
}

/** Takes the rights of the group and of others from a file, if it exists. */
export function tightenMode(path: string, onWarning: (message: string) => void): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  if (mode === undefined || (mode & 0o077) === 0) return
  const before = (mode & 0o777).toString(8).padStart(4, '0')
  try {
    chmodSync(path, mode & 0o700)
    onWarning(`${path} could be read by other users (mode ${before}); it no longer can`)
  } catch (error) {
    onWarning(`${path} can be read by other users (mode ${before}), and this cannot be changed: ${String(error)}`)
  }
}
