/**
 * The checkout API as an OpenAPI 3.1 document. Tests compare the server's answers with the same schemas. The server serves
 * it. Errors and limits are those of the merchant API, whose document explains them.
 */
import {
  ChangeLink,
  Checkout,
  CheckoutCompleted,
  CheckoutCustomer,
  CheckoutExpired,
  CheckoutIntent,
  CheckoutPage,
  CheckoutStatus,
  CheckoutWallet,
  CreateCheckout,
  CreateLink,
  PaymentLink,
  PaymentLinkPage,
} from '../checkout.ts'
import { ErrorAnswer, ErrorEntry } from '../errors.ts'
import { IntentStatus, Item, NewItem } from '../intent.ts'
import { type Api, type DocumentOptions, type OpenApiDocument, openApi } from '../openapi/document.ts'
import { hintHeaders } from '../openapi/hint-headers.ts'
import { accessToken, tokenErrors } from '../openapi/token-errors.ts'
import * as examples from './examples.ts'
import { checkoutOperations } from './operations.ts'

const optIn =
  'Only for endpoints that subscribe to it. Signed and sent like every event of the merchant API; once for each checkout.'

const api: Api = {
  title: 'Sanad checkout API',
  introduction: () =>
    'Pages on which buyers pay, for shops that do not build their own. Tokens, errors, limits and idempotency are those of the ' +
    '[merchant API](/docs). A buyer who comes back to `return_url` may not have paid: only this API and the webhooks prove a payment.',
  tags: [
    { name: 'Checkouts', description: 'Pages on which buyers pay' },
    { name: 'Payment links', description: 'Links to share' },
    { name: 'Webhooks', description: 'Events that we send to your server' },
  ],
  ...accessToken,
  operations: checkoutOperations,
  webhooks: {
    'checkout.completed': {
      id: 'checkoutCompleted',
      summary: 'A checkout was paid in full',
      description: optIn,
      body: CheckoutCompleted,
      example: examples.completed,
    },
    'checkout.expired': {
      id: 'checkoutExpired',
      summary: 'A checkout ended unpaid',
      description: optIn,
      body: CheckoutExpired,
      example: examples.expired,
    },
  },
  webhookAnswers: {
    '2XX': { description: 'Your server has received the event. After any other answer it is sent again.' },
  },
  // Tests allow only these fields in our answers. Merchants’ programs should ignore fields they do not know.
  schemas: {
    CreateCheckout,
    // Taken from the body: `Type.Optional` makes another schema object, and the body refers to that one.
    NewCustomer: CreateCheckout.properties.customer,
    NewItem,
    Checkout,
    CheckoutStatus,
    CheckoutIntent,
    CheckoutWallet,
    CheckoutCustomer,
    IntentStatus,
    Item,
    CheckoutPage,
    CreateLink,
    ChangeLink,
    PaymentLink,
    PaymentLinkPage,
    CheckoutCompleted,
    CheckoutExpired,
    ErrorAnswer,
    ErrorEntry,
  },
  answerHeaders: hintHeaders,
  bodiesRequired: true,
  errorSchema: ErrorAnswer,
  errors: tokenErrors,
  errorHeadersLast: true,
}

export const checkoutOpenApi = (options: DocumentOptions): OpenApiDocument => openApi(api, options)
