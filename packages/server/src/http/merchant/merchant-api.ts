/** The merchant API, under `/api/v1/merchant`: all its routes. */
import type { FastifyInstance } from 'fastify'
import type { ApiKey } from '../../accounts/keys/api-key.ts'
import { type IntentDeps, intentResources } from './intents.ts'
import { addResource, type ResourceDeps } from './resource.ts'
import { addToken } from './token.ts'
import { walletsResource } from './wallets.ts'

export const merchantBase = '/api/v1/merchant'

export type MerchantDeps = Omit<IntentDeps, 'base'> &
  ResourceDeps & { readonly loadKey: (id: string) => Promise<ApiKey | undefined>; readonly ttl_s: number }

export const merchantApi = (deps: MerchantDeps) => async (app: FastifyInstance) => {
  addToken(app, deps)
  for (const resource of [walletsResource(deps.db), ...intentResources({ ...deps, base: merchantBase })])
    addResource(app, deps, resource)
}
