import type { ErrorDescription } from './error-description.ts'

/** Incidents, places and the decisions of the desk. */
export const INCIDENT_ERRORS = {
  merged: {
    status: 301,
    title: 'The incident was merged into another',
    meaning:
      'Both told of the same event. `Location` is the address of the one that remains; delete your copy of this one.',
  },
  outside_nigeria: {
    status: 404,
    title: 'The point lies outside Nigeria',
    meaning: 'Check the order: latitude first, then longitude.',
  },
  not_in_this_state: {
    status: 409,
    title: 'The incident is not in a state that allows this',
    meaning: 'The detail names its current state: another editor may already have changed it.',
  },
  claimed_by_another: {
    status: 409,
    title: 'Another editor has claimed the incident',
    meaning:
      'The detail says who, and until when. Wait, or take it over: `POST /v1/desk/incidents/{id}/claim` with `{"take_over": true}`.',
  },
  changed_since: {
    status: 409,
    title: 'The incident was changed since',
    meaning: 'Undoing the step would lose the later change, which the detail names. Undo that one first.',
  },
  not_undoable: {
    status: 409,
    title: 'The step cannot be undone',
    meaning: 'The detail says why: it is not a decision, was undone already, or is not the last one.',
  },
  retracted: {
    status: 410,
    title: 'The incident was retracted',
    meaning: 'It was published, but it was wrong. Delete your copy.',
  },
  position_lost: {
    status: 410,
    title: 'The position is no longer there',
    meaning:
      'The service was restored from a backup that is older than this position. Rebuild your copy; the detail names the position from which you could continue.',
  },
  stale_version: {
    status: 412,
    title: 'Somebody else has changed it',
    meaning: 'Read the incident again, check what has changed, and send the new version in `If-Match`.',
  },
  version_required: {
    status: 428,
    title: 'The version is missing',
    meaning: 'Send `If-Match: "<version>"` with the version that you have read, so that no change of others is lost.',
  },
  challenge_used: {
    status: 409,
    title: 'The challenge was answered before',
    meaning:
      'A challenge is good for one tip or addition. Repeating the same request gets the same answer; for other content ask for another challenge.',
  },
  too_many_additions: {
    status: 409,
    title: 'Nothing more can be added to the tip',
    meaning: 'Send what is new as another tip.',
  },
  too_many_places: {
    status: 409,
    title: 'The desk has added as many places as it may',
    meaning: 'Remove places that are not needed, or have the operator import a file: `incident-feed places import`.',
  },
} as const satisfies Record<string, ErrorDescription>
