/** Inserts a wallet without the checks of the service: with any number, also of another wallet, and with any phone. */
import type { Instant } from '../../../src/core/clock.ts'
import type { AccountId, PhoneId, ProviderId, WalletId } from '../../../src/core/ids.ts'
import type { Session } from '../../../src/postgres/connection/database.ts'

export const plantWallet = async (
  db: Session,
  wallet: {
    readonly id: WalletId
    readonly accountId: AccountId
    readonly providerId: ProviderId
    readonly phoneId: PhoneId | null
    readonly name: string
    readonly accountNumber: string
    readonly senderName: string
    readonly simSlot?: string
  },
  now: Instant,
): Promise<void> => {
  const { id, accountId, providerId, phoneId, name, accountNumber, senderName, simSlot = '' } = wallet
  await db.run({
    text: `insert into wallets (id, identity, account_id, provider_id, device_id, name, account_number, sender_name, sim_slot, active,
                                is_test, created_at)
           values ($1, $1, $2, $3, $4, $5, $6, $7, $8, true, false, $9)`,
    values: [id, accountId, providerId, phoneId, name, accountNumber, senderName, simSlot, new Date(now).toISOString()],
  })
}
