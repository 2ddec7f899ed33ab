import { checkoutOfToday } from '../../checkouts/checkout-today.ts'
import type { Scope } from '../../core/scope.ts'
import { intentOfToday } from '../../intents/intent-today.ts'
import { text, uuid } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'
import { shownToday } from '../alert-today.ts'

/**
 * Which of these objects belong to the wallets of the caller: intents, messages, wallets; checkouts and links if they offer no other
 * wallet. A message without a wallet belongs to none. Indexes: primary keys.
 */
export const objectsOfWallets = scoped(
  'objects_of_wallets',
  { kind: text(), id: uuid<string>() },
  (scope: Scope, ids: readonly string[]) => [scope.accountId, ids],
  (only) => `
  select 'intent'::text as kind, i.id from intents i
   where i.account_id = $1 and i.id = any ($2::uuid[]) ${only('i.wallet_id')} ${only.today(intentOfToday('i'))}
  union all
  select 'alert'::text, l.id from alerts l
   where l.account_id = $1 and l.id = any ($2::uuid[]) ${only('l.wallet_id')} ${only.today(shownToday('l'))}
  union all
  select 'checkout'::text, c.id from checkouts c
   where c.account_id = $1 and c.id = any ($2::uuid[]) ${only.all('c.wallets')} ${only.today(checkoutOfToday('c'))}
  union all
  select 'payment_link'::text, k.id from payment_links k
   where k.account_id = $1 and k.id = any ($2::uuid[]) ${only.all('k.wallets')}
  union all
  select 'wallet'::text, w.id from wallets w
   where w.account_id = $1 and w.id = any ($2::uuid[]) ${only('w.id')}`,
)
