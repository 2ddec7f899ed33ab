/** The guide, and the rendered API references: the published documents with this server's address. */
import { checkoutOpenApi } from '@sanad/contract/checkout/document'
import { dashboardOpenApi } from '@sanad/contract/dashboard/document'
import { developerOpenApi } from '@sanad/contract/developer/document'
import { merchantOpenApi } from '@sanad/contract/merchant/document'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { checkoutBase } from './http/checkout/checkout-api.ts'
import { dashboardBase } from './http/dashboard/api/dashboard-api.ts'
import { developerBase } from './http/developer/developer-api.ts'
import { docs } from './http/docs.ts'
import { guide } from './http/guide/guide-pages.ts'
import { merchantBase } from './http/merchant/merchant-api.ts'
import { version } from './version.ts'

export const apiReference = (config: Config) => async (app: FastifyInstance) => {
  const at = (base: string) => ({ version, serverUrl: `${config.publicUrl ?? ''}${base}` })
  const merchant = {
    page: '/docs',
    file: '/openapi/merchant.json',
    title: 'Sanad API',
    document: () => merchantOpenApi(at(merchantBase)),
  }
  const dashboard = {
    page: '/docs/dashboard',
    file: '/openapi/dashboard.json',
    title: 'Sanad dashboard API',
    document: () => dashboardOpenApi(at(dashboardBase)),
  }
  const checkout = {
    page: '/docs/checkout',
    file: '/openapi/checkout.json',
    title: 'Sanad checkout API',
    document: () => checkoutOpenApi(at(checkoutBase)),
  }
  const developer = {
    page: '/docs/developer',
    file: '/openapi/developer.json',
    title: 'Sanad developer API',
    document: () => developerOpenApi(at(developerBase)),
  }
  await app.register((scope) => docs(scope, merchant))
  await app.register((scope) => docs(scope, checkout))
  await app.register((scope) => docs(scope, dashboard))
  await app.register((scope) => docs(scope, developer))
  await app.register(guide)
}
