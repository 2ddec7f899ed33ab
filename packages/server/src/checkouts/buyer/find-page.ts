/**
 * Finds a checkout by the token in its address, with its intents and with the account as the page shows it, in one snapshot.
 * Requests of the same moment share one statement. Nothing is cached: a reference that a buyer has just sent is on the next page.
 */
import type { Db } from '../../postgres/connection/database.ts'
import { gather } from '../../postgres/query/gather.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { CheckoutIntent, WithIntents } from '../checkout.ts'
import { checkoutIntentOf, checkoutOf, findCheckoutByToken } from '../checkout-sql.ts'
import type { TokenHash } from '../checkout-token.ts'
import type { PageClaim } from '../page-claim.ts'
import { claimOf } from '../page-claim-sql.ts'
import type { PageShop } from './page-shop.ts'

/** `claim`: on a reference that was refused to the last intent. */
export type FoundPage = { readonly found: WithIntents; readonly shop: PageShop; readonly claim: PageClaim | undefined }

/** `tokenHash`: the hash of the token in the address. Undefined: there is no such checkout. */
export type FindPage = (tokenHash: TokenHash) => Promise<FoundPage | undefined>

type Row = RowOf<typeof findCheckoutByToken.columns>

const noOrigins: readonly string[] = []

const intentsOfRow = (row: Row): CheckoutIntent[] =>
  row.intent_id === null
    ? []
    : [
        checkoutIntentOf({
          checkout_id: row.id,
          id: row.intent_id,
          wallet_id: row.wallet_id!,
          wallet_name: row.wallet_name!,
          is_test: row.is_test!,
          code: row.code!,
          status: row.intent_status!,
          base: row.base!,
          payable: row.payable!,
          paid: row.paid,
          arrived: row.arrived,
          forgiven: row.forgiven,
          excess: row.excess,
          reference: row.reference!,
          alert_id: row.alert_id,
          created_at: row.intent_created_at!,
          expires_at: row.intent_expires_at!,
          verified_at: row.verified_at,
        }),
      ]

const shopOf = (row: Row): PageShop => ({
  name: row.shop_name,
  color: row.shop_color,
  whatsapp: row.shop_whatsapp,
  phone: row.shop_phone,
  logo: {
    shop_logo: row.shop_logo,
    shop_logo_width: row.shop_logo_width,
    shop_logo_height: row.shop_logo_height,
  },
  active: row.shop_active,
  timeZone: row.time_zone,
  quota: row.quota,
  frameOrigins: row.frame_origins === '[]' ? noOrigins : (JSON.parse(row.frame_origins) as string[]),
})

export const pageFinder = (db: Db): FindPage => {
  const read = async (hashes: readonly TokenHash[]): Promise<(FoundPage | undefined)[]> => {
    const byHash = Map.groupBy(await findCheckoutByToken(db, hashes), (row) => row.token_hash)
    return hashes.map((hash) => {
      const rows = byHash.get(hash)
      if (rows === undefined) return undefined
      const found = { checkout: checkoutOf(rows[0]!), intents: rows.flatMap(intentsOfRow) }
      return { found, shop: shopOf(rows[0]!), claim: claimOf(rows.at(-1)!) }
    })
  }
  return gather<TokenHash, FoundPage | undefined>({
    together: read,
    alone: async (hash) => (await read([hash]))[0],
    most: 64,
    parallel: 3,
  })
}
