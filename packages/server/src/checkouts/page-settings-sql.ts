import type { Scope } from '../core/scope.ts'
import { jsonText, text } from '../postgres/query/columns.ts'
import { scoped } from '../postgres/query/statement.ts'

const columns = { shop_name: text(), color: text(), whatsapp: text(), phone: text(), frame_origins: jsonText() }
const fields = 'shop_name, color, whatsapp, phone, to_json(frame_origins) as frame_origins'

/** Index: primary key. */
export const findPageSettings = scoped(
  'find_page_settings',
  columns,
  (scope: Scope) => [scope.accountId],
  `select ${fields} from checkout_pages where account_id = $1`,
)

/** The same, locked until the transaction ends. The row is created if there is none. Index: primary key. */
export const lockPageSettings = scoped(
  'lock_page_settings',
  columns,
  (scope: Scope) => [scope.accountId],
  `
  insert into checkout_pages as p (account_id) values ($1)
  on conflict (account_id) do update set shop_name = p.shop_name
  returning ${fields}`,
)

/** Null leaves a setting as it is. Index: primary key. */
export const savePageSettings = scoped(
  'save_page_settings',
  columns,
  (
    scope: Scope,
    changes: {
      shop_name?: string | undefined
      color?: string | undefined
      whatsapp?: string | undefined
      phone?: string | undefined
      frame_origins?: readonly string[] | undefined
    },
  ) => [
    scope.accountId,
    changes.shop_name ?? null,
    changes.color ?? null,
    changes.whatsapp ?? null,
    changes.phone ?? null,
    changes.frame_origins ?? null,
  ],
  `
  update checkout_pages
     set shop_name = coalesce($2, shop_name), color = coalesce($3, color), whatsapp = coalesce($4, whatsapp),
         phone = coalesce($5, phone), frame_origins = coalesce($6::text[], frame_origins)
   where account_id = $1
  returning ${fields}`,
)
