/**
 * Decides whether a downloaded agent may replace the installed one: its signature in the format of minisign (Ed25519 over
 * BLAKE2b-512), the key, the name and the version. Pure.
 *
 * The function is used by `sanad-agent update`, and its text by the install script, which has no modules (agent-files.ts). So
 * it uses nothing from outside but its arguments.
 */
import type * as Crypto from 'node:crypto'

export type ReleaseRefusal =
  | 'wrong_key'
  | 'changed_key'
  | 'no_signature'
  | 'unreadable'
  | 'other_key'
  | 'forged'
  | 'other_file'
  | 'older'

export type Release = {
  readonly file: Uint8Array
  /** The text of the signature file; undefined: there is none. */
  readonly signature: string | undefined
  /** The public key that the user gave now; empty: none. */
  readonly givenKey: string
  /** The public key that was given earlier; undefined: none. */
  readonly rememberedKey: string | undefined
  /** The signature of the installed agent; undefined: none was ever accepted. */
  readonly installedSignature: string | undefined
  /** The version that the installed agent prints; undefined: none is installed, or it does not run. */
  readonly installedVersion: string | undefined
}

export type ReleaseDecision = {
  /** To be remembered, also after a refusal: from now on no agent is installed without a signature. */
  readonly key?: string
  /** The version that is signed, if the file may be installed. */
  readonly version?: string
  readonly refused?: ReleaseRefusal
}

export const checkRelease = (
  crypto: Pick<typeof Crypto, 'createHash' | 'createPublicKey' | 'verify'>,
  release: Release,
): ReleaseDecision => {
  const { file, signature, givenKey, rememberedKey, installedSignature, installedVersion } = release
  const bytesIn = (text: string | undefined, length: number): Buffer | undefined => {
    const bytes = Buffer.from(text ?? '', 'base64')
    return bytes.length === length && bytes.toString('base64') === text ? bytes : undefined
  }
  const keyLine = (text: string): string =>
    text
      .trim()
      .split(/\s*\n\s*/)
      .at(-1) ?? ''
  const numbersIn = (version: string | undefined): number[] | undefined =>
    /^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(version ?? '') ? version!.split('.').map(Number) : undefined
  const fieldsIn = (comment: string): Map<string, string> =>
    new Map(comment.split(/\s+/).map((field) => [field.replace(/:.*/, ''), field.replace(/^[^:]*:?/, '')]))
  const isOlder = (version: number[], than: number[] | undefined): boolean => {
    for (let part = 0; than !== undefined && part < 3; part++)
      if (version[part] !== than[part]) return version[part]! < than[part]!
    return false
  }

  const remembered = rememberedKey === undefined ? undefined : keyLine(rememberedKey)
  const given = givenKey.trim() === '' ? undefined : keyLine(givenKey)
  const key = given ?? remembered
  const keyBytes = bytesIn(key, 42)
  if (key === undefined || keyBytes?.toString('latin1', 0, 2) !== 'Ed') return { refused: 'wrong_key' }
  // A key that has never accepted an agent may be a mistake of typing.
  if (remembered !== undefined && key !== remembered && installedSignature !== undefined)
    return { refused: 'changed_key' }

  if (signature === undefined) return { key, refused: 'no_signature' }
  const lines = signature.length > 4096 ? [] : signature.replace(/\r?\n$/, '').split(/\r?\n/)
  const [untrusted, signed, trusted, whole, ...more] = lines
  const signedBytes = bytesIn(signed, 74)
  const wholeBytes = bytesIn(whole, 64)
  const isFormat = untrusted?.startsWith('untrusted comment: ') && trusted?.startsWith('trusted comment: ')
  if (!isFormat || more.length > 0 || signedBytes === undefined || wholeBytes === undefined)
    return { key, refused: 'unreadable' }
  // "Ed", the older kind of signature, is over the file itself. Nobody signs an agent so.
  if (signedBytes.toString('latin1', 0, 2) !== 'ED') return { key, refused: 'unreadable' }
  if (!signedBytes.subarray(2, 10).equals(keyBytes.subarray(2, 10))) return { key, refused: 'other_key' }
  const x = keyBytes.subarray(10).toString('base64url')
  const publicKey = crypto.createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const digest = crypto.createHash('blake2b512').update(file).digest()
  const own = signedBytes.subarray(10)
  const comment = trusted!.slice('trusted comment: '.length)
  if (!crypto.verify(null, digest, publicKey, own)) return { key, refused: 'forged' }
  if (!crypto.verify(null, Buffer.concat([own, Buffer.from(comment)]), publicKey, wholeBytes))
    return { key, refused: 'forged' }

  const fields = fieldsIn(comment)
  const version = fields.get('version')
  const numbers = numbersIn(version)
  if (fields.get('file') !== 'sanad-agent.mjs' || version === undefined || numbers === undefined)
    return { key, refused: 'other_file' }
  const before = /^trusted comment: (.*)$/m.exec(installedSignature ?? '')?.[1] ?? ''
  if (isOlder(numbers, numbersIn(installedVersion)) || isOlder(numbers, numbersIn(fieldsIn(before).get('version'))))
    return { key, refused: 'older' }
  return { key, version }
}
