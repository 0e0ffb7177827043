import { openStore } from '../../src/store/open.ts'
import { created, NOW } from './fixtures.ts'

// Saves in an endless loop, and prints the last committed seq after each save.
const store = await openStore(process.argv[2]!)
for (let number = 1; ; number += 2) {
  const events = await store.incidents.save([created(number), created(number + 1)], NOW)
  process.stdout.write(`${events.at(-1)!.seq}\n`)
}
