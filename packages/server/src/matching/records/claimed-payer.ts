/** The payer that was claimed for an intent. Pure. */
/** Empty fields: not claimed. */
export type ClaimedPayer = { readonly name: string; readonly phone: string }

/** The source of the claim: a member, the merchant's server, or the buyer on the page. */
export type PayerSource = 'member' | 'checkout' | 'buyer'

export const noClaim: ClaimedPayer = { name: '', phone: '' }
export const isClaimed = ({ name, phone }: ClaimedPayer): boolean => name !== '' || phone !== ''
