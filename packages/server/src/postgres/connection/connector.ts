/**
 * Opens connections to PostgreSQL: to the host that accepts writes, within a time limit, or not at all. `DATABASE_URL` may list
 * several hosts, as for libpq. Sanad always uses the host that accepts writes, and stops using one that has become a replica.
 *
 * To find that host, all hosts are tried at the same time. The host is remembered until a connection to it fails (`forget`). Each
 * connection is checked again when it is opened: PostgreSQL 14 and later reports whether it is a standby or read-only.
 *
 * For reading from a replica it is the other way round: a server that is no standby is refused.
 */
import pg from 'pg'
import { readDatabaseUrl } from './database-url.ts'
import { readRowsOf } from './read-rows.ts'
import { DatabaseUnavailable } from './unavailable.ts'

export type Address = { readonly host: string; readonly port: number }

export type Connector = {
  /** The class of connections for a pool. */
  readonly Client: typeof pg.Client
  /** A single connection. The caller ends it. */
  open(settings?: pg.ClientConfig): Promise<pg.Client>
  /** The server of a connection. */
  addressOf(client: pg.Client): Address
  /** A host has failed or refuses writes: the next connection looks again for the one that accepts them. */
  forget(): void
  /** From now on every new connection fails at once with `why`; undefined ends this. Connections of `open` are tried anyway. */
  refuse(why: DatabaseUnavailable | undefined): void
}

/** How long a connection may take, with DNS, TLS and authentication. */
export const connectMost_ms = 3_000

type Callback = ((fault: Error) => void) | ((fault: null, client: pg.Client) => void)
type Parameters = { options?: string } & Address
type Status = { readonly parameterName: string; readonly parameterValue: string }

export const shownAddress = ({ host, port }: Address): string =>
  host.startsWith('/') ? `${host} (port ${port})` : `${host}:${port}`

/** Closes a connection at once, without a message to a server that may not receive it. */
export const destroyConnection = (client: pg.Client, why?: Error): void => {
  client.connection.stream.destroy(why)
}

export const connectorTo = (
  url: string,
  connect_ms = connectMost_ms,
  accepts: 'primary' | 'replica' = 'primary',
): Connector => {
  const read = readDatabaseUrl(url)
  if (!read.ok) throw new Error(`the URL of the database ${read.error}`)
  const addresses: readonly Address[] = read.urls.map((hostUrl) => {
    const { host, port } = new pg.Client({ connectionString: hostUrl })
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
        (faults: AggregateError) => {
          const reasons = faults.errors.map((fault: Error) => fault.message).join('; ')
          throw new DatabaseUnavailable(`no host of the database accepts writes: ${reasons}`, { cause: faults })
        },
      )
      .finally(() => {
        finding = undefined
      })
    return finding
  }

  class HostClient extends pg.Client {
    readonly #fixed: Address | undefined
    readonly #evenIfRefused: boolean
    #readOnly = false
    #standby = false

    /** `fixed`: connects only to this host. `evenIfRefused`: connects also while other connections are refused. */
    constructor(settings?: pg.ClientConfig, fixed?: Address, evenIfRefused = false) {
      super({
        keepAlive: true,
        keepAliveInitialDelayMillis: 10_000,
        ...settings,
        connectionString: read.ok ? read.urls[0]! : url,
        connectionTimeoutMillis: connect_ms,
      })
      this.#fixed = fixed
      this.#evenIfRefused = evenIfRefused
      const own = settings?.options
      const parameters = this.#parameters
      // The driver takes the options of the URL instead of ours. Times are read as UTC, and plans are made as we ask for: ours count too,
      // and of two values of one setting the last.
      if (own !== undefined && parameters.options !== own) parameters.options = `${parameters.options} ${own}`
      readRowsOf(this.connection)
      // A connection may break before anyone else listens; without a listener its error would end the process. The next
      // statement on it fails.
      this.on('error', () => {})
      this.connection.on('parameterStatus', ({ parameterName, parameterValue }: Status) => {
        if (parameterName === 'in_hot_standby' || parameterName === 'default_transaction_read_only')
          this.#readOnly ||= parameterValue === 'on'
        // Reported again when a replica is promoted.
        if (parameterName === 'in_hot_standby') this.#standby = parameterValue === 'on'
      })
    }

    get #parameters(): Parameters {
      return (this as unknown as { readonly connectionParameters: Parameters }).connectionParameters
    }

    override connect(): Promise<pg.Client>
    override connect(callback: Callback): void
    override connect(callback?: Callback): Promise<pg.Client> | undefined {
      const connecting = this.#connect()
      if (callback === undefined) return connecting
      const report = callback as (fault: Error | null, client?: pg.Client) => void
      connecting.then(
        (client) => report(null, client),
        (fault: Error) => report(fault),
      )
      return undefined
    }

    async #connect(): Promise<pg.Client> {
      if (refused !== undefined && !this.#evenIfRefused) throw refused
      const address = this.#fixed ?? (await find())
      this.host = address.host
      this.port = address.port
      Object.assign(this.#parameters, address)
      try {
        await super.connect()
      } catch (fault) {
        forget()
        const why = (fault as Error).message || (fault as { code?: string }).code || 'no reason given'
        throw new DatabaseUnavailable(`PostgreSQL at ${shownAddress(address)} cannot be reached: ${why}`, {
          cause: fault,
        })
      }
      if (accepts === 'replica' ? this.#standby : !this.#readOnly) return this
      forget()
      // Ended first, so that the driver does not report the closed socket as an error.
      void this.end()
      destroyConnection(this)
      const what = accepts === 'replica' ? 'is no replica: it accepts writes' : 'accepts no writes: it is a replica'
      throw new DatabaseUnavailable(`PostgreSQL at ${shownAddress(address)} ${what}`)
    }
  }

  const probe = async (address: Address): Promise<void> => {
    const client = new HostClient({ application_name: 'sanad finding' }, address, true)
    await client.connect()
    void client.end()
    destroyConnection(client)
  }

  return {
    // The pool calls the constructor with its settings only.
    Client: HostClient as unknown as typeof pg.Client,
    async open(settings) {
      const connectOnce = async (): Promise<pg.Client> => {
        const client = new HostClient(settings, undefined, true)
        return client.connect()
      }
      const remembered = current
      return connectOnce().catch((fault) => {
        // The remembered host has failed: another may accept writes now.
        if (remembered === undefined || addresses.length === 1) throw fault
        return connectOnce()
      })
    },
    addressOf: ({ host, port }) => ({ host, port }),
    forget,
    refuse(why) {
      refused = why
    },
  }
}
