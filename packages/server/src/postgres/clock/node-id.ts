/** The ids of nodes, by which they are listed. Processes of one machine that have one parent share the beginning of their ids. */
import { randomUUID } from 'node:crypto'

/** 24 of 32 digits: two machines never begin alike. */
const sharedLength = 27

/** The id of a new node. `machineId`: of the parent; undefined: the node is alone. */
export const nodeIdIn = (machineId: string | undefined): string => {
  const own = randomUUID()
  return machineId === undefined ? own : machineId.slice(0, sharedLength) + own.slice(sharedLength)
}

/** How many machines the nodes are of: a node without a parent is a machine of its own. */
export const machinesOf = (nodeIds: readonly string[]): number =>
  new Set(nodeIds.map((id) => id.slice(0, sharedLength))).size
