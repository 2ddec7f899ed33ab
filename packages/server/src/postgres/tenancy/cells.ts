/** The other cells that this one knows (SANAD_CELLS): where an account can be moved, and where calls for it are forwarded. */
import { isLoopback } from '../../core/cidr.ts'
import { readDatabaseUrl } from '../connection/database-url.ts'

export type Cell = {
  readonly name: string
  /** Its origin, as buyers and merchants reach it. */
  readonly origin: string
  readonly databaseUrl: string
}

export type CellsRead =
  | { readonly ok: true; readonly cells: ReadonlyMap<string, Cell> }
  | { readonly ok: false; readonly error: string }

const mostCells = 100

/** Forwarded calls carry tokens: they travel encrypted, unless they do not leave the machine. */
const originOf = (text: unknown): string | undefined => {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined
  const { protocol, hostname, origin, pathname, search, hash, username, password } = new URL(text)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
  return isSafe && pathname.replace(/\/+$/, '') + search + hash + username + password === '' ? origin : undefined
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Database URLs may hold passwords: no error repeats one. */
export const readCells = (text: string | undefined): CellsRead => {
  const cells = new Map<string, Cell>()
  if (text === undefined) return { ok: true, cells }
  const wrong = (error: string): CellsRead => ({ ok: false, error })
  const given = parse(text)
  if (!isRecord(given)) return wrong('is no JSON object of names and cells')
  const entries = Object.entries(given)
  if (entries.length > mostCells) return wrong(`names ${entries.length} cells; ${mostCells} are the most`)
  for (const [name, cell] of entries) {
    if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(name))
      return wrong(`has the name "${name}": small letters, digits and hyphens, 63 at most`)
    if (!isRecord(cell)) return wrong(`has no object for "${name}"`)
    const unknown = Object.keys(cell).find((key) => key !== 'url' && key !== 'database_url')
    if (unknown !== undefined) return wrong(`has "${unknown}" for "${name}": url and database_url are known`)
    const origin = originOf(cell.url)
    if (origin === undefined) return wrong(`has no https origin as the url of "${name}" (http for loopback alone)`)
    const { database_url: databaseUrl } = cell
    if (typeof databaseUrl !== 'string' || !/^postgres(ql)?:\/\//.test(databaseUrl))
      return wrong(`has no database_url for "${name}" that begins with postgresql://`)
    const read = readDatabaseUrl(databaseUrl)
    if (!read.ok) return wrong(`has a wrong database_url for "${name}": ${read.error}`)
    cells.set(name, { name, origin, databaseUrl })
  }
  return { ok: true, cells }
}
