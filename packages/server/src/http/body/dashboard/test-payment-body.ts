/** Reads the body of `POST /test-payment/`: the wallet, the amount, and the reference in the message. */
import { TestPayment } from '@sanad/contract/dashboard/money/test-payment'
import type { WalletId } from '../../../core/ids.ts'
import { type BodyReader, bodyReader, mapBody, type ReadBody } from '../schema-reader.ts'

export type TestPaymentBody = Omit<ReadBody<typeof TestPayment>, 'wallet'> & { readonly wallet: WalletId }

export const readTestPayment: BodyReader<TestPaymentBody> = mapBody(bodyReader(TestPayment), (body) => ({
  ...body,
  wallet: body.wallet as WalletId,
}))
