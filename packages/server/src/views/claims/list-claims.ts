/** The claims on references that screens show: on the intents that claim or have a reference, and on the alert with it. */
import type { ClaimState } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import type { IntentId, WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { mostClaims } from '../../intents/claims/reference-claim.ts'
import type { Status } from '../../intents/intent.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { claimsAboutIntent, claimsOnReferences } from './claims-sql.ts'

export type ClaimParty = {
  readonly id: IntentId
  readonly code: string
  readonly order: string
  readonly status: Status
  readonly payable: Minor
  readonly currency: string
  readonly createdAt: Instant
}

export type ShownClaim = {
  readonly reference: string
  readonly claimedAt: Instant
  readonly by: string
  readonly claimer: ClaimParty
  readonly holder: ClaimParty | null
  readonly state: ClaimState
}

type Row = Awaited<ReturnType<typeof claimsOnReferences>>[number]

const claimOf = (row: Row): ShownClaim => ({
  reference: row.reference,
  claimedAt: row.claimed_at,
  by: row.by,
  claimer: {
    id: row.claimer_id,
    code: row.claimer_code,
    order: row.claimer_order,
    status: row.claimer_status,
    payable: row.claimer_payable,
    currency: row.claimer_currency,
    createdAt: row.claimer_created_at,
  },
  holder:
    row.holder_id === null
      ? null
      : {
          id: row.holder_id,
          code: row.holder_code!,
          order: row.holder_order!,
          status: row.holder_status!,
          payable: row.holder_payable!,
          currency: row.holder_currency!,
          createdAt: row.holder_created_at!,
        },
  state: row.paid ? 'paid' : row.holder_id === null ? 'free' : 'held',
})

/** The claims of an intent, and the claims on what it has; at most five of each, the oldest first. */
export const claimsOfIntent = async (db: Session, scope: Scope, id: IntentId, now: Instant): Promise<ShownClaim[]> => {
  const claims = (await claimsAboutIntent(db, scope, now, id)).map(claimOf)
  const own = claims.filter(({ claimer }) => claimer.id === id).slice(0, mostClaims)
  const others = claims.filter(({ holder }) => holder?.id === id).slice(0, mostClaims)
  return claims.filter((claim) => own.includes(claim) || others.includes(claim))
}

type Referenced = { readonly identity: WalletIdentity | null; readonly reference_key: string | null }

/** Finds the claims on the reference of each alert; at most five, the oldest first. */
export const claimsOnAlerts = async (
  db: Session,
  scope: Scope,
  alerts: readonly Referenced[],
  now: Instant,
): Promise<(alert: Referenced) => ShownClaim[]> => {
  const references = alerts.flatMap(({ identity, reference_key: referenceKey }) =>
    identity === null || referenceKey === null ? [] : [{ identity, referenceKey }],
  )
  const rows = references.length === 0 ? [] : await claimsOnReferences(db, scope, now, references)
  const byReference = Map.groupBy(rows, (row) => `${row.identity} ${row.reference_key}`)
  return ({ identity, reference_key: key }) =>
    (byReference.get(`${identity} ${key}`) ?? []).slice(0, mostClaims).map(claimOf)
}
