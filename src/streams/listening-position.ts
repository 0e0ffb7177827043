import type { ListeningPosition } from '../store/store.ts'

/** A position as the `id` of an event. */
export function positionText({ seq, resent }: ListeningPosition): string {
  return `${seq}-${resent}`
}

/** Null if this service has not written the text. */
export function parsePositionText(text: string): ListeningPosition | null {
  const [, seq, resent] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? []
  return seq === undefined ? null : { seq: Number(seq), resent: Number(resent) }
}
