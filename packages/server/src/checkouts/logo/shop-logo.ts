/**
 * The logo of a shop on its checkout pages: set, removed, and found by the hash of its bytes, which is its address. So an address
 * never shows another picture, and browsers may cache it for ever. A change is written to the audit log.
 */
import { createHash } from 'node:crypto'
import type { WriteAudit } from '../../accounts/audit/audit.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import { lockPageSettings } from '../page-settings-sql.ts'
import type { LogoImage, LogoType } from './logo-image.ts'
import { findLogo, logoByHash, saveLogo } from './shop-logo-sql.ts'

export type ShopLogo = {
  /** SHA-256 of its bytes, in base64url. */
  readonly name: string
  readonly type: LogoType
  readonly width: number
  readonly height: number
}

const nameForm = /^[A-Za-z0-9_-]{43}$/

export const logoOf = async (db: Session, scope: Scope): Promise<ShopLogo | null> => {
  const [row] = await findLogo(db, scope)
  if (row === undefined || row.hash === null) return null
  return { name: row.hash.toString('base64url'), type: row.type!, width: row.width!, height: row.height! }
}

/** Null removes the logo. Logs nothing if the logo is the same. */
export const changeLogo = async (tx: Tx, audit: WriteAudit, scope: Scope, image: LogoImage | null): Promise<void> => {
  await lockPageSettings(tx, scope)
  const before = await logoOf(tx, scope)
  await saveLogo(tx, scope, image && { ...image, hash: createHash('sha256').update(image.bytes).digest() })
  const after = await logoOf(tx, scope)
  if (before?.name === after?.name) return
  const change = {
    action: 'account.checkout_logo',
    kind: 'account',
    id: scope.accountId,
    accountId: scope.accountId,
  } as const
  audit({ ...change, before: { logo: before }, after: { logo: after } })
}

/** The bytes of a logo by the name in its address; undefined: there is none. */
export const findLogoByName = async (
  db: Session,
  name: string,
): Promise<{ readonly account_id: AccountId; readonly logo: Buffer; readonly type: LogoType } | undefined> =>
  nameForm.test(name) ? (await logoByHash(db, Buffer.from(name, 'base64url')))[0] : undefined
