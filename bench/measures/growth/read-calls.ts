/**
 * Every call that only reads: of the merchant's server, of developers and of the dashboard, each with the queries that a screen sends
 * first. The list comes from the contract: a new call is measured too, or named here with the reason why not.
 */
import { checkoutOperations } from '../../../packages/contract/src/checkout/operations.ts'
import { firstPage, firstQueries } from '../../../packages/contract/src/dashboard/first-queries.ts'
import { dashboardOperations } from '../../../packages/contract/src/dashboard/operations.ts'
import { developerOperations } from '../../../packages/contract/src/developer/operations.ts'
import { merchantOperations } from '../../../packages/contract/src/merchant/operations.ts'
import type { Operation } from '../../../packages/contract/src/operation.ts'
import { systemClock } from '../../../packages/server/src/core/clock.ts'
import { day_ms } from '../../../packages/server/src/core/duration.ts'
import type { ServiceProcess } from '../../harness/service-process.ts'
import { newest, type Samples } from './samples.ts'

export type ReadCall = {
  readonly name: string
  readonly group: 'merchant' | 'dashboard'
  readonly paths: readonly string[]
  readonly token: string
}

/** Calls that are left out: a row by its key in a table that does not grow with payments, or no answer that ends. */
const leftOut: Readonly<Record<string, string>> = {
  openStream: 'it does not end',
  showApproval: 'a row by its key; changes that wait for an owner are few',
  showRequest: 'a row by its key; requests are few',
  showShift: 'nobody of this account has worked a shift',
  downloadShift: 'the same',
  showReplay: 'a row by its key; replays are few',
  showSelfTest: 'looks at the messages of some minutes',
  showCounterHere: 'asked by a browser that is a counter',
  showPaymentLink: 'a row by its key',
  downloadLinkQr: 'computes a picture',
  showBench: 'reads samples of a template again, without messages of the account',
  showFindings: 'findings of the installation; they look at the machine',
}

/** Ids in paths, by what stands before them. */
const placesOf = ({ merchant }: ServiceProcess, samples: Samples): Readonly<Record<string, readonly string[]>> => ({
  '/intents/{id}': samples.intents.map(({ id }) => id),
  '/unmatched/{id}': samples.alerts,
  '/checkouts/{id}': samples.checkouts,
  '/sessions/{id}': samples.checkouts,
  '/wallets/{id}': [merchant.demo.wallets.main],
  '/phones/{id}': [merchant.demo.device.id],
  '/webhooks/{id}': [samples.endpoint],
  '/deliveries/{delivery}': samples.deliveries,
  '/providers/{id}': [samples.provider],
  '/templates/{id}': [samples.template],
  '/accounts/{id}': [merchant.accountId],
})

/** `undefined`: the account has no such thing. */
const filled = (path: string, places: Readonly<Record<string, readonly string[]>>): string[] | undefined => {
  const names = Object.keys(places).filter((name) => path.includes(name))
  const most = Math.max(1, ...names.map((name) => places[name]!.length))
  const paths = Array.from({ length: most }, (_, n) =>
    names.reduce((text, name) => {
      const ids = places[name]!
      return text.replace(name, name.replace(/\{.*\}/, ids[n % ids.length] ?? ''))
    }, path),
  )
  return paths[0]!.includes('{') || paths[0]!.includes('//') ? undefined : paths
}

const textOf = (query: Readonly<Record<string, unknown>>): string => {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  return text === '' ? '' : `?${text}`
}

/** What the screens send with a call first; of several, each once. */
const queriesOfScreens = (): Map<string, string[]> => {
  const found = new Map<string, string[]>()
  for (const { call, query } of Object.values(firstQueries).flat()) {
    const text = textOf((query as Readonly<Record<string, unknown>> | undefined) ?? {})
    const all = found.get(call) ?? []
    if (!text.includes('%7B') && !all.includes(text)) found.set(call, [...all, text])
  }
  return found
}

/** Searches, filters and spans of time that screens and merchants send beside their first queries. */
const moreQueries = (
  samples: Samples,
  main: string,
): Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> => {
  const { intents, newestIntents, newestAudit } = samples
  const weekAgo = new Date(systemClock.now() - 7 * day_ms).toISOString()
  const yesterday = new Date(systemClock.now() - day_ms).toISOString().slice(0, 10)
  const ofWallet = [`?wallet=${main}&day=${yesterday}`]
  const each = (text: (intent: Samples['intents'][number]) => string) => intents.map(text)
  const ofIntents = {
    PENDING: ['?status=PENDING'],
    EXPIRED: ['?status=EXPIRED'],
    VERIFIED: ['?status=VERIFIED'],
    'since a week': [`?created_after=${weekAgo}`],
    'by amount': ['?ordering=-payable_amount'],
    'by verified_at': ['?ordering=verified_at'],
    'by status': ['?ordering=status'],
    'page 50': ['?page=50&page_size=5'],
    'order id, exact': each(({ order }) => `?external_order_id=${order}`),
    'reference, exact': each(({ reference }) => `?reference=${reference}`),
    'search, a reference': each(({ reference }) => `?search=${reference}`),
    'search, a code': each(({ code }) => `?search=${code}`),
    'search, 6 letters of an order': each(({ order }) => `?search=${order.slice(0, 6)}`),
    'search, 3 digits': each(({ reference }) => `?search=${reference.slice(0, 3)}`),
    'search, one digit repeated': ['?search=000000000000'],
  }
  return {
    merchantListIntents: ofIntents,
    listIntents: {
      'search, a reference': ofIntents['search, a reference'],
      EXPIRED: ofIntents.EXPIRED,
      'by amount': ofIntents['by amount'],
    },
    intentsCsv: { [`the newest ${newest.intents}`]: [`?created_after=${newestIntents}`] },
    auditCsv: { [`the newest ${newest.audit}`]: [`?from=${newestAudit}`] },
    auditLines: { [`the newest ${newest.audit}`]: [`?from=${newestAudit}`] },
    search: {
      'a reference': each(({ reference }) => `?q=${reference}`),
      'a code': each(({ code }) => `?q=${code}`),
      'an order': each(({ order }) => `?q=${order}`),
      '4 digits': each(({ reference }) => `?q=${reference.slice(-4)}`),
      'an amount': ['?q=1500'],
      'a name': ['?q=%D8%AA%D8%A7%D8%AC%D8%B1'],
    },
    listUnmatched: {
      'by amount': ['?amount=1500.00'],
      'search, a reference': each(({ reference }) => `?search=${reference}`),
    },
    listAlerts: { 'search, a reference': each(({ reference }) => `?search=${reference}`), all: [''] },
    listCheckouts: { 'search, an order': each(({ order }) => `?search=${order}`) },
    showCharts: { '7 days': ['?days=7'], '90 days': ['?days=90'] },
    showArrivedDays: { '31 days': ['?days=31'] },
    showArrivedHours: { yesterday: [`?day=${yesterday}`] },
    showDayClose: { yesterday: ofWallet },
    listDayLines: { yesterday: ofWallet },
    downloadDayClose: { yesterday: ofWallet },
    listDays: { '10 days': [`?wallet=${main}&days=10`] },
    showDaySums: { yesterday: [`?day=${yesterday}`] },
    downloadDaySums: { yesterday: [`?day=${yesterday}`] },
    listCalls: { failed: ['?failed=1'] },
    listAccounts: { all: [''], 'search, a name': ['?search=shop%20123'] },
    listDeliveries: { failed: [textOf({ ...firstPage.deliveries, state: 'failed' })] },
  }
}

type Api = readonly [base: string, operations: readonly Operation[], token: string, group: ReadCall['group']]

export const readCalls = (service: ServiceProcess, samples: Samples): ReadCall[] => {
  const { token } = service.merchant
  const places = placesOf(service, samples)
  const screens = queriesOfScreens()
  const more = moreQueries(samples, service.merchant.demo.wallets.main)
  const apis: readonly Api[] = [
    ['/api/v1/merchant', merchantOperations, token, 'merchant'],
    ['/api/v1/checkout', checkoutOperations, token, 'merchant'],
    ['/api/v1/developer', developerOperations, token, 'merchant'],
    ['/api/v1/dashboard', dashboardOperations, samples.userToken, 'dashboard'],
  ]
  const calls: ReadCall[] = []
  for (const [base, operations, sent, group] of apis)
    for (const { id, method, path } of operations) {
      const isDashboard = group === 'dashboard'
      if (method !== 'GET' || (isDashboard && leftOut[id] !== undefined)) continue
      const paths = filled(`${base}${path}`, places)
      if (paths === undefined) {
        if (isDashboard || !path.startsWith('/links/'))
          throw new Error(`${id}: say in read-calls.ts how ${path} is filled`)
        continue
      }
      const extra = more[isDashboard ? id : `merchant${id[0]!.toUpperCase()}${id.slice(1)}`]
      const usual = isDashboard ? (screens.get(id) ?? (extra === undefined ? [''] : [])) : ['']
      const add = (name: string, queries: readonly string[]): void => {
        const every = paths.flatMap((one) => queries.map((query) => `${one}${query}`))
        calls.push({ name, group, paths: every, token: sent })
      }
      for (const query of usual) add(`${id}${isDashboard && usual.length > 1 ? ` ${query}` : ''}`, [query])
      for (const [name, queries] of Object.entries(extra ?? {})) add(`${id}, ${name}`, queries)
    }
  return calls
}
