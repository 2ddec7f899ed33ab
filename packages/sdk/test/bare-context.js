/**
 * Runs the vectors and a payment with only the language and the Web APIs, in a context that has only the globals below.
 * Code that uses a global or a module of Node fails here. Run with `node --experimental-vm-modules`; `--no-crypto` leaves
 * Web Crypto out, to test that its absence is reported.
 */
import { readFile } from 'node:fs/promises'
import vm from 'node:vm'

/** @type {Record<string, unknown>} */
const web = {
  TextEncoder,
  TextDecoder,
  crypto: globalThis.crypto,
  URL,
  URLSearchParams,
  AbortController,
  Request,
  Response,
  setTimeout,
  clearTimeout,
}
if (process.argv.includes('--no-crypto')) delete web.crypto
const context = vm.createContext(web)

/** @type {Map<string, Promise<vm.SourceTextModule>>} */
const modules = new Map()
/** @param {string} url */
const load = (url) => {
  const loading = modules.get(url) ?? read(url)
  modules.set(url, loading)
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

const testing = /** @type {typeof import('../src/testing.js')} */ (await run('../src/testing.js'))
const { checkClient } = /** @type {typeof import('./check-client.js')} */ (
  /** @type {unknown} */ (await run('./check-client.js'))
)
await checkClient(sdk, testing)

// Bytes of one realm passed to code of another, as a server passes them to a test sandbox or an edge runtime within
// Node.
const { usual } = /** @type {typeof import('./vectors.js')} */ (/** @type {unknown} */ (await run('./vectors.js')))
for (const bytes of [Buffer.from(usual.body), new Uint8Array(Buffer.from(usual.body)).buffer])
  await sdk.verifyWebhook(bytes, usual.header, usual.secret, { now: usual.now })
console.log(`${checked} vectors pass`)
