/** Payment links in the dashboard: listing, showing with the funnel, creating, switching off and on, the QR code as a file. */
import { type Static, Type } from 'typebox'
import { CreateLink, PaymentLink } from '../../checkout.ts'
import { operationsOf } from '../../operation.ts'
import { choiceField } from '../../query.ts'
import { oneOf } from '../../scalars.ts'
import { closed, flag, orNull } from '../../schema.ts'
import { fileName, inert } from '../answer-headers.ts'
import { By } from '../money/by.ts'
import { pageOf, pageQuery } from '../page.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const LinkFunnel = closed('How far buyers came. From `started` on, each checkout counts once at each step.', {
  opened: count(
    'How many browsers have opened the link, each once a day. Programs that preview links are not counted. At least `started`.',
  ),
  started: count('How many buyers went on from the link to a payment page: the checkouts that it has made.'),
  chosen: count('In how many of them a wallet was chosen.'),
  sent: count('In how many of them a reference was sent.'),
  paid: count('How many of them are paid.'),
})

const { url: _url, ...fieldsWithoutUrl } = PaymentLink.properties

const linkFields = {
  ...fieldsWithoutUrl,
  url: orNull(Type.String({ format: 'uri' }), 'The link to share. Null for a role that only reads.'),
  funnel: LinkFunnel,
}

export const ListedLink = closed(linkFields)
export type ListedLink = Static<typeof ListedLink>

export const ShownLink = closed('A payment link with all that is known of it.', {
  ...linkFields,
  qr_svg: orNull(Type.String(), 'The link as a QR code, or null.'),
  created_by: By,
})
export type ShownLink = Static<typeof ShownLink>

const operation = operationsOf({ tag: 'Payment links' })

export const listPaymentLinks = operation({
  id: 'listPaymentLinks',
  method: 'GET',
  path: '/payment-links/',
  access: 'checkouts.read',
  summary: 'The payment links, newest first',
  query: pageQuery('uuid'),
  answer: pageOf(ListedLink, 'Payment links, newest first.'),
})

export const createPaymentLink = operation({
  id: 'createPaymentLink',
  method: 'POST',
  path: '/payment-links/',
  access: 'checkouts.write',
  summary: 'Make a payment link',
  description: 'The rules are those of the checkout API. An account has 1,000 links at most.',
  body: CreateLink,
  example: { amount: '1500.00', description: 'A box of dates', wallets: ['{wallet}'] },
  status: 201,
  answer: ShownLink,
})

export const showPaymentLink = operation({
  id: 'showPaymentLink',
  method: 'GET',
  path: '/payment-links/{id}/',
  access: 'checkouts.read',
  summary: 'One payment link with its funnel',
  answer: ShownLink,
})

export const switchPaymentLink = operation({
  id: 'switchPaymentLink',
  method: 'PATCH',
  path: '/payment-links/{id}/',
  access: 'checkouts.write',
  summary: 'Switch a payment link off or on',
  description: 'A link that is switched off creates no more checkouts. Those that it has created can still be paid.',
  body: Type.Object({ active: flag('Whether it makes checkouts.') }),
  example: { active: false },
  answer: ShownLink,
})

export const qrFormats = ['svg', 'png'] as const

export const downloadLinkQr = operation({
  id: 'downloadLinkQr',
  method: 'GET',
  path: '/payment-links/{id}/qr/',
  access: 'checkouts.write',
  summary: 'The QR code of a payment link as a file',
  query: {
    format: {
      description: '`svg` (the default) or `png`.',
      schema: choiceField(qrFormats, 'Select a valid choice: svg or png.'),
      published: oneOf(qrFormats, 'The kind of file.'),
    },
  },
  answerTypes: ['image/svg+xml', 'image/png'],
  answerHeaders: { ...fileName, ...inert },
})

export const paymentLinkOperations = operation.described
