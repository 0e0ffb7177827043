import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Archive } from '../../../src/archive/archive.ts'
import { SavedArchive } from '../../../src/archive/saved/saved-archive.ts'
import { openStore } from '../../../src/store/open.ts'
import { temporaryFolder } from '../../../test/support/folder.ts'
import { writeHistory } from '../../harness/databases.ts'
import type { Scenario, ScenarioResult } from '../../scenario.ts'
import { damageAndErase } from './saved-archive-damage.ts'

const PROCESS = fileURLToPath(new URL('saving-process.ts', import.meta.url))
/** Kills come at random moments from the first save on. */
const MAX_SAVING_MS = 400
/** All documents are read from files, but for those in the one that is being filled. */
const DOCUMENTS_IN_FILES = { slabBytes: 256 << 10, memoryBytes: 0 }
/** In fewer rounds, chance may spare every save. */
const ROUNDS_FOR_CHANCE = 20

/** Kills a process that saves its archive, and starts from what it has left, again and again. */
export async function killWhileSaving(rounds: number, incidents: number): Promise<ScenarioResult> {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'feed.db')
  const saved = `${file}.snapshot`
  await writeHistory(`sqlite:${file}`, incidents, 54)
  let [duringSave, wrong, used] = [0, 0, 0]
  const unusable: string[] = []
  for (let round = 0; round < rounds; round++) {
    await saveUntilKilled(file, saved)
    if ((await filesIn(saved)) > (await filesNamed(saved))) duringSave++
    await using store = await openStore(`sqlite:${file}`)
    using opened = SavedArchive.open(saved, DOCUMENTS_IN_FILES)!
    const archive = await opened.load(store.events, (reason) => unusable.push(String(reason)))
    if (archive === null) continue
    used++
    if (contentsOf(archive) !== contentsOf(await Archive.load(await store.incidents.snapshot()))) wrong++
  }
  return {
    setup: `SQLite, ${incidents.toLocaleString('en')} incidents`,
    times: rounds,
    counts: null,
    checks: [
      {
        name: 'a start from saved files has what the database has',
        passed: wrong === 0,
        observed: `${wrong} had not, of ${used}`,
      },
      {
        name: 'a killed save leaves the one before it',
        passed: unusable.length === 0,
        observed: unusable[0] ?? 'always',
      },
      { name: 'every start used saved files', passed: used === rounds, observed: `${used} of ${rounds}` },
      {
        name: 'some were killed during a save',
        passed: duringSave > 0 || rounds < ROUNDS_FOR_CHANCE,
        observed: `${duringSave} of ${rounds}`,
      },
    ],
  }
}

async function saveUntilKilled(file: string, saved: string): Promise<void> {
  const child = fork(PROCESS, [file, saved])
  const exited = once(child, 'exit')
  await Promise.race([once(child, 'message'), exited])
  if (child.exitCode !== null) throw new Error(`the process that saves has ended with ${child.exitCode}`)
  await wait(Math.random() * MAX_SAVING_MS)
  child.kill('SIGKILL')
  await exited
}

const OTHER_NAMES = ['lock', 'manifest']

async function filesIn(folder: string): Promise<number> {
  return (await readdir(folder)).filter((name) => !OTHER_NAMES.includes(name)).length
}

/** The number of files that make up the saved archive: the columns, and the slabs. */
async function filesNamed(folder: string): Promise<number> {
  const path = join(folder, 'manifest')
  if (!existsSync(path)) return 0
  const [, text] = (await readFile(path, 'utf8')).split('\n')
  return 1 + (JSON.parse(text!) as { slabs: unknown[] }).slabs.length
}

/** Everything in published order, with the fields that filters read. */
function contentsOf(archive: Archive): string {
  const documents = archive.months().flatMap(({ month }) => {
    const pinned = archive.pinMonth(month)
    return Array.from({ length: pinned.size }, (_, index) => Buffer.from(pinned.at(index)).toString())
  })
  const fields = documents.map((text) =>
    archive.indexedFieldsOf(archive.slotOf((JSON.parse(text) as { id: string }).id)!),
  )
  return JSON.stringify([archive.head, documents, fields])
}

export const savedArchiveKill: Scenario = {
  description: 'kill -9 of a process that saves its archive; damage to its files, and a redaction',
  rounds: 100,
  quick: async () => [await damageAndErase(10, 1000), await killWhileSaving(6, 3000)],
  run: async (rounds) => [await damageAndErase(rounds, 5000), await killWhileSaving(rounds, 20_000)],
}
