/** `/counter/` and `/counter/roll/`: the money that arrived, and the phones of the wallets, for the cashier's screen. */

import {
  type Counter,
  listRoll as listRollCall,
  mostUndoable,
  type Roll,
  showCounter,
} from '@sanad/contract/dashboard/money/counter'
import { wholeOf } from '../../../core/scope.ts'
import { listRoll, listUndoable } from '../../../views/counter/list-roll.ts'
import { listWallets, walletOf } from '../../../views/wallets/wallet-sql.ts'
import { phonesHealth } from '../../../wallets/phones/phone-health-sql.ts'
import type { IntentRouteDeps } from '../intents/intent-deps.ts'
import { healthOf } from '../intents/overview.ts'
import { type Call, type Route, route } from '../route.ts'
import { rollEntry } from './roll-answer.ts'
import { openShift } from './shifts.ts'

/** How many entries the counter shows at first. */
const firstEntries = 30

export const counterRoutes = (deps: IntentRouteDeps): Route[] => [
  route(showCounter, (call) => counter(deps, call)),
  route(listRollCall, (call) => rollPage(deps, call, call.query.page_size, call.query.after)),
]

const rollPage = async (deps: IntentRouteDeps, call: Call, size: number, after?: string): Promise<Roll> => {
  const { scope, role } = call.member
  const { rows, next } = await listRoll(deps.db, scope, size, after)
  const zone = await call.zone()
  return { next, results: rows.map((row) => rollEntry(row, role, zone, call.now)) }
}

const counter = async (deps: IntentRouteDeps, call: Call): Promise<Counter> => {
  const { member, now } = call
  const zone = await call.zone()
  const wallets = (await listWallets(deps.db, member.scope)).map(walletOf)
  const phones = await phonesHealth(deps.db, wholeOf(member.scope))
  const undoable = await listUndoable(deps.db, member.scope, mostUndoable, now)
  return {
    at: zone.format(new Date(now)),
    roll: await rollPage(deps, call, firstEntries),
    undoable: undoable.map((row) => rollEntry(row, member.role, zone, now)),
    shift: await openShift(deps, call),
    wallets: wallets.map((wallet) => healthOf(wallet, phones, zone, now)),
  }
}
