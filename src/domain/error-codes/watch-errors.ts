import type { ErrorDescription } from './error-description.ts'

/** Watches and their deliveries. */
export const WATCH_ERRORS = {
  name_taken: {
    status: 409,
    title: 'The name is taken',
    meaning:
      'Another watch (or, for a saved area or list of sites, another of these) of your account has this name. Names are unique, because messages carry them.',
  },
  area_in_use: {
    status: 409,
    title: 'Watches use this area',
    meaning: 'The detail names them. Give them another filter, or delete them, first.',
  },
  too_many_areas: {
    status: 409,
    title: 'Your account has as many saved areas as it may',
    meaning: 'Delete an area that you do not need: `DELETE /v1/areas/{id}`.',
  },
  sites_in_use: {
    status: 409,
    title: 'Watches use this list of sites',
    meaning: 'The detail names them. Give them another filter, or delete them, first.',
  },
  too_many_site_lists: {
    status: 409,
    title: 'Your account has as many lists of sites as it may',
    meaning: 'Delete a list that you do not need: `DELETE /v1/sites/{id}`.',
  },
  too_many_watches: {
    status: 409,
    title: 'Your account has as many watches as it may',
    meaning: 'Delete a watch, combine several filters in one watch, or ask the operator for a higher limit.',
  },
  too_many_alerts: {
    status: 409,
    title: 'The browser has as many alerts as it may',
    meaning: 'End one: `/alerts` lists those of the browser in which it is opened.',
  },
  not_a_webhook: {
    status: 409,
    title: 'The watch is not a webhook',
    meaning: 'Only messages of webhooks are signed, and only these can be listened to.',
  },
  channel_unavailable: {
    status: 409,
    title: 'The channel cannot be used',
    meaning: 'The operator has not set it up, or it does not answer: the detail says which.',
  },
  address_not_confirmed: {
    status: 409,
    title: 'The address of your account is not confirmed',
    meaning:
      'Mails go only to an address that a mailed link has shown to be yours: sign in once with the link that `/sign-in` mails.',
  },
  code_needed: {
    status: 409,
    title: 'The chat must agree',
    meaning:
      'A code was sent to the chat. Send the request again with it as `channel.code`; this shows that somebody there wants the messages.',
  },
  watch_not_active: {
    status: 409,
    title: 'The watch is not active',
    meaning: 'Activate it first: `PATCH` with `"status": "active"`.',
  },
  not_redeliverable: {
    status: 409,
    title: 'The delivery cannot be sent again',
    meaning: 'Its incident was retracted since, or it was a test message: the detail says which.',
  },
  too_many_secrets: {
    status: 409,
    title: 'The watch has as many valid secrets as it may',
    meaning: 'Wait until old ones expire, 24 hours after they were replaced, or end them with `{"revoke": true}`.',
  },
} as const satisfies Record<string, ErrorDescription>
