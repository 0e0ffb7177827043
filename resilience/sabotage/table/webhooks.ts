import type { Sabotage } from '../sabotage.ts'

/** Defects of what is sent to endpoints, and when. */
export const WEBHOOK_SABOTAGES: readonly Sabotage[] = [
  {
    name: 'signatures do not cover the body',
    edits: [{ file: 'src/webhooks/send/sign.ts', find: '.update(body)', replace: ".update('')" }],
    proofs: ['traffic'],
  },
  {
    name: 'messages carry an empty incident',
    edits: [{ file: 'src/webhooks/send/message-body.ts', find: '{document},', replace: '{document.slice(0, 1)}},' }],
    proofs: ['traffic'],
  },
  {
    name: 'nobody is told about updates and retractions',
    edits: [
      {
        file: 'src/webhooks/fan-out/watch-index.ts',
        find: 'events.includes(event)',
        replace: "event === 'incident.created'",
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'the filter of a watch is ignored',
    edits: [
      {
        file: 'src/webhooks/fan-out/watch-index.ts',
        find: 'for (const { subscribers } of this.#matcher.matchesFor(facts, before)) {',
        replace: 'for (const subscribers of [[...this.#indexed.values()]]) {',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'an update is not for watches that matched before it',
    edits: [
      {
        file: 'src/webhooks/fan-out/fan-out.ts',
        find: "kind === 'incident.updated' ? await this.#fieldsBefore(event) : null",
        replace: 'null',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'a 500 counts as delivered',
    edits: [
      { file: 'src/domain/delivery/verdict.ts', find: '{ from: 200, to: 299,', replace: '{ from: 200, to: 599,' },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'three attempts instead of twelve',
    edits: [{ file: 'src/domain/delivery/retry.ts', find: '  24 * HOUR,\n]', replace: '  24 * HOUR,\n].slice(0, 2)' }],
    proofs: ['webhooks'],
  },
  {
    name: 'Retry-After is ignored',
    edits: [
      {
        file: 'src/domain/delivery/retry.ts',
        find: 'retryAfter === null ? 0 :',
        replace: 'retryAfter !== undefined ? 0 :',
      },
    ],
    proofs: ['webhooks'],
  },
  {
    name: 'an endpoint that is gone keeps its watch',
    edits: [{ file: 'src/domain/delivery/verdict.ts', find: "action: 'gone' },", replace: "action: 'retry' }," }],
    proofs: ['webhooks'],
  },
  {
    name: 'a rotated secret stops to sign at once',
    edits: [
      {
        file: 'src/domain/watch.ts',
        find: 'expiresAt === null || expiresAt > now)',
        replace: 'expiresAt === null)',
      },
    ],
    proofs: ['webhooks'],
  },
  {
    name: 'a clock that is set back is ignored',
    edits: [
      {
        file: 'src/webhooks/process/clock-rollback.ts',
        find: 'if (by >= MIN_ROLLBACK_MS)',
        replace: 'if (by >= MIN_ROLLBACK_MS * 1e9)',
      },
    ],
    proofs: ['webhooks'],
  },
  {
    name: 'redirects are followed',
    edits: [
      {
        file: 'src/webhooks/send/webhook-sender.ts',
        find: 'connection.client.dispatch(request, exchange)',
        replace: 'connection.client.compose(interceptors.redirect({ maxRedirections: 3 })).dispatch(request, exchange)',
      },
      {
        file: 'src/webhooks/send/webhook-sender.ts',
        find: "import { VERSION } from '../../version.ts'",
        replace: "import { interceptors } from 'undici'\nimport { VERSION } from '../../version.ts'",
      },
    ],
    proofs: ['hostile'],
  },
  {
    name: 'names that lead to private addresses are allowed',
    edits: [
      {
        file: 'src/webhooks/guard/guard.ts',
        find: 'const why = addressRefusal(address, allowPrivate)',
        replace: 'const why = addressRefusal(address, true)',
      },
    ],
    proofs: ['hostile'],
  },
]
