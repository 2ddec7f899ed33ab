/** The texts of the wallets' SMS that the tests use most, as the shipped templates read them. */

/** Jawali, a purchase: with a reference and without a balance. */
export const purchaseText = (amount: string, reference: string, payer = 'تاجر تجريبي'): string =>
  `لقد استلمت ${amount} YER كقيمة مشتريات بمرجع ${reference} من ${payer}`

/** Jawali, a transfer from another wallet: without a reference and with the balance after it. */
export const transferText = (amount: string, balance: string, payer = '770000000'): string =>
  `استلمت مبلغ ${amount} YER من ${payer} رصيدك هو ${balance}`

/** A deposit, with payer and reference. */
export const depositText = (amount: string, reference: string): string =>
  `تم إيداع مبلغ ${amount} YER من: علي صالح المثال المرجع:${reference}`
