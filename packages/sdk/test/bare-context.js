/**
 * The vectors where there is nothing but the language and what the Web gives: a context of its own, with the globals that are
 * handed in and no other. What reached for a global of Node, or for one of its modules, would fail here.
 * To be run with `node --experimental-vm-modules`; `--no-crypto` leaves Web Crypto out, to see that its absence is noticed.
 */
import { readFile } from 'node:fs/promises'
import vm from 'node:vm'

/** @type {Record<string, unknown>} */
const web = { TextEncoder, TextDecoder, crypto: globalThis.crypto }
if (process.argv.includes('--no-crypto')) delete web.crypto
const context = vm.createContext(web)

/** @type {Map<string, Promise<vm.SourceTextModule>>} */
const known = new Map()
/** @param {string} url */
const load = (url) => {
  const loading = known.get(url) ?? read(url)
  known.set(url, loading)
  return loading
}
/** @param {string} url */
const read = async (url) => new vm.SourceTextModule(await readFile(new URL(url), 'utf8'), { context, identifier: url })

/** @param {string} path */
const run = async (path) => {
  const module = await load(new URL(path, import.meta.url).href)
  if (module.status === 'unlinked') await module.link((wanted, from) => load(new URL(wanted, from.identifier).href))
  await module.evaluate()
  return /** @type {Record<string, unknown>} */ (module.namespace)
}

const sdk = /** @type {typeof import('../src/sdk.js')} */ (await run('../src/sdk.js'))
const { checkVectors } = /** @type {typeof import('./check-vectors.js')} */ (
  /** @type {unknown} */ (await run('./check-vectors.js'))
)
const { checked, faults } = await checkVectors(sdk)
if (faults.length > 0) throw new Error(faults.join('\n'))

// Bytes of one realm handed to the code of another: what a server hands to a sandbox of tests, or to an edge within Node.
const { usual } = /** @type {typeof import('./vectors.js')} */ (/** @type {unknown} */ (await run('./vectors.js')))
for (const bytes of [Buffer.from(usual.body), new Uint8Array(Buffer.from(usual.body)).buffer])
  await sdk.verifyWebhook(bytes, usual.header, usual.secret, { now: usual.now })
console.log(`${checked} vectors are kept`)
