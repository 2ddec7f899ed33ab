/** The link of the pairing page (`<public url>/pair#c=CODE`), or the code alone, as it was pasted. Pure. */

export type PairingTarget = { readonly origin: string; readonly code: string }

export type PairingRefusal = 'no_address' | 'no_code' | 'not_encrypted'

const CODE = /^[0-9A-Za-z -]{8,40}$/

const privateHost =
  /^(localhost|127(\.\d+){3}|\[::1\]|10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|[\w-]+\.local)$/

/** Over plain HTTP everybody on the way could read and change what is sent, except inside a shop's own network. */
export const isEncrypted = (url: URL): boolean => url.protocol === 'https:' || privateHost.test(url.hostname)

/** `known`: the address from which the agent was installed; it is used if only the code was pasted. */
export const readPairing = (pasted: string, known: string | undefined): PairingTarget | PairingRefusal => {
  const text = pasted.trim().replace(/^['"<]+|['">]+$/g, '')
  const link = /^https?:\/\//i.test(text)
  const address = link ? text : known
  const url = address === undefined || !URL.canParse(address) ? undefined : new URL(address)
  if (url === undefined) return link ? 'no_code' : CODE.test(text) ? 'no_address' : 'no_code'
  const code = link ? (new URLSearchParams(url.hash.slice(1)).get('c') ?? '') : text
  if (!CODE.test(code)) return 'no_code'
  if (!isEncrypted(url)) return 'not_encrypted'
  const path = link ? url.pathname.replace(/\/pair\/?$/, '') : url.pathname
  return { origin: `${url.origin}${path.replace(/\/+$/, '')}`, code }
}
