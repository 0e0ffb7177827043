import { createApiClient } from './api-client.ts'
import { initialData } from './initial-data.ts'

/** Uses the publishable key that the server has put into the page. */
export const api = createApiClient(initialData.key)
