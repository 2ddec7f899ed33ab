/** The calls for payment links. */
import { Type } from 'typebox'
import { ChangeLink, CreateLink, PaymentLink, PaymentLinkPage } from '../checkout.ts'
import { curl, jsonHeader, sdk, tokenHeader } from '../code-sample.ts'
import { invalid } from '../openapi/error-examples.ts'
import { operationsOf } from '../operation.ts'
import * as examples from './examples.ts'
import { pageQuery } from './page-query.ts'

const operation = operationsOf({ tag: 'Payment links', access: 'key' })

export const createLink = operation({
  id: 'createLink',
  method: 'POST',
  path: '/links/',
  limit: 'checkouts',
  summary: 'Create a payment link',
  description:
    'A link to share: by message, as a QR code, on a wall. Each buyer who opens it and goes on to pay gets a checkout of their own.',
  body: CreateLink,
  bodyExamples: {
    fixed: ['A fixed amount', examples.createLink],
    open: ['The buyer says how much', examples.createOpenLink],
  },
  status: 201,
  answer: PaymentLink,
  answerDescription: 'The new link.',
  answerExamples: { link: ['Created', examples.link] },
  refusals: {
    400: {
      description: 'The body is not valid. Nothing was created.',
      examples: {
        amount: invalid('amount', ['amount', 'min_value', 'Ensure this value is greater than or equal to 0.01.']),
      },
    },
  },
  samples: [
    curl(
      'curl -X POST $CHECKOUT_URL/links/',
      tokenHeader,
      jsonHeader,
      `-d '{"amount": "2500.00", "description": "Delivery"}'`,
    ),
    sdk("const link = await sanad.links.create({ amount: '2500.00', description: 'Delivery' })"),
  ],
})

export const listLinks = operation({
  id: 'listLinks',
  method: 'GET',
  path: '/links/',
  limit: 'checkouts_list',
  summary: 'List payment links',
  description: "The account's links, newest first.",
  query: pageQuery('Links'),
  answer: PaymentLinkPage,
  answerDescription: 'One page of links.',
  answerExamples: {
    page: ['All of them', { count: 1, next: null, previous: null, results: [examples.link] }],
  },
  samples: [
    curl('curl $CHECKOUT_URL/links/', tokenHeader),
    sdk('for await (const one of sanad.links.list()) console.log(one.description, one.active)'),
  ],
})

const linkId = {
  id: {
    description: 'The `id` of the link.',
    schema: Type.String({ format: 'uuid' }),
    example: examples.link.id,
  },
}

export const retrieveLink = operation({
  id: 'retrieveLink',
  method: 'GET',
  path: '/links/{id}/',
  pathParameters: linkId,
  limit: 'checkouts',
  summary: 'Retrieve one payment link',
  description: 'The link as it stands now.',
  answer: PaymentLink,
  answerDescription: 'The link.',
  answerExamples: { link: ['A link', examples.link] },
  samples: [
    curl('curl $CHECKOUT_URL/links/$LINK/', tokenHeader),
    sdk('const { active } = await sanad.links.retrieve(link.id)'),
  ],
})

export const changeLink = operation({
  id: 'changeLink',
  method: 'PATCH',
  path: '/links/{id}/',
  pathParameters: linkId,
  limit: 'checkouts',
  summary: 'Switch a payment link off or on',
  description: 'A link that is switched off creates no more checkouts. Those that it has created can still be paid.',
  body: ChangeLink,
  bodyExamples: { off: ['Off', { active: false }] },
  answer: PaymentLink,
  answerDescription: 'The link.',
  answerExamples: { off: ['Off', { ...examples.link, active: false }] },
  refusals: {
    400: {
      description: 'The body is not valid. Nothing was changed.',
      examples: { active: invalid('active', ['active', 'required', 'This field is required.']) },
    },
  },
  samples: [
    curl('curl -X PATCH $CHECKOUT_URL/links/$LINK/', tokenHeader, jsonHeader, `-d '{"active": false}'`),
    sdk('const off = await sanad.links.update(link.id, { active: false })'),
  ],
})
