import type { Asker } from '../../src/archive/sliced-queries.ts'

/** A client that stays. */
export const anAsker: Asker = { subject: 'test', signal: () => new AbortController().signal }
