import { describe } from 'node:test'
import { openStore } from '../../src/store/open.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { followingTests } from './following.ts'

describe('following an incident, with PostgreSQL', () =>
  followingTests(async (scope) => openStore(scope.use(await testDatabase()).url)))
