/**
 * `sanad-agent update`: downloads the agent of the service and installs it. Once a public key was given, only with its
 * signature. The check is made by the code that is installed already, not by a script of the service.
 */
import * as crypto from 'node:crypto'
import { PhoneFault } from '../../post.ts'
import type { Environment } from '../environment.ts'
import { isEncrypted } from '../pairing-link.ts'
import { version } from '../version.ts'
import { wordsIn } from '../words.ts'
import { checkRelease } from './check-release.ts'
import { download } from './download.ts'
import { installFile, keyPath, readInstalled, rememberKey } from './installed-agent.ts'

const mostAgent = 5_000_000
const mostText = 10_000

export type UpdateOptions = {
  /** The address of the service; undefined: where the agent was installed from. */
  readonly from: string | undefined
  /** The public key; undefined: that of the environment, or the remembered one. */
  readonly key: string | undefined
}

const addressOf = (text: string): string | undefined => {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname } = new URL(text)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

export const updateAgent = async (
  environment: Environment,
  say: (line: string) => void,
  options: UpdateOptions,
): Promise<number> => {
  const words = wordsIn(environment.language)
  const { folder } = environment
  const installed = readInstalled(folder)
  const refuse = (sentence: string): number => {
    say(`${sentence} ${words.notUpdated}`)
    return 1
  }
  const origin = addressOf(options.from ?? installed.origin ?? '')
  if (origin === undefined) return refuse(words.updateFrom)
  if (!isEncrypted(new URL(origin))) return refuse(words.pairing.not_encrypted)
  const givenKey = options.key ?? environment.releaseKey
  const isSigned = givenKey.trim() !== '' || installed.rememberedKey !== undefined
  const address = `${origin}/agent/sanad-agent.mjs`
  try {
    const file = await download(address, mostAgent)
    if (file === undefined) return refuse(words.noAgentThere(origin))
    const other = isSigned ? `${address}.minisig` : `${address}.sha256`
    const text = (await download(other, mostText))?.toString('utf8')
    if (!isSigned) {
      const sha256 = crypto.createHash('sha256').update(file).digest('hex')
      if (text?.split(/\s/)[0] !== sha256) return refuse(words.damagedDownload)
      installFile(environment, file, undefined, origin)
      say(words.updatedUnsigned)
      return 0
    }
    const decision = checkRelease(crypto, {
      file,
      signature: text,
      givenKey,
      rememberedKey: installed.rememberedKey,
      installedSignature: installed.signature,
      installedVersion: version,
    })
    if (decision.key !== undefined) rememberKey(folder, decision.key)
    if (decision.refused !== undefined) return refuse(words.release(keyPath(folder))[decision.refused])
    installFile(environment, file, text, origin)
    say(words.updated(decision.version!))
    return 0
  } catch (fault) {
    if (!(fault instanceof PhoneFault)) throw fault
    return refuse(fault.message)
  }
}
