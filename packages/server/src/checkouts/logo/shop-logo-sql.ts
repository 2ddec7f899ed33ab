import type { AccountId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { bytes, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import type { LogoImage, LogoType } from './logo-image.ts'

/** Saves the logo; null removes it. The caller has locked the row of checkout_pages, so it exists. Index: primary key. */
export const saveLogo = scoped(
  'save_logo',
  noColumns,
  (scope: Scope, logo: (LogoImage & { readonly hash: Buffer }) | null) => [
    scope.accountId,
    logo?.bytes ?? null,
    logo?.hash ?? null,
    logo?.type ?? null,
    logo?.width ?? null,
    logo?.height ?? null,
  ],
  `
  update checkout_pages
     set logo = $2, logo_hash = $3, logo_type = $4, logo_width = $5, logo_height = $6
   where account_id = $1`,
)

/** The logo of an account without its bytes. Index: primary key. */
export const findLogo = scoped(
  'find_logo',
  {
    hash: nullable(bytes()),
    type: nullable(text<LogoType>()),
    width: nullable(whole()),
    height: nullable(whole()),
  },
  (scope: Scope) => [scope.accountId],
  `
  select logo_hash as hash, logo_type as type, logo_width as width, logo_height as height
    from checkout_pages
   where account_id = $1`,
)

/** A logo by its hash, which is its address. Several accounts may have the same one. Index: checkout_pages_logo. */
export const logoByHash = statement(
  'logo_by_hash',
  { account_id: uuid<AccountId>(), logo: bytes(), type: text<LogoType>() },
  (hash: Buffer) => [hash],
  `
  select account_id, logo, logo_type as type
    from checkout_pages
   where logo_hash >= $1 and logo_hash <= $1
   order by logo_hash
   limit 1`,
)
