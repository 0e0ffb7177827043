import { hash } from 'node:crypto'
import { beginsWithZeroBits, PUZZLES, puzzleText } from '../../src/domain/tips.ts'

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
