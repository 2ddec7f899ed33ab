/**
 * An array as PostgreSQL writes one. The driver would write it too, with two expressions for every element, also where
 * there is nothing to escape; a batch of intents has nineteen arrays.
 * Pure. Only plain arrays of what we send: texts, numbers, truth, bytes, nothing.
 */
const escapes = /["\\]/

const written = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'string')
    return escapes.test(value) ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : `"${value}"`
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  throw new Error(`an array for PostgreSQL cannot hold ${Object.prototype.toString.call(value)}`)
}

export const writtenArray = (values: readonly unknown[]): string => {
  let text = '{'
  for (let i = 0; i < values.length; i++) text += i === 0 ? written(values[i]) : `,${written(values[i])}`
  return `${text}}`
}
