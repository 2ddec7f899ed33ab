/**
 * Whether two wallets of one phone could be told apart. An alert names its sender, and at best its SIM: of several active
 * wallets with one sender only the slot decides (matching/report/understand-report.ts). So each of them needs a slot, and none may
 * share it. Pure.
 */
import type { Wallet } from './wallet.ts'

type Watched = Pick<Wallet, 'name' | 'senderName' | 'simSlot' | 'active'>

/** The first of the phone's other wallets whose alerts could be taken for this one's. */
export const collidesWith = <W extends Watched>(wallet: Watched, others: readonly W[]): W | undefined => {
  if (!wallet.active || wallet.senderName === '') return undefined
  return others.find(
    (other) =>
      other.active &&
      other.senderName === wallet.senderName &&
      (wallet.simSlot === '' || other.simSlot === '' || wallet.simSlot === other.simSlot),
  )
}
