/** The operations of payment links. */
import { ChangeLink, CreateLink, PaymentLink, PaymentLinkPage } from '../checkout.ts'
import type { Operation } from '../merchant-openapi/operations.ts'
import { checkoutId, errorAnswer, filter, guarded, json, refused, shared, text } from './answers.ts'
import * as examples from './examples.ts'

const linkId = { ...checkoutId, description: 'The `id` of the link.', example: examples.link.id }

export const linkPaths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  '/links/': {
    post: {
      operationId: 'createLink',
      tags: ['Payment links'],
      summary: 'Create a payment link',
      description:
        'A link to share: by message, as a QR code, on a wall. Each buyer who opens it and goes on to pay gets a checkout of their own.',
      requestBody: {
        required: true,
        content: json(CreateLink, {
          fixed: ['A fixed amount', examples.createLink],
          open: ['The buyer says how much', examples.createOpenLink],
        }),
      },
      responses: {
        201: { description: 'The new link.', content: json(PaymentLink, { link: ['Created', examples.link] }) },
        400: errorAnswer('The body is not valid. Nothing was created.', [
          'amount',
          refused('validation_error', 'min_value', 'Ensure this value is greater than or equal to 0.01.', 'amount'),
        ]),
        ...guarded,
      },
    },
    get: {
      operationId: 'listLinks',
      tags: ['Payment links'],
      summary: 'List payment links',
      description: "The account's links, newest first.",
      parameters: [
        filter('page_size', 'Links per page, 100 at most, 20 by default.', { type: 'integer' }),
        filter('page', 'Number of the page, from 1; `last` is the last one.', text),
      ],
      responses: {
        200: {
          description: 'One page of links.',
          content: json(PaymentLinkPage, {
            page: ['All of them', { count: 1, next: null, previous: null, results: [examples.link] }],
          }),
        },
        404: shared('NotFound'),
        ...guarded,
      },
    },
  },
  '/links/{id}/': {
    get: {
      operationId: 'retrieveLink',
      tags: ['Payment links'],
      summary: 'Retrieve one payment link',
      description: 'The link as it stands now.',
      parameters: [linkId],
      responses: {
        200: { description: 'The link.', content: json(PaymentLink, { link: ['A link', examples.link] }) },
        404: shared('NotFound'),
        ...guarded,
      },
    },
    patch: {
      operationId: 'changeLink',
      tags: ['Payment links'],
      summary: 'Switch a payment link off or on',
      description:
        'A link that is switched off creates no more checkouts. Those that it has created can still be paid.',
      parameters: [linkId],
      requestBody: { required: true, content: json(ChangeLink, { off: ['Off', { active: false }] }) },
      responses: {
        200: {
          description: 'The link.',
          content: json(PaymentLink, { off: ['Off', { ...examples.link, active: false }] }),
        },
        400: errorAnswer('The body is not valid. Nothing was changed.', [
          'active',
          refused('validation_error', 'required', 'This field is required.', 'active'),
        ]),
        404: shared('NotFound'),
        ...guarded,
      },
    },
  },
}
