/** The real service on the database in the first argument, with a key for the desk. */
import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { start } from '../../src/app.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { generateKey } from '../../src/domain/keys.ts'
import { answerParent } from '../harness/child.ts'

const operatorKey = generateKey('live', randomBytes)
const config = readConfig(
  {
    DATABASE_URL: process.argv[2],
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PORT: '0',
    OPERATOR_KEY: operatorKey,
    RATE_LIMIT: '1000000',
  },
  [],
)
const app = await start(config, { logger: pino({ level: 'warn' }) })
await app.ready
answerParent({ url: app.url, operatorKey }, {})
