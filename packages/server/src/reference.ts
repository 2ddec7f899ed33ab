/** The rendered API reference: the published document with this server's address. */
import { merchantOpenApi } from '@sanad/contract/merchant-openapi'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { docs } from './http/docs.ts'
import { merchantBase } from './http/merchant/merchant-api.ts'
import { version } from './version.ts'

export const reference = (config: Config) => async (app: FastifyInstance) => {
  const document = merchantOpenApi({ version, serverUrl: `${config.publicUrl ?? ''}${merchantBase}` })
  // A scope of its own: what it adds to its answers is not added to the API's.
  await app.register((scope) => docs(scope, { document }))
}
