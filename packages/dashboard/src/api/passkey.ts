/** Makes and uses passkeys in this browser. The library is loaded when it is first needed. */
import { type Answer, call } from './call.ts'
import { loadFile } from './load-file.ts'

const library = () => loadFile(() => import('@simplewebauthn/browser'))

/** Browsers have passkeys only on secure pages, and only for an address with a name. */
export const hasPasskeys = (): boolean =>
  typeof window.PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(window.location.hostname)

/** The browser's dialog was closed, took too long, or the browser has no passkey for this service. */
export class PasskeyNotUsed extends Error {}

const inBrowser = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (cause) {
    throw new PasskeyNotUsed('the browser gave no passkey', { cause })
  }
}

const answerTo = async (options: Answer<'beginPasskeySignIn'>) => {
  const { startAuthentication } = await library()
  const { id, response } = await inBrowser(() =>
    startAuthentication({ optionsJSON: { ...options, allowCredentials: options.allowCredentials as never } }),
  )
  return { id, response }
}

export const signInWithPasskey = async () =>
  call('signInWithPasskey', { body: { passkey: await answerTo(await call('beginPasskeySignIn')) } })

export const proveWithPasskey = async () =>
  call('proveSelf', { body: { passkey: await answerTo(await call('beginPasskeyProof')) } })

export const makePasskey = async () => {
  const options = await call('beginPasskey')
  const { startRegistration } = await library()
  const { id, response } = await inBrowser(() => startRegistration({ optionsJSON: options as never }))
  const { clientDataJSON, attestationObject, transports = [] } = response
  return { id, response: { clientDataJSON, attestationObject, transports: transports.slice(0, 10) } }
}
