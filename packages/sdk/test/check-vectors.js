/**
 * Runs the vectors against an SDK in any runtime: no test framework, nothing of Node. Returns one sentence for each
 * failure.
 */
import { usual, vectors } from './vectors.js'

/** @import { Vector } from './vectors.js' */

/**
 * @param {typeof import('../types/sdk.d.ts')} sdk
 * @returns {Promise<{ checked: number, faults: string[] }>}
 */
export const checkVectors = async (sdk) => {
  /** @type {string[]} */
  const faults = []
  for (const vector of vectors) {
    const [expected, actual] = [expectedOf(vector), await outcomeOf(sdk, vector)]
    if (actual !== expected) faults.push(`${vector.name}: expected ${expected}, but ${actual}`)
  }
  return { checked: vectors.length, faults }
}

/** @param {Vector} vector */
const expectedOf = ({ takes, refuses, wrong }) =>
  takes !== undefined ? `takes ${takes}` : refuses !== undefined ? `refuses ${refuses}` : `wrong: ${wrong}`

/**
 * @param {typeof import('../types/sdk.d.ts')} sdk
 * @param {Vector} vector
 */
const outcomeOf = async ({ verifyWebhook, WebhookError }, vector) => {
  const { header, secret, now } = { ...usual, ...vector }
  const options = vector.toleranceS === undefined ? { now } : { now, toleranceS: vector.toleranceS }
  try {
    // Without types: some vectors pass values that the types forbid.
    const verify = /** @type {(...args: unknown[]) => ReturnType<typeof verifyWebhook>} */ (verifyWebhook)
    const event = await verify(bodyOf(vector), header, secret, options)
    return `takes ${event.event}`
  } catch (fault) {
    if (fault instanceof WebhookError) return `refuses ${fault.code}`
    const thrown = `${fault}`
    return vector.wrong !== undefined && thrown.startsWith('TypeError: ') && thrown.includes(vector.wrong)
      ? `wrong: ${vector.wrong}`
      : `it threw ${thrown}`
  }
}

/** @param {Vector} vector */
const bodyOf = (vector) => {
  if (vector.hex !== undefined) return Uint8Array.from(vector.hex.match(/../g) ?? [], (two) => Number.parseInt(two, 16))
  const { body } = { ...usual, ...vector }
  if (typeof body !== 'string' || vector.as === undefined || vector.as === 'text') return body
  const bytes = new TextEncoder().encode(body)
  if (vector.as === 'bytes') return bytes
  if (vector.as === 'buffer') return bytes.slice().buffer
  const larger = new Uint8Array(bytes.length + 11).fill(0x20)
  larger.set(bytes, 6)
  return larger.subarray(6, 6 + bytes.length)
}
