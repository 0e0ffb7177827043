import { describe } from 'node:test'
import { openMemoryStore } from '../../support/databases/memory-store.ts'
import { followingTests } from './following.ts'

describe('following an incident, with SQLite', () => followingTests(() => openMemoryStore()))
