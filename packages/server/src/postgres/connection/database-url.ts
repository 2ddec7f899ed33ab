/**
 * `DATABASE_URL` as libpq reads it: it may list several hosts, of which one accepts writes at a time. The driver knows only one
 * host, so the URL is split here into one URL for each host. Pure.
 */

export type DatabaseUrl =
  /** One URL for each host, in their order, with the same settings. */
  { readonly ok: true; readonly urls: readonly string[] } | { readonly ok: false; readonly error: string }

const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/
const accepted = ['any', 'read-write', 'primary']
const mostHosts = 10

export const readDatabaseUrl = (url: string): DatabaseUrl => {
  const [, scheme, authority, path = '', query = ''] = parts.exec(url) ?? []
  if (scheme === undefined || authority === undefined)
    return { ok: false, error: 'is not a URL that begins with postgres:// or postgresql://' }
  const settings = new URLSearchParams(query)
  const wanted = settings.get('target_session_attrs')
  if (wanted !== null && !accepted.includes(wanted))
    return { ok: false, error: `asks for target_session_attrs=${wanted}, but Sanad writes: only read-write will do` }
  const at = authority.lastIndexOf('@') + 1
  const [user, address] = [authority.slice(0, at), authority.slice(at)]
  // Both ways of libpq: `h1:5432,h2:5433` before the slash, or `host=h1,h2&port=5432,5433` in the query.
  const hosts = address.split(',')
  const behind = settings.get('host')?.split(',') ?? []
  const ports = settings.get('port')?.split(',') ?? []
  const count = Math.max(hosts.length, behind.length)
  if (count > mostHosts) return { ok: false, error: `names more than ${mostHosts} hosts` }
  if (count === 1) return { ok: true, urls: [withSettings(`${scheme}${authority}${path}`, settings, {})] }
  if (behind.length > 1 && address !== '')
    return { ok: false, error: 'names hosts twice: before the slash and in host=' }
  if ([...hosts, ...behind].some((host) => host === '') && behind.length < 2)
    return { ok: false, error: 'names an empty host' }
  if (behind.length > 1 && ports.length > 1 && ports.length !== behind.length)
    return { ok: false, error: 'has another number of ports than of hosts' }
  const urls = Array.from({ length: count }, (_, i) =>
    behind.length > 1
      ? withSettings(`${scheme}${authority}${path}`, settings, { host: behind[i]!, port: ports[i] ?? ports[0] })
      : withSettings(`${scheme}${user}${hosts[i]}${path}`, settings, {}),
  )
  return { ok: true, urls }
}

const withSettings = (
  before: string,
  settings: URLSearchParams,
  changed: Readonly<Record<string, string | undefined>>,
): string => {
  const left = new URLSearchParams(settings)
  // For libpq; the driver would pass it on as a setting that PostgreSQL does not know.
  for (const name of ['target_session_attrs', 'load_balance_hosts', 'connect_timeout']) left.delete(name)
  for (const [name, value] of Object.entries(changed)) if (value !== undefined) left.set(name, value)
  const text = left.toString()
  return text === '' ? before : `${before}?${text}`
}
