/**
 * Keys and signatures in the format of minisign, with Node alone: Ed25519 over the BLAKE2b-512 of the file. A secret key is
 * written without a password, as `minisign -G -W` does; the program minisign reads it, and this module reads minisign's.
 */
import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** `id`: eight bytes that name the key. `secret`: seed and public key, 32 bytes each. */
export type SigningKey = { readonly id: Buffer; readonly secret: Buffer }

const secretLength = 158
const noPassword = Buffer.alloc(2)
const idAt = 54

const hexId = (id: Buffer): string => Buffer.from(id).reverse().toString('hex').toUpperCase()

export const newSigningKey = (): SigningKey => {
  const { d, x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  return { id: randomBytes(8), secret: Buffer.concat([Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')]) }
}

/** The line of 56 characters that is given to people. */
export const publicLine = ({ id, secret }: SigningKey): string =>
  Buffer.concat([Buffer.from('Ed'), id, secret.subarray(32)]).toString('base64')

export const publicFile = (key: SigningKey): string =>
  `untrusted comment: minisign public key ${hexId(key.id)}\n${publicLine(key)}\n`

export const secretFile = ({ id, secret }: SigningKey): string => {
  // After the kind of key, no password and the kind of checksum: salt and limits of a password, then the key, then the
  // checksum. Without a password all but the key is zero.
  const kinds = Buffer.concat([Buffer.from('Ed'), noPassword, Buffer.from('B2')])
  const bytes = Buffer.concat([kinds, Buffer.alloc(48), id, secret, Buffer.alloc(32)])
  return `untrusted comment: minisign secret key, without a password\n${bytes.toString('base64')}\n`
}

const jwkOf = (secret: Buffer) => ({
  kty: 'OKP',
  crv: 'Ed25519',
  d: secret.subarray(0, 32).toString('base64url'),
  x: secret.subarray(32).toString('base64url'),
})

/** Reads the text of a secret key file, or its second line alone. */
export const readSecret = (text: string): SigningKey => {
  const line =
    text
      .trim()
      .split(/\s*\n\s*/)
      .at(-1) ?? ''
  const bytes = Buffer.from(line, 'base64')
  if (bytes.length !== secretLength || bytes.toString('base64') !== line || bytes.toString('latin1', 0, 2) !== 'Ed')
    throw new Error('This is not a secret key of minisign. Make one with: npm run sign-agent -- --new-key FILE')
  if (!bytes.subarray(2, 4).equals(noPassword))
    throw new Error('This key has a password. Sign with the program minisign itself (docs/agent.md).')
  const key = { id: bytes.subarray(idAt, idAt + 8), secret: bytes.subarray(idAt + 8, idAt + 72) }
  // Node refuses a public key that does not belong to the seed at the first use; say it here.
  const { x } = createPrivateKey({ key: jwkOf(key.secret), format: 'jwk' }).export({ format: 'jwk' })
  if (x !== jwkOf(key.secret).x) throw new Error('This secret key is damaged.')
  return key
}

/** The text of the signature file. The comment is signed too. */
export const signFile = (key: SigningKey, file: Uint8Array, comment: string): string => {
  if (/[\r\n]/.test(comment)) throw new Error('The comment of a signature is one line.')
  const secret = createPrivateKey({ key: jwkOf(key.secret), format: 'jwk' })
  const own = sign(null, createHash('blake2b512').update(file).digest(), secret)
  const whole = sign(null, Buffer.concat([own, Buffer.from(comment)]), secret)
  return [
    `untrusted comment: signature of the Sanad agent, key ${hexId(key.id)}`,
    Buffer.concat([Buffer.from('ED'), key.id, own]).toString('base64'),
    `trusted comment: ${comment}`,
    whole.toString('base64'),
    '',
  ].join('\n')
}
