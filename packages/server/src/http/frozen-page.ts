/** Buyers' pages of an account that is frozen: they are not shown, and nothing that a buyer sends is taken. */
import type { FastifyRequest } from 'fastify'
import type { FindPage } from '../checkouts/buyer/find-page.ts'
import type { FrozenAccounts } from '../postgres/tenancy/frozen-accounts.ts'
import { accountFrozen } from './answers.ts'

/** Throws if the account of the page is frozen. */
export const refuseFrozen = ({ server }: FastifyRequest, accountId: string): void => {
  if (server.frozen?.has(accountId)) throw accountFrozen()
}

/** Finds pages of accounts that are not frozen, and throws for the others. */
export const findUnfrozen =
  (findPage: FindPage, frozen: Pick<FrozenAccounts, 'has'>): FindPage =>
  async (hash) => {
    const page = await findPage(hash)
    if (page !== undefined && frozen.has(page.found.checkout.accountId)) throw accountFrozen()
    return page
  }
