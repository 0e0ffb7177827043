import { stripTypeScriptTypes } from 'node:module'

/** One deliberate defect: a small edit of the source, and the proofs that must notice it. */
export interface Sabotage {
  /** The defect, in a few words. */
  readonly name: string
  readonly edits: readonly Edit[]
  /** Scenarios in their quick form, or files of tests as `test:<path>`; run until one fails. */
  readonly proofs: readonly string[]
  /** Why no seed of the simulation can notice it; without this, one of twenty must. */
  readonly beyondSimulation?: string
}

/** The proofs of a sabotage in the simulator, in their order. */
export const SEEDS: readonly string[] = Array.from({ length: 20 }, (_, index) => `seed:${index + 1}`)

/** The seed of a proof that is a run of the simulator; null if it is none. */
export function seedOf(proof: string): string | null {
  return proof.startsWith('seed:') ? proof.slice('seed:'.length) : null
}

/** The path of a proof that is a file of tests; null if it is a scenario. */
export function testFileOf(proof: string): string | null {
  return proof.startsWith('test:') ? proof.slice('test:'.length) : null
}

export interface Edit {
  /** The path from the root of the project. */
  readonly file: string
  /** Must occur exactly once in the file. */
  readonly find: string
  readonly replace: string
}

/** Returns the edited text; throws if the edit no longer applies, or leaves no valid TypeScript. */
export function applyEdit(text: string, { file, find, replace }: Edit): string {
  const parts = text.split(find)
  if (parts.length !== 2)
    throw new Error(`${file} contains ${parts.length === 1 ? 'no' : parts.length - 1} ${JSON.stringify(find)}`)
  const edited = parts.join(replace)
  // A file that does not parse would be noticed by anything and prove nothing.
  if (file.endsWith('.ts')) stripTypeScriptTypes(edited)
  return edited
}

/** Returns one sentence for each edit that no longer applies. `read` returns the text of a file. */
export function findStaleEdits(sabotages: readonly Sabotage[], read: (file: string) => string): string[] {
  return sabotages.flatMap(({ name, edits }) => {
    const texts = new Map<string, string>()
    return edits.flatMap((edit) => {
      try {
        texts.set(edit.file, applyEdit(texts.get(edit.file) ?? read(edit.file), edit))
        return []
      } catch (error) {
        return [`${name}: ${(error as Error).message}`]
      }
    })
  })
}
