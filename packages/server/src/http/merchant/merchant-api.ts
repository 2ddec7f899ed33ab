/** The merchant API whole, under `/api/v1/merchant`. */
import type { FastifyInstance } from 'fastify'
import type { ApiKey } from '../../accounts/api-key.ts'
import { type IntentRooms, intentResources } from './intents.ts'
import { addResource, type Door } from './resource.ts'
import { addToken } from './token.ts'
import { walletsResource } from './wallets.ts'

export const merchantBase = '/api/v1/merchant'

export type MerchantRooms = Omit<IntentRooms, 'base'> &
  Door & { readonly loadKey: (id: string) => Promise<ApiKey | undefined>; readonly ttl_s: number }

export const merchantApi = (rooms: MerchantRooms) => async (app: FastifyInstance) => {
  addToken(app, rooms)
  for (const resource of [walletsResource(rooms.db), ...intentResources({ ...rooms, base: merchantBase })])
    addResource(app, rooms, resource)
}
