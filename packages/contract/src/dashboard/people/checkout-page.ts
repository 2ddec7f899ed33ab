/** What buyers see of the account on its checkout pages: the shop's name, its colour, its logo, and how to reach it. */
import { type Static, Type } from 'typebox'
import { operationsOf } from '../../operation.ts'
import { body, closed, orNull, text, whole } from '../../schema.ts'

/** 1 to 65535. */
const port = '([1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5])'
const host = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*'

export const PageLogo = closed({
  url: text('Its path on this service. Another picture has another path.'),
  width: whole('In pixels.'),
  height: whole('In pixels.'),
})

export const CheckoutPageSettings = closed('How the account looks on its checkout pages.', {
  shop_name: text('The name that buyers see; `""`: the name of the account.'),
  color: text('The colour of the shop, `#RRGGBB`; `""`: none.'),
  whatsapp: text('Number for WhatsApp with its country code, digits alone; `""`: none.'),
  phone: text('Number to call; `""`: none.'),
  frame_origins: Type.Array(Type.String(), { description: 'Sites that may show the pages in a frame; `[]`: none.' }),
  logo: orNull(PageLogo, 'The picture beside the name; null: none.'),
})
export type CheckoutPageSettings = Static<typeof CheckoutPageSettings>

export const CheckoutPageChanges = body('What to change; what is left out stays.', {
  shop_name: Type.Optional(
    Type.String({
      maxLength: 100,
      format: 'shop-name',
      description: 'One line, without a link; `""`: the name of the account.',
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
        pattern: `^(https://${host}|http://(localhost|127\\.0\\.0\\.1))(:${port})?$`,
        'x-invalid': 'Enter an origin such as https://shop.example.com, without a path.',
        description: '`https://`, the host, and its port if it has one.',
      }),
      {
        maxItems: 10,
        'x-distinct': true,
        description: 'Sites that may show the pages in a frame; `[]` for none. Plain http only for the machine itself.',
      },
    ),
  ),
})

const operation = operationsOf({ tag: 'Account' })

export const showCheckoutPage = operation({
  id: 'showCheckoutPage',
  method: 'GET',
  path: '/account/checkout-page/',
  access: 'account.read',
  summary: 'What buyers see of the account on its checkout pages',
  answer: CheckoutPageSettings,
})

export const changeCheckoutPage = operation({
  id: 'changeCheckoutPage',
  method: 'PATCH',
  path: '/account/checkout-page/',
  access: 'account.write',
  summary: 'Change what buyers see on the checkout pages',
  body: CheckoutPageChanges,
  example: { shop_name: 'Corner shop', whatsapp: '967770000000' },
  answer: CheckoutPageSettings,
})

/** 10,240 bytes. */
const longestImage = 13656

export const setCheckoutLogo = operation({
  id: 'setCheckoutLogo',
  method: 'PUT',
  path: '/account/checkout-page/logo/',
  access: 'account.write',
  summary: 'Set the logo of the checkout pages',
  description:
    'PNG, JPEG or WebP with one picture: at most 10,240 bytes, 512 pixels wide and high. It is checked by its bytes, and stored ' +
    'without metadata. 400 `logo_kind`, `logo_bytes` or `logo_pixels` says what is wrong.',
  body: Type.Object({
    image: Type.String({
      minLength: 1,
      maxLength: longestImage,
      pattern: '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
      'x-invalid': 'Enter the bytes of the picture in base64.',
      description: 'The bytes of the picture in base64.',
    }),
  }),
  example: {
    image: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGPgBwAAEQAQqWxD4AAAAABJRU5ErkJggg==',
  },
  answer: CheckoutPageSettings,
})

export const removeCheckoutLogo = operation({
  id: 'removeCheckoutLogo',
  method: 'DELETE',
  path: '/account/checkout-page/logo/',
  access: 'account.write',
  summary: 'Remove the logo of the checkout pages',
  answer: CheckoutPageSettings,
})

export const checkoutPageOperations = operation.described
