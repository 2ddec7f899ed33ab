/**
 * How a connection to PostgreSQL is made: to the host that accepts writes, within a limit, or not at all. `DATABASE_URL`
 * may name several hosts, as libpq takes them; Sanad always wants the one that accepts writes, and does not stay with a
 * server that has become a replica.
 *
 * Which host that is, is asked once of all of them at the same time and remembered until a connection to it fails
 * (`forget`). Each connection is checked again when it is opened: PostgreSQL 14 and later says by itself whether it is a
 * standby or read-only.
 */
import pg from 'pg'
import { readDatabaseUrl } from './database-url.ts'
import { DatabaseUnavailable } from './unavailable.ts'

export type Address = { readonly host: string; readonly port: number }

export type Connector = {
  /** What a pool makes its connections of. */
  readonly Client: typeof pg.Client
  /** A connection of its own. The caller ends it. */
  open(settings?: pg.ClientConfig): Promise<pg.Client>
  /** Where a connection leads to. */
  addressOf(client: pg.Client): Address
  /** A host has failed or refuses writes: the next connection asks again which one accepts them. */
  forget(): void
  /** Every new connection fails with this at once, until it is told otherwise. Those of `open` are tried all the same. */
  refuse(why: DatabaseUnavailable | undefined): void
}

/** How long a connection may take, with the name's resolution, TLS and signing in. */
export const connectMost_ms = 3_000

type Callback = ((fault: Error) => void) | ((fault: null, client: pg.Client) => void)
type Status = { readonly parameterName: string; readonly parameterValue: string }

export const shownAddress = ({ host, port }: Address): string =>
  host.startsWith('/') ? `${host} (port ${port})` : `${host}:${port}`

/** Ends a connection at once: nothing is said to a server that may not hear it. */
export const cutOff = (client: pg.Client, why?: Error): void => {
  client.connection.stream.destroy(why)
}

export const connectorTo = (url: string, connect_ms = connectMost_ms): Connector => {
  const read = readDatabaseUrl(url)
  if (!read.ok) throw new Error(`the URL of the database ${read.error}`)
  const addresses: readonly Address[] = read.urls.map((one) => {
    const { host, port } = new pg.Client({ connectionString: one })
    return { host, port }
  })
  let current: Address | undefined = addresses.length === 1 ? addresses[0] : undefined
  let finding: Promise<Address> | undefined
  let refused: DatabaseUnavailable | undefined

  const forget = (): void => {
    if (addresses.length > 1) current = undefined
  }

  const find = (): Promise<Address> => {
    if (current !== undefined) return Promise.resolve(current)
    finding ??= Promise.any(addresses.map((address) => probe(address).then(() => address)))
      .then(
        (found) => {
          current = found
          return found
        },
        (none: AggregateError) => {
          const reasons = none.errors.map((fault: Error) => fault.message).join('; ')
          throw new DatabaseUnavailable(`no host of the database accepts writes: ${reasons}`, { cause: none })
        },
      )
      .finally(() => {
        finding = undefined
      })
    return finding
  }

  class HostClient extends pg.Client {
    readonly #fixed: Address | undefined
    readonly #eager: boolean
    #readOnly = false

    /** `fixed`: to this host and no other. `eager`: also while others are refused. */
    constructor(settings?: pg.ClientConfig, fixed?: Address, eager = false) {
      super({
        keepAlive: true,
        keepAliveInitialDelayMillis: 10_000,
        ...settings,
        connectionString: read.ok ? read.urls[0]! : url,
        connectionTimeoutMillis: connect_ms,
      })
      this.#fixed = fixed
      this.#eager = eager
      // One that breaks in the instant it was opened belongs to nobody yet; unheard, its fault would end the process.
      // Whoever gets it finds it broken.
      this.on('error', () => {})
      this.connection.on('parameterStatus', ({ parameterName, parameterValue }: Status) => {
        if (parameterName === 'in_hot_standby' || parameterName === 'default_transaction_read_only')
          this.#readOnly ||= parameterValue === 'on'
      })
    }

    override connect(): Promise<pg.Client>
    override connect(callback: Callback): void
    override connect(callback?: Callback): Promise<pg.Client> | undefined {
      const connecting = this.#connect()
      if (callback === undefined) return connecting
      const done = callback as (fault: Error | null, client?: pg.Client) => void
      connecting.then(
        (client) => done(null, client),
        (fault: Error) => done(fault),
      )
      return undefined
    }

    async #connect(): Promise<pg.Client> {
      if (refused !== undefined && !this.#eager) throw refused
      const address = this.#fixed ?? (await find())
      this.host = address.host
      this.port = address.port
      Object.assign((this as unknown as { connectionParameters: object }).connectionParameters, address)
      try {
        await super.connect()
      } catch (fault) {
        forget()
        const why = (fault as Error).message || (fault as { code?: string }).code || 'no reason given'
        throw new DatabaseUnavailable(`PostgreSQL at ${shownAddress(address)} cannot be reached: ${why}`, {
          cause: fault,
        })
      }
      if (!this.#readOnly) return this
      forget()
      // Told first that it ends, so that the driver does not take the cut for a fault of its own.
      void this.end()
      cutOff(this)
      throw new DatabaseUnavailable(`PostgreSQL at ${shownAddress(address)} accepts no writes: it is a replica`)
    }
  }

  const probe = async (address: Address): Promise<void> => {
    const client = new HostClient({ application_name: 'sanad finding' }, address, true)
    await client.connect()
    void client.end()
    cutOff(client)
  }

  return {
    // The pool passes its settings on, and nothing else.
    Client: HostClient as unknown as typeof pg.Client,
    async open(settings) {
      const tried = async (): Promise<pg.Client> => {
        const client = new HostClient(settings, undefined, true)
        return client.connect()
      }
      const remembered = current
      return tried().catch((fault) => {
        // The host that was remembered has failed: another may accept writes by now.
        if (remembered === undefined || addresses.length === 1) throw fault
        return tried()
      })
    },
    addressOf: ({ host, port }) => ({ host, port }),
    forget,
    refuse(why) {
      refused = why
    },
  }
}
