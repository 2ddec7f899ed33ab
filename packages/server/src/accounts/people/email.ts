/**
 * The address that somebody signs in with: in lower case, without what an address list or a header could be made of. ASCII
 * alone: of other letters, two programs disagree about which is the lower case. Pure.
 */
const address = /^[^\s@,;:<>()[\]\\"]{1,64}@[^\s@,;:<>()[\]\\"]{1,189}$/

/** Undefined: this is no address. */
export const emailOf = (text: string): string | undefined => {
  const email = text.trim().toLowerCase()
  return /^[\x21-\x7e]+$/.test(email) && address.test(email) ? email : undefined
}
