/** The public voucher of an intent: sharing its address, and revoking it. */
import { Type } from 'typebox'
import { operationsOf } from '../../operation.ts'
import { timestamp } from '../../scalars.ts'
import { closed, flag, text } from '../../schema.ts'
import { By } from './by.ts'

/** Who has shared the voucher, and when. Its address is in the answer of `shareVoucher`. */
export const VoucherMark = closed('The voucher has a public address.', { by: By, at: timestamp('When it was shared.') })

export const SharedVoucher = closed({
  url: Type.String({
    format: 'uri',
    description: 'The public address: whoever has it sees the voucher, without a sign-in.',
  }),
  qr_svg: text('The address as a QR code: an SVG picture.'),
  payer: text('The first name of the payer, as the page shows it; `""`: none.'),
  first: flag('Whether this call made the address. `false`: it was shared before.'),
})

const operation = operationsOf({ tag: 'Intents', access: 'vouchers.write' })

export const shareVoucher = operation({
  id: 'shareVoucher',
  method: 'POST',
  path: '/intents/{id}/voucher/',
  summary: 'Share the voucher of an intent',
  description:
    'Makes a public address, or answers the one that there is. The page shows the shop, what arrived, the order, the time, the state ' +
    'and the first name of the payer; if the intent is not paid, its first line says so. The address has 160 random-looking bits ' +
    'and is not stored. After `revoke` a new one is made, at most 20 for an intent (`voucher_limit`).',
  answer: SharedVoucher,
})

export const revokeVoucher = operation({
  id: 'revokeVoucher',
  method: 'POST',
  path: '/intents/{id}/voucher/revoke/',
  summary: 'Revoke the public address of a voucher',
  description:
    'From then on the address answers as one that never was. `revoked` is `false` if there was none. The buyer’s page does not make ' +
    'a new one; a member can.',
  answer: closed({ revoked: flag('Whether there was an address.') }),
})

export const voucherOperations = operation.described
