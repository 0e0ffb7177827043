import { type Cluster, startCluster } from './databases/postgres-server.ts'

let cluster: Cluster | null = null

/** Starts one PostgreSQL server for the whole run and passes its URL in the environment. */
export async function globalSetup(): Promise<void> {
  cluster = await startCluster()
  process.env.TEST_CLUSTER_URL = cluster.url
  process.env.TEST_CLUSTER_TEMPLATE = cluster.template
}

export async function globalTeardown(): Promise<void> {
  await cluster?.[Symbol.asyncDispose]()
}
