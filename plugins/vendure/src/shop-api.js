/**
 * The Shop API for a storefront with its own payment page: the wallets to choose from, and the reference that the buyer
 * typed. The decorators are called as functions, because this is plain JavaScript without a build.
 */
import { Args, Mutation, Query, Resolver } from '@nestjs/graphql'
import { ActiveOrderService, Allow, Ctx, Permission } from '@vendure/core'
import { gql } from 'graphql-tag'

/** @import { Sanad } from '@sanad/sdk' */
/** @import { SanadPayments } from './payments.js' */

export const schema = gql`
  "A wallet that the buyer can pay into."
  type SanadWallet {
    id: ID!
    name: String!
    accountNumber: String!
    provider: String!
    color: String!
  }
  "What became of a reference: PENDING, VERIFIED, WRONG_AMOUNT, TEST (test money, not counted), REFUSED, or NONE: no payment waits for one."
  type SanadReference {
    status: String!
    message: String!
  }
  extend type Query {
    sanadWallets: [SanadWallet!]!
  }
  extend type Mutation {
    "Sends the reference that the wallet showed, for the payment of the active order that waits for it."
    attachSanadReference(reference: String!): SanadReference!
  }
`

/** @type {(target: Function, name: string, decorators: readonly any[], parameters: readonly any[]) => void} */
const decorate = (target, name, decorators, parameters) => {
  const descriptor = Object.getOwnPropertyDescriptor(target.prototype, name)
  for (const [index, decorator] of parameters.entries()) decorator(target.prototype, name, index)
  for (const decorator of decorators) decorator(target.prototype, name, descriptor)
}

/** @param {{ sanad: Sanad, testMode: boolean, payments: () => SanadPayments, orders: () => ActiveOrderService }} deps */
export const shopResolver = ({ sanad, testMode, payments, orders }) => {
  class SanadShopResolver {
    async sanadWallets() {
      const wallets = await sanad.wallets.list({ includeTest: testMode })
      return wallets.map(({ id, name, account_number, provider }) => ({
        id,
        name,
        accountNumber: account_number,
        provider: provider.display_name,
        color: provider.theme_color,
      }))
    }

    /** @type {(ctx: import('@vendure/core').RequestContext, reference: string) => Promise<object>} */
    async attachSanadReference(ctx, reference) {
      const order = await orders().getActiveOrder(ctx, undefined)
      if (order === undefined) return { status: 'NONE', message: 'There is no active order.' }
      return payments().attachReference(order.id, reference)
    }
  }
  Resolver()(SanadShopResolver)
  decorate(SanadShopResolver, 'sanadWallets', [Query(), Allow(Permission.Public)], [])
  decorate(SanadShopResolver, 'attachSanadReference', [Mutation(), Allow(Permission.Owner)], [Ctx(), Args('reference')])
  return SanadShopResolver
}
