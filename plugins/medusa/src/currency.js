/** The currency that Sanad collects. A plugin is installed without Sanad's contract: a test compares it with the contract's list. */
export const collectedCurrency = 'YER'
