/** An authenticator in software, for tests: makes passkeys (ES256, attestation `none`) and signs challenges as a browser would. */
import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()

/** The few forms of CBOR that a passkey needs. */
const head = (major: number, count: number): Buffer => {
  if (count < 24) return Buffer.from([(major << 5) | count])
  if (count < 256) return Buffer.from([(major << 5) | 24, count])
  return Buffer.from([(major << 5) | 25, count >> 8, count & 255])
}
const cborInt = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value))
const cborBytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value])
const cborText = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)])
const cborMap = (entries: readonly (readonly [Buffer, Buffer])[]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])

const present = 0x01
const verified = 0x04
const hasCredential = 0x40

export type Signing = {
  readonly challenge: string
  readonly origin: string
  readonly rpId: string
  readonly isVerified?: boolean
  readonly counter?: number
  readonly userHandle?: string
}

export const softAuthenticator = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let counter = 0
  const clientData = (type: string, { challenge, origin }: Signing): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const authData = (signing: Signing, extra: number, more: Buffer): Buffer => {
    counter = signing.counter ?? counter + 1
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(counter)
    const flags = present | (signing.isVerified === false ? 0 : verified) | extra
    return Buffer.concat([sha256(signing.rpId), Buffer.from([flags]), counted, more])
  }
  return {
    id: id.toString('base64url'),
    create(signing: Signing) {
      const key = cborMap([
        [cborInt(1), cborInt(2)],
        [cborInt(3), cborInt(-7)],
        [cborInt(-1), cborInt(1)],
        [cborInt(-2), cborBytes(Buffer.from(x!, 'base64url'))],
        [cborInt(-3), cborBytes(Buffer.from(y!, 'base64url'))],
      ])
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key])
      const attestation = cborMap([
        [cborText('fmt'), cborText('none')],
        [cborText('attStmt'), cborMap([])],
        [cborText('authData'), cborBytes(authData(signing, hasCredential, credential))],
      ])
      return {
        id: id.toString('base64url'),
        response: {
          clientDataJSON: clientData('webauthn.create', signing).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    sign(signing: Signing) {
      const data = clientData('webauthn.get', signing)
      const said = authData(signing, 0, Buffer.alloc(0))
      const signature = createSign('sha256')
        .update(Buffer.concat([said, sha256(data)]))
        .sign(privateKey)
      return {
        id: id.toString('base64url'),
        response: {
          clientDataJSON: data.toString('base64url'),
          authenticatorData: said.toString('base64url'),
          signature: signature.toString('base64url'),
          ...(signing.userHandle === undefined ? {} : { userHandle: signing.userHandle }),
        },
      }
    },
  }
}
