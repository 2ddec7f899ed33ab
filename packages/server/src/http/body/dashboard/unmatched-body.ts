/** Reads the bodies of the actions on unmatched money. */
import { acceptPaid } from '@sanad/contract/dashboard/money/intents'
import { Booking, chooseWallet, dismissAlert } from '@sanad/contract/dashboard/money/unmatched'
import type { WalletId } from '../../../core/ids.ts'
import { bodyReader, mapBody } from '../schema-reader.ts'

export const readBooking = bodyReader(Booking)
export const readWalletChoice = mapBody(bodyReader(chooseWallet.body), ({ wallet }) => ({ wallet: wallet as WalletId }))
export const readAcceptPaid = bodyReader(acceptPaid.body)
export const readDismissal = bodyReader(dismissAlert.body)
