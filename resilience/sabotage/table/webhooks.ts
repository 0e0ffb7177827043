import type { Sabotage } from '../sabotage.ts'

/** Defects of what is sent to endpoints, and when. */
export const WEBHOOK_SABOTAGES: readonly Sabotage[] = [
  {
    name: 'signatures do not cover the body',
    edits: [
      {
        file: 'src/deliveries/send/signature.ts',
        find: '.update(start).update(body)',
        replace: '.update(start)',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'messages carry an empty incident',
    edits: [{ file: 'src/deliveries/send/message.ts', find: '{document},', replace: '{document.slice(0, 1)}},' }],
    proofs: ['traffic'],
  },
  {
    name: 'nobody is told about updates and retractions',
    edits: [
      {
        file: 'src/deliveries/watch-index.ts',
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
        file: 'src/deliveries/watch-index.ts',
        find: 'for (const { subscribers } of this.#matcher.matchesFor(fields, earlier, incidentIds))',
        replace: 'for (const subscribers of [[...this.#indexed.values()]])',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'an update is not for watches that matched before it',
    edits: [
      {
        file: 'src/deliveries/fan-out.ts',
        find: "kind === 'incident.created' ? [] : await this.#versions.fieldsBefore(event, fields)",
        replace: '[]',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'the rest of a batch that ends inside an event is dropped',
    edits: [
      {
        file: 'src/deliveries/fan-out.ts',
        find: 'first = first.slice(written)',
        replace: 'first = first.slice(written + batchSize)',
      },
    ],
    proofs: ['crowd'],
  },
  {
    name: 'a 500 counts as delivered',
    edits: [{ file: 'src/domain/retry.ts', find: '{ from: 200, to: 299,', replace: '{ from: 200, to: 599,' }],
    proofs: ['traffic'],
  },
  {
    name: 'three attempts instead of twelve',
    edits: [{ file: 'src/domain/retry.ts', find: '  24 * HOUR,\n]', replace: '  24 * HOUR,\n].slice(0, 2)' }],
    proofs: ['webhooks'],
  },
  {
    name: 'Retry-After is ignored',
    edits: [
      {
        file: 'src/domain/retry.ts',
        find: 'retryAfter === null ? 0 :',
        replace: 'retryAfter !== undefined ? 0 :',
      },
    ],
    proofs: ['webhooks'],
  },
  {
    name: 'an endpoint that is gone keeps its watch',
    edits: [
      {
        file: 'src/domain/watch-health.ts',
        find: "if (gone) return 'gone'",
        replace: "if (gone && now < 0) return 'gone'",
      },
    ],
    proofs: ['webhooks'],
  },
  {
    name: 'a late 410 of the address before disables the watch',
    edits: [
      {
        file: 'src/store/queries/attempt-results.ts',
        find: 'results.filter(({ url }) => url === row.url)',
        replace: 'results.filter(({ url }) => url !== null)',
      },
    ],
    proofs: ['webhooks'],
  },
  {
    name: 'all attempts share one pool, and no account has a share of it',
    edits: [
      {
        file: 'src/deliveries/admission.ts',
        find: 'perAccountAtHost: share(perHost, 3 / 4),',
        replace: 'perAccountAtHost: perHost,',
      },
      {
        file: 'src/deliveries/admission.ts',
        find: 'perAccount: share(concurrency, 3 / 4),',
        replace: 'perAccount: concurrency,',
      },
      {
        file: 'src/deliveries/admission.ts',
        find: "  unproven: 'trial',\n  slow: 'suspended',\n  silent: 'suspended',",
        replace: "  unproven: 'regular',\n  slow: 'regular',\n  silent: 'regular',",
      },
      {
        file: 'src/deliveries/queues.ts',
        find: 'return this.#inFlight.suspended < limits.all &&',
        replace: 'return this.#inFlight.suspended < -limits.all &&',
      },
    ],
    proofs: ['shared-host'],
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
        file: 'src/startup/clock.ts',
        find: 'if (setBackBy >= MIN_SET_BACK_MS)',
        replace: 'if (setBackBy >= MIN_SET_BACK_MS * 1e9)',
      },
    ],
    proofs: ['webhooks'],
  },
  {
    name: 'redirects are followed',
    edits: [
      {
        file: 'src/deliveries/send/webhook-sender.ts',
        find: "headers['retry-after'] ?? ''",
        replace: "headers.location ?? headers['retry-after'] ?? ''",
      },
      {
        file: 'src/deliveries/send/webhook-sender.ts',
        find: 'const reply = await exchange\n',
        replace: `let reply = await exchange
    if (reply.kind === 'answered' && reply.status === 307)
      reply = await this.#exchange({ ...request, url: reply.retryAfter! }, accountId)\n`,
      },
    ],
    proofs: ['hostile'],
    beyondSimulation: 'The network of the simulation takes the place of the HTTP client.',
  },
  {
    name: 'names that lead to private addresses are allowed',
    edits: [
      {
        file: 'src/deliveries/guard/guard.ts',
        find: 'if (addressRefusal(address, allowPrivate) !== null)',
        replace: 'if (addressRefusal(address, true) !== null)',
      },
    ],
    proofs: ['hostile'],
    beyondSimulation: 'The network of the simulation takes the place of the HTTP client and of names.',
  },
  {
    name: '`recover` does nothing',
    edits: [
      {
        file: 'src/deliveries/recover.ts',
        find: 'let { failed = 0, missed = 0 } = counted\n',
        replace: 'let { failed = 0, missed = 0 } = counted\n  if (since >= 0) return { pending, failed, missed }\n',
      },
    ],
    proofs: ['webhooks'],
  },
  {
    name: 'an incident is sent after it was retracted',
    edits: [
      {
        file: 'src/domain/message-content.ts',
        find: "'incident.created': { confirmed: 'incident' }",
        replace: "'incident.created': { confirmed: 'incident', retracted: 'incident' }",
      },
    ],
    proofs: ['traffic', 'webhooks'],
  },
  {
    name: 'a retry carries the version of the first attempt',
    edits: [
      {
        file: 'src/deliveries/messages.ts',
        find: 'fresh ?? (await this.#incidents.read(event.incidentId))',
        replace: 'fresh ?? { ...(await this.#incidents.read(event.incidentId)), document: event.document }',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'a retraction repeats what was withdrawn',
    edits: [
      {
        file: 'src/domain/message-content.ts',
        find: 'const fields = Object.fromEntries(RETRACTION_FIELDS.map((field) => [field, incident[field]]))',
        replace: 'const fields = incident',
      },
    ],
    proofs: ['traffic'],
  },
  {
    name: 'pausing a watch ends its pending deliveries',
    edits: [
      {
        file: 'src/store/sqlite/lease.ts',
        find: "database.run('UPDATE deliveries SET due_at = ? WHERE id = ?', [PARKED_DUE_AT, id])",
        replace:
          "database.run(`UPDATE deliveries SET status = 'failed', due_at = NULL, finished_at = 1 WHERE id = ?`, [id])",
      },
    ],
    proofs: ['webhooks'],
  },
  {
    name: 'resuming a watch does not send what is pending',
    edits: [
      {
        file: 'src/api/watches/routes.ts',
        find: 'if (resumes(watch, after) || isRescheduled) await retryPending(after, store, clock())',
        replace: 'if (isRescheduled) await retryPending(after, store, clock())',
      },
    ],
    proofs: ['webhooks'],
  },
]
