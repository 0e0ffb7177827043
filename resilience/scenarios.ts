import { backup } from './faults/backup/backup.ts'
import { channelsHanging, channelsKill } from './faults/channels/channels.ts'
import { clock } from './faults/clock.ts'
import { hostileConnections } from './faults/connections/hostile-connections.ts'
import { stopping } from './faults/connections/stopping.ts'
import { damagedStore } from './faults/damaged-store.ts'
import { hangingHosts } from './faults/fairness/hanging-hosts.ts'
import { sharedHost } from './faults/fairness/shared-host.ts'
import { silentNames } from './faults/fairness/silent-names.ts'
import { fewConnections } from './faults/few-connections.ts'
import { fullDisk } from './faults/full-disk.ts'
import { hangingEndpoints } from './faults/hanging-endpoints.ts'
import { hostile } from './faults/hostile/hostile.ts'
import { idempotencyKill } from './faults/idempotency-kill.ts'
import { kill } from './faults/kill.ts'
import { lossyPromotion } from './faults/lossy-promotion.ts'
import { moving } from './faults/moving/moving.ts'
import { frozenNodes } from './faults/nodes/freeze.ts'
import { nodes } from './faults/nodes/nodes.ts'
import { partitionedNodes } from './faults/nodes/partition.ts'
import { postgresKill } from './faults/postgres-kill.ts'
import { postgresPowerLoss, powerLoss } from './faults/power-loss.ts'
import { promotion } from './faults/promotion.ts'
import { rolling, rollingMillion } from './faults/rolling/rolling.ts'
import { savedArchiveKill } from './faults/saved/saved-archive-kill.ts'
import { traffic } from './faults/traffic.ts'
import { crowd } from './faults/webhooks/crowd.ts'
import { webhooks } from './faults/webhooks/webhooks.ts'
import { wrongKeyFlood } from './faults/wrong-key-flood.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { sabotage, simulatedSabotage } from './sabotage/run.ts'
import type { Scenario } from './scenario.ts'
import { soak } from './soak/soak.ts'

/** All scenarios by the name on the command line, in the order in which they run. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  traffic,
  kill,
  'channels-kill': channelsKill,
  'idempotency-kill': idempotencyKill,
  'power-loss': powerLoss,
  'postgres-power-loss': postgresPowerLoss,
  'postgres-kill': postgresKill,
  promotion,
  'lossy-promotion': lossyPromotion,
  'few-connections': fewConnections,
  nodes,
  rolling,
  'rolling-million': rollingMillion,
  freeze: frozenNodes,
  partition: partitionedNodes,
  webhooks,
  crowd,
  clock,
  'full-disk': fullDisk,
  'damaged-store': damagedStore,
  'saved-archive': savedArchiveKill,
  backup,
  moving,
  hanging: hangingEndpoints,
  'channels-hanging': channelsHanging,
  'shared-host': sharedHost,
  'hanging-hosts': hangingHosts,
  'silent-names': silentNames,
  flood: wrongKeyFlood,
  hostile,
  connections: hostileConnections,
  stopping,
  fuzz,
  sabotage,
  'simulated-sabotage': simulatedSabotage,
  soak,
}
