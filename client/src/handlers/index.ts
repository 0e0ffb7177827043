/** Endpoints for webhooks: `incident-feed-client/handlers`. */
export * from './express.ts'
export * from './fastify.ts'
export * from './fetch.ts'
export type * from './webhook-handler.ts'
