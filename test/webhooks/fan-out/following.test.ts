import { describe } from 'node:test'
import { openStore } from '../../../src/store/open.ts'
import { followingTests } from './following.ts'

describe('following an incident, with SQLite', () => followingTests(() => openStore('sqlite::memory:')))
