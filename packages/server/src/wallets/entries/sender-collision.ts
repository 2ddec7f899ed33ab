/**
 * Whether the alerts of two wallets of one phone can be told apart. An alert has a sender and at best a SIM: among active
 * wallets with the same sender only the SIM slot decides (matching/reading/read-report.ts). So each of them needs a slot,
 * and no two may share one. Pure.
 */
import type { Wallet } from '../wallet.ts'

type Watched = Pick<Wallet, 'name' | 'senderName' | 'simSlot' | 'active'>

/** The first other wallet of the phone whose alerts could be taken for this one's. */
export const collidesWith = <W extends Watched>(wallet: Watched, others: readonly W[]): W | undefined => {
  if (!wallet.active || wallet.senderName === '') return undefined
  return others.find(
    (other) =>
      other.active &&
      other.senderName === wallet.senderName &&
      (wallet.simSlot === '' || other.simSlot === '' || wallet.simSlot === other.simSlot),
  )
}
