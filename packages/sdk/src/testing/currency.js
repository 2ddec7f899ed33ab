/** The currency of the fake's wallets. The SDK depends on no other package: a test compares it with the contract's list. */
export const usualCurrency = /** @type {const} */ ('YER')
