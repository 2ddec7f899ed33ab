/** Every call of the checkout API, in the order in which the document shows them. */
import type { Operation } from '../operation.ts'
import { cancelCheckout, createCheckout, listCheckouts, retrieveCheckout } from './checkouts.ts'
import { changeLink, createLink, listLinks, retrieveLink } from './links.ts'

export const checkoutOperations: readonly Operation[] = [
  createCheckout,
  listCheckouts,
  retrieveCheckout,
  cancelCheckout,
  createLink,
  listLinks,
  retrieveLink,
  changeLink,
]
