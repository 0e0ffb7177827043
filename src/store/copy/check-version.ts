import { CopyRefused } from './copy-refused.ts'

/** A copy changes no schema: rows mean the same on both sides only at the same version. */
export function checkVersion(end: 'source' | 'target', version: number, newest: number): void {
  if (version === newest) return
  if (version === 0) throw new CopyRefused(`The ${end} is not a store of this service`)
  const has = `The ${end} has schema version ${version}, this build has ${newest}`
  if (version > newest) throw new CopyRefused(`${has}: use the newer build that wrote it`)
  throw new CopyRefused(
    end === 'source'
      ? `${has}: back it up, start this build on it once, which migrates it, stop it, and copy then`
      : `${has}: name a new file, or create an empty database`,
  )
}
