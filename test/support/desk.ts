import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { newIdentifier } from '../../src/domain/identifier.ts'
import type { Incident } from '../../src/domain/incident.ts'
import { EMPTY_MODERATION_RECORD } from '../../src/domain/moderation.ts'
import { beginsWithZeroBits, PUZZLES, puzzleText } from '../../src/domain/tips.ts'
import type { ItemWrite, Store } from '../../src/store/store.ts'
import { anItem, anItemWrite, aProposal } from '../store/fixtures.ts'
import type { TestApp } from './app.ts'
import { anIncident, aReport } from './incident.ts'

export interface DeskIncident extends Incident {
  desk: {
    origin: string
    claim: { by: { account_id: string; name: string }; until: string } | null
    official_sources: number[]
    merged_into: string | null
    merged_from: string[]
    undo?: { step: string; undoes: string; move: string; path: string } | null
    possible_duplicates: { id: string }[]
  }
}

export interface Step {
  id: string
  step: string
  version: number
  by: { name: string; account_id: string }
  note: string | null
  fields: string[]
  changes: { field: string; old: unknown; new: unknown }[]
  other: string | null
}

/** An editor with an account and a key of their own. */
export class Editor {
  readonly #app: TestApp
  readonly key: string
  readonly keyId: string
  readonly accountId: string

  private constructor(app: TestApp, key: string, { id, accountId }: { id: string; accountId: string }) {
    this.#app = app
    this.key = key
    this.keyId = id
    this.accountId = accountId
  }

  static async join(app: TestApp, name: string): Promise<Editor> {
    const { text, key } = await app.issue({ name, scopes: ['read', 'operate'] })
    return new Editor(app, text, key)
  }

  async report(changes: Record<string, unknown> = {}): Promise<DeskIncident> {
    const response = await this.#app.post('/v1/reports', aReport(changes), this.key)
    assert.equal(response.status, 201, await response.clone().text())
    return (await response.json()) as DeskIncident
  }

  async confirmed(changes: Record<string, unknown> = {}): Promise<DeskIncident> {
    return this.done((await this.report(changes)).id, 'confirm')
  }

  move(id: string, name: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Response> {
    return this.#app.post(`/v1/desk/incidents/${id}/${name}`, body, this.key, headers)
  }

  /** Makes a move that must succeed. */
  async done(id: string, name: string, body: unknown = {}): Promise<DeskIncident> {
    const response = await this.move(id, name, body)
    assert.ok(response.ok, await response.clone().text())
    return (await response.json()) as DeskIncident
  }

  patch(id: string, body: unknown, ifMatch = '*'): Promise<Response> {
    return this.#app.patch(`/v1/desk/incidents/${id}`, body, this.key, ifMatch)
  }

  async corrected(id: string, body: unknown): Promise<DeskIncident> {
    const response = await this.patch(id, body)
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as DeskIncident
  }

  async read(id: string): Promise<DeskIncident> {
    return (await (await this.#app.get(`/v1/desk/incidents/${id}`, this.key)).json()) as DeskIncident
  }

  async list(query: string): Promise<{ data: DeskIncident[]; has_more: boolean; next_cursor: string | null }> {
    const response = await this.#app.get(`/v1/desk/incidents?${query}`, this.key)
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as { data: DeskIncident[]; has_more: boolean; next_cursor: string | null }
  }

  async history(id: string): Promise<Step[]> {
    const response = await this.#app.get(`/v1/desk/incidents/${id}/history`, this.key)
    return ((await response.json()) as { data: Step[] }).data
  }
}

export async function eventsOf(app: TestApp, id: string): Promise<string[]> {
  const events = await app.store.events.after(0, 100_000)
  return events.filter((event) => event.incidentId === id).map(({ kind }) => kind)
}

/** Saves an item with a proposed source of an incident; returns the id of the proposal. */
export async function proposeSource(store: Store, incidentId: string, sourceId = 'src_1'): Promise<string> {
  const now = Date.now()
  const id = newIdentifier('proposal', now, randomBytes)
  const itemId = newIdentifier('item', now, randomBytes)
  const story = anIncident(9, { status: 'reported', confirmed_at: null, published_at: null })
  const report = {
    incident: { ...story, id: newIdentifier('incident', now, randomBytes) },
    moderation: { ...EMPTY_MODERATION_RECORD, text: 'A story' },
  }
  const times = { publishedAt: now, firstSeenAt: now }
  const item = anItem(1, { id: itemId, sourceId, state: 'proposed', ...times, incidentIds: [incidentId] })
  const proposals = [aProposal(1, { id, incidentId, itemId, proposedAt: now, report })]
  await saveItem(store, anItemWrite(1, { item, urlKey: null, proposals }), now)
  return id
}

/** Saves a story without a place, found so much later than now; returns its id. */
export async function addUnplacedStory(store: Store, laterMs = 0): Promise<string> {
  const now = Date.now()
  const id = newIdentifier('item', now, randomBytes)
  const item = anItem(1, { id, state: 'no_place', firstSeenAt: now + laterMs })
  const unplaced = { publisher: 'Herald', text: 'Gunmen killed four farmers on their fields.' }
  await saveItem(store, anItemWrite(1, { item, unplaced }), now)
  return id
}

async function saveItem({ sources }: Store, write: ItemWrite, now: number): Promise<void> {
  const owner = 'a test'
  await sources.lease(owner, now, now + 1000)
  assert.equal(await sources.saveItem(owner, write, now), true)
  await sources.release(owner)
}

/** The cheapest proof of work, for tests that send many tips. */
export const EASY_PROOF = { TIP_PROOF_BITS: '1' }

export interface Proof {
  readonly challenge: string
  readonly solutions: readonly number[]
}

/** Solves the puzzles of a challenge. */
export function solve(seed: string, bits: number): number[] {
  return Array.from({ length: PUZZLES }, (_, puzzle) => {
    for (let solution = 0; ; solution++)
      if (beginsWithZeroBits(hash('sha256', puzzleText(seed, puzzle, solution), 'buffer'), bits)) return solution
  })
}

/** Asks a service for a challenge and solves it. */
export async function aProof(url: string, headers: Record<string, string> = {}): Promise<Proof> {
  const response = await fetch(`${url}/v1/tips/challenge`, { headers })
  if (!response.ok) throw new Error(`no challenge: ${response.status}`)
  const { challenge, seed, bits } = (await response.json()) as { challenge: string; seed: string; bits: number }
  return { challenge, solutions: solve(seed, bits) }
}

/** The body of a valid tip, without its proof. */
export function aTip(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    text: 'Gunmen abducted eleven people on the road out of Gusau.',
    occurred_at: '2026-05-01T06:30:00+01:00',
    place: 'Gusau',
    state: 'Zamfara',
    ...changes,
  }
}

export function postTip(
  url: string,
  body: unknown,
  { path = '/v1/tips', headers = {} }: { path?: string; headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}
