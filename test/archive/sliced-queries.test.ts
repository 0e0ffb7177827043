import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Archive, ArchiveView } from '../../src/archive/archive.ts'
import { MAX_RUNNING_PER_SUBJECT, MAX_WAITING_PER_SUBJECT, SlicedQueries } from '../../src/archive/sliced-queries.ts'
import { Problem } from '../../src/domain/errors.ts'
import { EventLoopShare } from '../../src/lib/concurrency.ts'
import type { Steps } from '../../src/lib/steps.ts'
import { anAsker, anEvent, emptyArchive } from '../support/archive.ts'
import { anIncident } from '../support/incident.ts'

/** One step a slice and none at once, so that the order does not depend on the clock. */
class StepwiseShare extends EventLoopShare {
  override runNow(): boolean {
    return false
  }
  override runSlice(step: () => boolean): boolean {
    return step()
  }
}

/** A question of many steps; `onStep` is called in each. */
function* question(view: ArchiveView, steps: number, onStep: (step: number) => void = () => {}): Steps<number> {
  for (let step = 0; step < steps; step++) {
    onStep(step)
    yield
  }
  return view.head.seq
}

async function archiveOf(count: number): Promise<Archive> {
  const archive = await emptyArchive()
  archive.apply(Array.from({ length: count }, (_, index) => anEvent(index + 1, anIncident(index))))
  return archive
}

test('a small question is answered at once, without a promise', async () => {
  const archive = await archiveOf(3)
  const found = new SlicedQueries().run(archive, anAsker, (view) => question(view, 0))
  assert.equal(found, 3)
})

test('a large question is answered on the archive as it was when it began', async () => {
  const archive = await archiveOf(3)
  const answer = new SlicedQueries(new StepwiseShare()).run(archive, anAsker, (view) =>
    question(view, 10, (step) => {
      if (step === 5) archive.apply([anEvent(4, anIncident(4))])
    }),
  )
  assert.ok(answer instanceof Promise)
  assert.equal(await answer, 3)
  assert.equal(archive.head.seq, 4)
})

test('however many large questions run, each turn of the event loop has one slice', async () => {
  const archive = await archiveOf(1)
  const queries = new SlicedQueries(new StepwiseShare())
  let steps = 0
  const answers = Array.from({ length: 50 }, (_, number) =>
    queries.run(archive, { ...anAsker, subject: `account ${number}` }, (view) =>
      question(view, 20, () => {
        steps++
      }),
    ),
  )
  const seen: number[] = []
  for (let turn = 0; turn < 100; turn++) {
    const before = steps
    await nextTurn()
    seen.push(steps - before)
  }
  assert.ok(Math.max(...seen) <= 1, `a turn had ${Math.max(...seen)} slices`)
  await Promise.all(answers)
})

test('an account with fifty large questions does not delay the one question of another account', async () => {
  const archive = await archiveOf(1)
  const queries = new SlicedQueries(new StepwiseShare())
  let hostile = 0
  const gone = new AbortController()
  const answers = Array.from({ length: 50 }, () =>
    queries.run(archive, { subject: 'hostile', signal: () => gone.signal }, (view) =>
      question(view, 100_000, () => {
        hostile++
      }),
    ),
  )
  const before = hostile
  await queries.run(archive, { ...anAsker, subject: 'other' }, (view) => question(view, 20))
  assert.ok(hostile - before <= 25, `the hostile account had ${hostile - before} slices meanwhile`)
  gone.abort(new Error('gone'))
  for (const answer of answers) await assert.rejects(Promise.resolve(answer), /gone/)
})

test('the work stops when the client goes, and the next in line starts', async () => {
  const archive = await archiveOf(1)
  const queries = new SlicedQueries(new StepwiseShare())
  const gone = new AbortController()
  let steps = 0
  const abandoned = Array.from({ length: MAX_RUNNING_PER_SUBJECT }, () =>
    queries.run(archive, { ...anAsker, signal: () => gone.signal }, (view) =>
      question(view, 1_000_000, () => {
        steps++
      }),
    ),
  )
  const waiting = queries.run(archive, anAsker, (view) => question(view, 5))
  await nextTurn()
  gone.abort(new Error('gone'))
  for (const answer of abandoned) await assert.rejects(Promise.resolve(answer), /gone/)
  const stopped = steps
  assert.equal(await waiting, 1)
  assert.equal(steps, stopped)
  // No reader is left: a correction keeps its slot.
  const slot = archive.slotOf(anIncident(0).id)
  archive.apply([anEvent(2, anIncident(0, { version: 2 }), 'incident.updated')])
  assert.equal(archive.slotOf(anIncident(0).id), slot)
})

test('too many waiting questions of one subject are refused with 503 and when to come back', async () => {
  const archive = await archiveOf(1)
  const queries = new SlicedQueries(new StepwiseShare())
  const gone = new AbortController()
  const ask = () =>
    Promise.resolve(
      queries.run(archive, { subject: 'many', signal: () => gone.signal }, (view) => question(view, 1_000_000)),
    )
  const answers = Array.from({ length: MAX_RUNNING_PER_SUBJECT + MAX_WAITING_PER_SUBJECT }, ask)
  await assert.rejects(
    ask(),
    (error) => error instanceof Problem && error.code === 'busy' && error.headers['retry-after'] === '2',
  )
  gone.abort(new Error('gone'))
  for (const answer of answers) await assert.rejects(answer, /gone/)
})

test('a question that fails leaves its place and its pin', async () => {
  const archive = await archiveOf(1)
  const queries = new SlicedQueries(new StepwiseShare())
  for (let round = 0; round < 2 * MAX_RUNNING_PER_SUBJECT; round++) {
    const failing = queries.run(archive, anAsker, (view) =>
      question(view, 10, (step) => {
        if (step === 7) throw new Error('broken')
      }),
    )
    await assert.rejects(Promise.resolve(failing), /broken/)
  }
  const slot = archive.slotOf(anIncident(0).id)
  archive.apply([anEvent(2, anIncident(0, { version: 2 }), 'incident.updated')])
  assert.equal(archive.slotOf(anIncident(0).id), slot)
})
