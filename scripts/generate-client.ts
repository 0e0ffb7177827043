/**
 * Writes the types of `client/` from the contract: `npm run generate:client`. With `--check`, a
 * part of `npm run check`, it only compares.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientTypes } from './client/client-types.ts'

const FILE = join(import.meta.dirname, '../client/src/generated/types.ts')
const types = clientTypes()
if (!process.argv.includes('--check')) writeFileSync(FILE, types)
else if (readFileSync(FILE, 'utf8') !== types) {
  console.error('client/src/generated/types.ts is not what the contract gives: run `npm run generate:client`')
  process.exitCode = 1
}
