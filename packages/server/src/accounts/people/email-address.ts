/**
 * The email address that a user signs in with: in lower case, without characters of an address list or a header. ASCII
 * only: for other letters programs disagree about the lower case. Pure.
 */
const address = /^[^\s@,;:<>()[\]\\"]{1,64}@[^\s@,;:<>()[\]\\"]{1,189}$/

/** Undefined: not an address. */
export const emailOf = (text: string): string | undefined => {
  const email = text.trim()
  // Checked before the lower case is made: the Kelvin sign would become an ASCII k.
  return /^[\x21-\x7e]+$/.test(email) && address.test(email) ? email.toLowerCase() : undefined
}
