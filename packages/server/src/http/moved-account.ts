/**
 * Accounts that are not used here. A call of a frozen account is refused. A call of an account that is used in another cell is thrown as
 * `MovedAccount` as soon as it is known whose call it is, before anything of the rows that stayed here decides about it: the other cell
 * decides (http/forward/).
 */
import type { FastifyInstance } from 'fastify'
import type { FindPage } from '../checkouts/buyer/find-page.ts'
import type { FrozenAccounts } from '../postgres/tenancy/frozen-accounts.ts'
import { accountFrozen, Problem } from './answers.ts'

/** The account of the call is used in another cell. Answered as a frozen account where nobody forwards. */
export class MovedAccount extends Problem {
  readonly accountId: string
  /** The origin of the other cell. */
  readonly origin: string
  constructor(accountId: string, origin: string) {
    const { status, type, errors, headers } = accountFrozen()
    super(status, type, errors, headers)
    this.accountId = accountId
    this.origin = origin
  }
}

/** What the call names is unknown here. It may be known to a cell to which accounts have moved, which then answers. */
export class UnknownHere extends Problem {
  /** Called when a cell knows it. */
  readonly onKnown: () => void
  constructor({ status, type, errors, headers, extraFields }: Problem, onKnown: () => void) {
    super(status, type, errors, headers, extraFields)
    this.onKnown = onKnown
  }
}

type Server = Pick<FastifyInstance, 'frozen'>

/** The origin of the cell in which the account is used, if it is not this one. */
export const cellOf = ({ frozen }: Server, accountId: string): string | undefined => {
  const place = frozen?.placeOf(accountId)
  return place === undefined || place === 'frozen' ? undefined : place.movedTo
}

/** Throws if the account has moved. For a caller of whom the account is known, and nothing else is checked yet. */
export const requireNotMoved = (server: Server, accountId: string): void => {
  const origin = cellOf(server, accountId)
  if (origin !== undefined) throw new MovedAccount(accountId, origin)
}

/** Throws if the account is frozen or has moved. */
export const requireHere = (server: Server, accountId: string): void => {
  if (server.frozen?.placeOf(accountId) === undefined) return
  requireNotMoved(server, accountId)
  throw accountFrozen()
}

/** For a browser, which is not forwarded: the account is used at `origin`. */
export const accountMoved = (origin: string): Problem =>
  new Problem(
    403,
    'client_error',
    [{ code: 'account_moved', detail: `This account is now used at ${origin}. Sign in there.`, attr: null }],
    {},
    { facts: { origin } },
  )

/** Throws if the account has moved. For what a browser asks of an account before anybody has signed in. */
export const requireAccountHere = (server: Server, accountId: string): void => {
  const origin = cellOf(server, accountId)
  if (origin !== undefined) throw accountMoved(origin)
}

/** Finds pages of accounts that are used here, and throws for the others. */
export const findHere =
  (findPage: FindPage, frozen: FrozenAccounts): FindPage =>
  async (hash) => {
    const page = await findPage(hash)
    if (page !== undefined) requireHere({ frozen }, page.found.checkout.accountId)
    return page
  }
