/**
 * Reads `DATABASE_URL` as libpq does: it may list several hosts, of which one accepts writes at a time. The driver takes only one
 * host, so the URL is split here into one URL for each host. Pure.
 */

export type DatabaseUrl =
  /** One URL for each host, in their order, with the same settings. */
  { readonly ok: true; readonly urls: readonly string[] } | { readonly ok: false; readonly error: string }

const urlPattern = /^(postgres(?:ql)?:\/\/)([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/
const acceptedTargets = ['any', 'read-write', 'primary']
const mostHosts = 10

export const readDatabaseUrl = (url: string): DatabaseUrl => {
  const [, scheme, authority, path = '', query = ''] = urlPattern.exec(url) ?? []
  if (scheme === undefined || authority === undefined)
    return { ok: false, error: 'is not a URL that begins with postgres:// or postgresql://' }
  const settings = new URLSearchParams(query)
  const target = settings.get('target_session_attrs')
  if (target !== null && !acceptedTargets.includes(target))
    return { ok: false, error: `has target_session_attrs=${target}, but Sanad writes: it needs read-write` }
  const hostStart = authority.lastIndexOf('@') + 1
  const [user, address] = [authority.slice(0, hostStart), authority.slice(hostStart)]
  // Both ways of libpq: `h1:5432,h2:5433` before the slash, or `host=h1,h2&port=5432,5433` in the query.
  const hosts = address.split(',')
  const queryHosts = settings.get('host')?.split(',') ?? []
  const ports = settings.get('port')?.split(',') ?? []
  const count = Math.max(hosts.length, queryHosts.length)
  if (count > mostHosts) return { ok: false, error: `lists more than ${mostHosts} hosts` }
  if (count === 1) return { ok: true, urls: [withSettings(`${scheme}${authority}${path}`, settings, {})] }
  if (queryHosts.length > 1 && address !== '')
    return { ok: false, error: 'lists hosts twice: before the slash and in host=' }
  if ([...hosts, ...queryHosts].some((host) => host === '') && queryHosts.length < 2)
    return { ok: false, error: 'lists an empty host' }
  if (queryHosts.length > 1 && ports.length > 1 && ports.length !== queryHosts.length)
    return { ok: false, error: 'has another number of ports than of hosts' }
  const urls = Array.from({ length: count }, (_, i) =>
    queryHosts.length > 1
      ? withSettings(`${scheme}${authority}${path}`, settings, { host: queryHosts[i]!, port: ports[i] ?? ports[0] })
      : withSettings(`${scheme}${user}${hosts[i]}${path}`, settings, {}),
  )
  return { ok: true, urls }
}

const withSettings = (
  base: string,
  settings: URLSearchParams,
  changes: Readonly<Record<string, string | undefined>>,
): string => {
  const query = new URLSearchParams(settings)
  // Parameters of libpq; the driver would send them to PostgreSQL, which does not know them.
  for (const name of ['target_session_attrs', 'load_balance_hosts', 'connect_timeout']) query.delete(name)
  for (const [name, value] of Object.entries(changes)) if (value !== undefined) query.set(name, value)
  const text = query.toString()
  return text === '' ? base : `${base}?${text}`
}
