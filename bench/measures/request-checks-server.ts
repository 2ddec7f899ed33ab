/**
 * The service's HTTP API on an existing database with one of its checks left out, so that the cost of the check can be
 * measured. Arguments: `whole`, `no-token-check` or `no-limits`, and the client id of the calls. Without the token
 * check the header is still parsed; the token is taken to be valid.
 */
import { keyLookup, loadKey } from '../../packages/server/src/accounts/keys/key-lookup.ts'
import { keyUse } from '../../packages/server/src/accounts/keys/key-use.ts'
import { openTokens } from '../../packages/server/src/accounts/sessions/token.ts'
import { readConfig } from '../../packages/server/src/config.ts'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import type { ClientId } from '../../packages/server/src/core/ids.ts'
import { zoneOf } from '../../packages/server/src/core/zone.ts'
import { buildApp } from '../../packages/server/src/http/app/app.ts'
import { MemoryLimits } from '../../packages/server/src/http/limits/memory-limits.ts'
import { openMetrics } from '../../packages/server/src/http/metrics.ts'
import { intentCreator } from '../../packages/server/src/intents/create/create-intents.ts'
import { talliedUntilReader } from '../../packages/server/src/intents/totals/tally-intents.ts'
import { openLog } from '../../packages/server/src/log.ts'
import { loadMasterKeys } from '../../packages/server/src/master-key.ts'
import { referenceAttacher } from '../../packages/server/src/matching/resolve/attach-references.ts'
import { openPool, openSharedPool } from '../../packages/server/src/open-store.ts'
import { intentFinder } from '../../packages/server/src/views/intents/find-intents.ts'
import { intentLister } from '../../packages/server/src/views/intents/list-intents.ts'
import { walletLookup } from '../../packages/server/src/views/wallets/find-wallet.ts'
import { offeredWallets } from '../../packages/server/src/views/wallets/offered-wallets.ts'

const [variant, clientId] = process.argv.slice(2) as ['whole' | 'no-token-check' | 'no-limits', ClientId]
const config = readConfig(process.env)
const log = openLog(config.logLevel)
const db = openPool(config.databaseUrl!, config, log)
const shared = openSharedPool(config.databaseUrl!, log)
const zone = zoneOf(config.timeZone)
const wallets = walletLookup(db)
const find = intentFinder(shared)
const tokens = openTokens((await loadMasterKeys(config))[0]!)
const key = (await loadKey(db, clientId))!
const bearer = { typ: 'client', sub: clientId, acc: key.scope.accountId, generation: key.generation } as const
const unchecked = variant === 'no-token-check'

const app = await buildApp({
  log,
  clock: systemClock,
  trustProxy: 0,
  health: { notReady: async () => undefined },
  metrics: openMetrics(),
  merchant: {
    db,
    zone,
    clock: systemClock,
    wallets,
    offered: offeredWallets(db),
    find,
    tokens: unchecked ? { ...tokens, check: () => bearer } : tokens,
    keys: unchecked ? { get: () => key, forget: () => {} } : keyLookup(db),
    keyUse: keyUse(db, config.timeZone, (fault) =>
      log.error({ err: fault }, 'the last use of keys could not be stored'),
    ),
    loadKey: (id) => loadKey(db, id),
    ttl_s: config.tokenTtl_s,
    limits: new MemoryLimits(),
    rules: variant === 'no-limits' ? null : config.limits,
    create: intentCreator({ db, shared, wallets, zone, window_ms: config.intentWindow_ms }),
    attach: referenceAttacher({ db, shared, zone, find }),
    list: intentLister({ db, shared, talliedUntil: talliedUntilReader(db) }),
    origin: () => 'http://127.0.0.1',
  },
})
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
log.info({ origin }, 'ready')
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
