/** The address of the set-up page with a one-time code. The code is in the fragment, which a browser never sends. Pure. */
export const pairingLink = (code: string, origin: string): string =>
  `${origin.replace(/\/+$/, '')}/pair#c=${code.replaceAll('-', '')}`
