import assert from 'node:assert/strict'
import type { Incident } from '../../src/domain/incident.ts'
import type { TestApp } from './app.ts'
import { aReport } from './report.ts'

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
