/** The merchant API, under `/api/v1/merchant`: all its routes. */
import type { FastifyInstance } from 'fastify'
import type { ApiKey } from '../../accounts/keys/api-key.ts'
import type { OfferedWallets } from '../../views/wallets/offered-wallets.ts'
import { type AboutPath, addKeyRoutes, type KeyApiDeps } from '../routes/key-route.ts'
import { type IntentDeps, intentRoutes } from './intents.ts'
import { addToken } from './token.ts'
import { walletRoutes } from './wallets.ts'

export const merchantBase = '/api/v1/merchant'

export type MerchantDeps = Omit<IntentDeps, 'base'> &
  KeyApiDeps & {
    readonly offered: OfferedWallets
    readonly loadKey: (id: string) => Promise<ApiKey | undefined>
    readonly ttl_s: number
  }

const about: Readonly<Record<string, AboutPath>> = {
  '/wallets/': {
    name: 'Wallet List',
    bucket: 'wallets',
    otherMethods: { '*': 'wallets are created and changed in the dashboard' },
  },
  '/intents/': {
    name: 'Intent List',
    bucket: 'intents',
    otherMethods: { '*': 'GET lists intents, POST creates one' },
  },
  '/intents/{id}/': {
    name: 'Intent Instance',
    bucket: 'intents',
    otherMethods: {
      '*': 'GET reads the intent, PATCH attaches its reference',
      DELETE: 'an intent is not deleted, it expires after an hour or is cancelled in the dashboard',
    },
  },
}

export const merchantApi = (deps: MerchantDeps) => async (app: FastifyInstance) => {
  addToken(app, deps)
  addKeyRoutes(app, deps, about, [...walletRoutes(deps.offered), ...intentRoutes({ ...deps, base: merchantBase })])
}
