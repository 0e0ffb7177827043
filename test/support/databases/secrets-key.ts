/** Nodes on PostgreSQL need a common key; services on several databases may have the same. */
export const TEST_SECRETS_KEY = Buffer.alloc(32, 'a test key').toString('base64')
