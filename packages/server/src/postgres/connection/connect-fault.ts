/**
 * Why a database could not be reached, in one sentence for the operator who set DATABASE_URL: the address, what failed, what to
 * do. The password in the URL is never shown.
 */
import pg from 'pg'

/** By the code of the system or of PostgreSQL. */
const reasonByCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there: start PostgreSQL, or correct the host and port in DATABASE_URL',
  ENOTFOUND: 'no such host is known: correct the host in DATABASE_URL',
  EAI_AGAIN: 'its name could not be looked up: check the name server of this machine',
  ETIMEDOUT: 'it does not answer: check the address and the firewalls between',
  EHOSTUNREACH: 'there is no route to it: check the address and the network',
  ENETUNREACH: 'there is no route to it: check the address and the network',
  ECONNRESET: 'it closed the connection: check that PostgreSQL listens there, and nothing else',
  ENOENT: 'there is no such socket: start PostgreSQL, or correct the host in DATABASE_URL',
  EACCES: 'this user may not open its socket: run Sanad as a user who may',
  '28P01': 'the password is wrong: correct the user or the password in DATABASE_URL',
  '28000': 'it refuses this user: correct the user in DATABASE_URL, or allow it in pg_hba.conf',
  '3D000': 'there is no such database: create it ("createdb"), or correct its name in DATABASE_URL',
  '42501': 'this user may not do what is needed: make it the owner of the database',
  '53300': 'it has no connection left: raise max_connections there, or lower SANAD_DATABASE_CONNECTIONS',
  '57P03': 'it is starting up or shutting down: try again in a moment',
}

const reasonOf = (fault: unknown): string | undefined => {
  if (!(fault instanceof Error)) return undefined
  const code = 'code' in fault ? String(fault.code) : undefined
  const known = code === undefined ? undefined : reasonByCode[code]
  if (known !== undefined) return known
  // If a name has several addresses, the fault contains the faults of all of them.
  if (fault instanceof AggregateError) return fault.errors.map(reasonOf).find((reason) => reason !== undefined)
  if (/timeout|timed out/i.test(fault.message)) return reasonByCode.ETIMEDOUT
  if (/does not support SSL/i.test(fault.message))
    return 'it speaks no TLS: leave sslmode out of DATABASE_URL, or set up TLS there'
  if (/SASL|client password must be a string/i.test(fault.message))
    return 'it asks for a password, and DATABASE_URL has none: add it'
  if (/certificate/i.test(fault.message)) return `its certificate is not accepted (${fault.message}): check sslmode`
  if (/Connection terminated/i.test(fault.message)) return reasonByCode.ECONNRESET
  return undefined
}

/** Undefined: the fault has another cause than an unreachable database. */
export const whyUnreachable = (fault: unknown, url: string): string | undefined => {
  const reason = reasonOf(fault)
  if (reason === undefined) return undefined
  const place = ((): string => {
    try {
      // Never connected: the client only reads the URL, as the service does.
      const { host, port, database } = new pg.Client({ connectionString: url })
      return `database "${database}" at ${host}, port ${port}`
    } catch {
      return 'database'
    }
  })()
  return `The ${place} cannot be reached: ${reason}.`
}
