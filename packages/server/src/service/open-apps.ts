/** The HTTP applications: one with every API and page, one for operators. Each API gets what it needs and no more. */
import { loadKey } from '../accounts/keys/key-lookup.ts'
import { pageFinder } from '../checkouts/buyer/find-page.ts'
import { usualWaits } from '../checkouts/buyer/usual-wait.ts'
import { buildApp } from '../http/app/app.ts'
import { forwardStamps } from '../http/forward/forward-stamp.ts'
import { openForwarder } from '../http/forward/forwarder.ts'
import { findHere } from '../http/moved-account.ts'
import { buildOperatorsApp } from '../http/operators-app.ts'
import { shopWalletLookup } from '../http/pay/shop-wallets.ts'
import { readyAtRightTime } from '../http/wrong-time.ts'
import { walletLookup } from '../views/wallets/find-wallet.ts'
import { openExaminer } from './examine.ts'
import type { Base } from './open-base.ts'
import type { Parts } from './open-parts.ts'

type App = Required<Parameters<typeof buildApp>[0]>
/** What several APIs take from the request and from the settings. */
type Shared = ReturnType<typeof sharedBy>

export const openApps = async (base: Base, parts: Parts) => {
  const { config, log, clock, clockGuard, metrics, load, more } = base
  const shared = sharedBy(base)
  base.frozen.onMoved(parts.checkouts.streams.readAgain)
  const notReady = readyAtRightTime(base.notReady, clockGuard)
  const stamps = forwardStamps(base.masterKey)
  const forwarder = openForwarder({
    clock,
    stamps,
    ownOrigin: shared.originOf,
    cells: base.frozen.cells,
    metrics,
    onChange(origin, answers, fault) {
      if (answers) log.info({ origin }, 'the cell to which calls are forwarded answers')
      else log.warn({ origin, err: fault }, 'the cell to which calls are forwarded does not answer')
    },
  })
  const app = await buildApp({
    log,
    clock,
    trustProxy: config.trustProxy,
    onlyTls: config.publicUrl?.startsWith('https:') === true,
    health: { notReady },
    wellKnown: { clock, securityContact: config.securityContact, origin: shared.originOf },
    clockGuard,
    metrics,
    ...(base.tracer && { tracer: base.tracer }),
    load,
    frozen: base.frozen,
    forwarder,
    stamps,
    calls: parts.calls,
    ...keyedApis(base, parts, shared),
    ...phoneApis(base, parts, shared),
    pay: payPages(base, parts),
    voucher: {
      ...parts.checkouts.routes,
      findPage: findHere(pageFinder(base.shared), base.frozen),
      onFault: base.onFault('a voucher failed'),
    },
    dashboard: dashboard(base, parts, shared),
    ...(more === undefined ? {} : { more }),
  })
  return {
    app,
    forwarder,
    operatorsApp: await buildOperatorsApp(
      { notReady },
      {
        contentType: metrics.contentType,
        text: base.machine?.shareFigures(metrics) ?? metrics.text,
      },
    ),
  }
}

const sharedBy = ({ config, db, zone, clock, limits }: Base) => ({
  /** What every route needs. */
  route: { db, zone, clock, limits, rules: config.limits },
  development: !config.production,
  secure: config.production || config.publicUrl?.startsWith('https:') === true,
  originOf: (request: { protocol: string; host: string }): string =>
    config.publicUrl ?? `${request.protocol}://${request.host}`,
})

/** The APIs that are called with an API key. */
const keyedApis = (
  { config, db }: Base,
  { accounts, alerts, views, createIntent, matching, checkouts, phones, webhooks }: Parts,
  { route, development, originOf }: Shared,
): Pick<App, 'merchant' | 'checkout' | 'developer'> => {
  const keyed = { ...route, tokens: accounts.tokens, keys: accounts.keys, keyUse: accounts.keyUse }
  return {
    merchant: {
      ...keyed,
      wallets: views.wallets,
      offered: views.offered,
      find: views.find,
      loadKey: (id) => loadKey(db, id),
      ttl_s: config.tokenTtl_s,
      create: createIntent,
      attach: matching.attach,
      list: views.list,
      origin: originOf,
    },
    checkout: { ...checkouts.routes, ...keyed, development, origin: originOf },
    developer: {
      ...keyed,
      secrets: webhooks.secrets,
      call: webhooks.call,
      userAgent: webhooks.userAgent,
      wallets: views.wallets,
      phoneSecrets: phones.secrets,
      readReport: alerts.readReport,
      onPaid: (accountId, outcome) => {
        matching.onResolved(accountId, [outcome])
        webhooks.wakeForOne(accountId)
      },
    },
  }
}

/** The API of phones, and the page that sets one up. */
const phoneApis = (
  { onFault }: Base,
  { phones, matching, live: { sendHint } }: Parts,
  { route, secure, originOf }: Shared,
): Pick<App, 'device' | 'pair'> => {
  const { secrets, knownPhones } = phones
  const phone = { ...route, secrets, knownPhones, onFault: onFault('a request of a phone failed') }
  return {
    device: {
      ...phone,
      ...phones.routes,
      ...matching.recorder,
      origin: originOf,
      onSetup: ({ accountId, id }) => sendHint(accountId, { kind: 'phone', id }),
    },
    pair: {
      ...phone,
      secure,
      ownOrigin: originOf,
      onChange: (accountId, id, noticed) => {
        sendHint(accountId, { kind: 'phone', id })
        if (noticed) sendHint(accountId, { kind: 'notice', id: '' })
      },
    },
  }
}

const payPages = (
  { config, db, clock, shared, frozen, onFault }: Base,
  { checkouts, matching }: Parts,
): App['pay'] => ({
  ...checkouts.routes,
  window_ms: config.intentWindow_ms,
  walletsIn: walletLookup,
  attach: matching.attach,
  usualWait: usualWaits(db),
  findPage: findHere(pageFinder(shared), frozen),
  shopWallets: shopWalletLookup(db, clock),
  streams: checkouts.streams,
  onFault: onFault("a buyer's page failed"),
})

const dashboard = (
  { config, db, clockGuard }: Base,
  { accounts, alerts, checkouts, live, mail, afterwards, phones, push, reads, streams, views, webhooks }: Parts,
  { route, development, secure, originOf }: Shared,
): App['dashboard'] => {
  const { wakeForOne, settings, guard, resolve, call, userAgent } = webhooks
  return {
    ...route,
    ...accounts,
    send: mail.send,
    mails: mail.on,
    afterwards,
    tokenTtl_s: config.tokenTtl_s,
    backupMaxAge_ms: config.backupMaxAge_ms,
    examine: openExaminer(config, db, clockGuard.state),
    retention: config.retention,
    secure,
    ownOrigin: originOf,
    find: views.find,
    list: views.listForUsers,
    wallets: views.wallets,
    window_ms: config.intentWindow_ms,
    talliedUntil: views.talliedUntil,
    reads,
    knownPhones: phones.knownPhones,
    phoneSecrets: phones.secrets,
    templates: alerts.templates,
    readReport: alerts.readReport,
    sendHint: live.sendHint,
    live: live.hub,
    streams,
    secrets: webhooks.secrets,
    guard,
    resolve,
    call,
    userAgent,
    settings,
    wake: wakeForOne,
    pushKeys: push.pushKeys,
    subscriptions: push.subscriptions,
    checkoutTokens: checkouts.routes.checkoutTokens,
    voucherTokens: checkouts.routes.voucherTokens,
    development,
    operatorsNeedFactor: config.production,
  }
}
