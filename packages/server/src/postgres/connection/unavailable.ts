/**
 * The fault of a database that cannot be reached, does not answer or refuses writes, as opposed to a fault of a statement. Unless
 * PostgreSQL answered, it is unknown whether the statement was done: the caller may try again. Pure.
 */

export class DatabaseUnavailable extends Error {
  /** The code of the cause, if it has one: `ECONNREFUSED`, `28P01`. */
  readonly code: string | undefined

  constructor(message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.code = codeIn(options?.cause)
  }
}

const codeIn = (cause: unknown): string | undefined =>
  faultCode(cause) ??
  (cause instanceof AggregateError ? cause.errors.map(codeIn).find((code) => code !== undefined) : undefined)

/** The code of a fault, such as PostgreSQL's 23505 or the system's ECONNREFUSED; undefined: it has none. */
export const faultCode = (fault: unknown): string | undefined =>
  fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined

/** The server accepts no writes: a replica, or a primary that was demoted. */
export const isReadOnly = (fault: unknown): boolean => faultCode(fault) === '25006'

/**
 * Connection faults (08), a server that shuts down, starts or recovers (57P01 to 57P05), that has no room on its disk, no memory
 * or no connection left (53000 to 53300), or that is read-only.
 */
const serverIsAway = /^(08\w{3}|57P0[1-5]|53[0-3]00|25006)$/
/** Codes of the operating system. */
const networkFailed = /^(E[A-Z]+|EAI_\w+)$/
/** Messages of the driver about a connection; these faults have no code. */
const driverMessages =
  /^(Connection terminated|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool after calling end)/

export const isUnavailable = (fault: unknown): boolean => {
  if (fault instanceof DatabaseUnavailable) return true
  const code = faultCode(fault)
  if (code !== undefined) return serverIsAway.test(code) || networkFailed.test(code)
  return fault instanceof Error && driverMessages.test(fault.message)
}

/** The fault itself, or DatabaseUnavailable with it as the cause. */
export const unavailableOr = (fault: unknown): unknown =>
  !isUnavailable(fault) || fault instanceof DatabaseUnavailable
    ? fault
    : new DatabaseUnavailable(`the database is not available: ${(fault as Error).message}`, { cause: fault })

/** The account of a row is frozen (postgres/tenancy): nothing was written. */
export const isFrozen = (fault: unknown): boolean => faultCode(fault) === 'SN002'

/** A statement that waited for a lock (55P03) or ran (57014) too long: it was undone and may be tried again. */
export const isTimeout = (fault: unknown): boolean => ['55P03', '57014'].includes(faultCode(fault) ?? '')
