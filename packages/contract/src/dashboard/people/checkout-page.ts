/** What buyers see of the account on its checkout pages: the shop's name, its colour, and how to reach it. */
import { type Static, Type } from 'typebox'
import { operation } from '../operation.ts'

const host = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*'
const notLink = '^[^\\p{Cc}\\p{Zl}\\p{Zp}]*$'

export const CheckoutPageSettings = Type.Object(
  {
    shop_name: Type.String({ description: 'The name that buyers see; `""`: the name of the account.' }),
    color: Type.String({ description: 'The colour of the shop, `#RRGGBB`; `""`: none.' }),
    whatsapp: Type.String({ description: 'Number for WhatsApp with its country code, digits alone; `""`: none.' }),
    phone: Type.String({ description: 'Number to call; `""`: none.' }),
    frame_origins: Type.Array(Type.String(), { description: 'Sites that may show the pages in a frame; `[]`: none.' }),
  },
  { additionalProperties: false, description: 'How the account looks on its checkout pages.' },
)
export type CheckoutPageSettings = Static<typeof CheckoutPageSettings>

export const CheckoutPageChanges = Type.Object(
  {
    shop_name: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: notLink,
        'x-invalid': 'Enter one line of text.',
        description: 'One line; `""`: the name of the account.',
      }),
    ),
    color: Type.Optional(
      Type.String({
        maxLength: 7,
        pattern: '^(#[0-9A-Fa-f]{6})?$',
        'x-invalid': 'Enter a colour such as #0F5C63.',
        'x-upper': true,
        description: '`#RRGGBB`, or `""` for none.',
      }),
    ),
    whatsapp: Type.Optional(
      Type.String({
        maxLength: 15,
        pattern: '^(\\d{8,15})?$',
        'x-invalid': 'Enter the number with its country code, digits alone.',
        description: 'With the country code, digits alone; `""` for none.',
      }),
    ),
    phone: Type.Optional(
      Type.String({
        maxLength: 20,
        pattern: '^(\\+?\\d{3,19})?$',
        'x-invalid': 'Enter a phone number: digits, and + in front of a country code.',
        description: 'Digits, and `+` in front of a country code; `""` for none.',
      }),
    ),
    frame_origins: Type.Optional(
      Type.Array(
        Type.String({
          minLength: 1,
          maxLength: 260,
          pattern: `^(https://${host}|http://(localhost|127\\.0\\.0\\.1))(:\\d{1,5})?$`,
          'x-invalid': 'Enter an origin such as https://shop.example.com, without a path.',
          description: '`https://`, the host, and its port if it has one.',
        }),
        {
          maxItems: 10,
          'x-distinct': true,
          description:
            'Sites that may show the pages in a frame; `[]` for none. Plain http only for the machine itself.',
        },
      ),
    ),
  },
  { description: 'What to change; what is left out stays.' },
)

const tag = 'Account'

export const showCheckoutPage = operation({
  id: 'showCheckoutPage',
  method: 'GET',
  path: '/account/checkout-page/',
  access: 'account.read',
  tag,
  summary: 'What buyers see of the account on its checkout pages',
  status: 200,
  answer: CheckoutPageSettings,
})

export const changeCheckoutPage = operation({
  id: 'changeCheckoutPage',
  method: 'PATCH',
  path: '/account/checkout-page/',
  access: 'account.write',
  tag,
  summary: 'Change what buyers see on the checkout pages',
  body: CheckoutPageChanges,
  example: { shop_name: 'Corner shop', whatsapp: '967770000000' },
  status: 200,
  answer: CheckoutPageSettings,
})

export const checkoutPageOperations = [showCheckoutPage, changeCheckoutPage]
