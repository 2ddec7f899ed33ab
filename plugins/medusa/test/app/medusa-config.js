/** The shop of the test: PostgreSQL, the plugin from its folder, and the provider three times: with Sanad's page, with the shop's own page, and in test mode. */
import { join } from 'node:path'
import { defineConfig, Modules } from '@medusajs/framework/utils'

const plugin = join(import.meta.dirname, '../..')
const { databaseUrl, sanad } = JSON.parse(process.env.MEDUSA_TEST ?? '{}')
const resolve = join(plugin, 'src/provider.js')
const provider = (id, more) => ({
  resolve,
  id,
  options: { ...sanad, returnUrl: 'http://127.0.0.1:9/{session}', ...more },
})

export default defineConfig({
  projectConfig: {
    databaseUrl,
    databaseDriverOptions: { ssl: false, connection: { ssl: false } },
    cookieOptions: { secure: false, sameSite: 'lax' },
    http: { storeCors: '*', adminCors: '*', authCors: '*', jwtSecret: 'test', cookieSecret: 'test' },
  },
  plugins: [{ resolve: plugin, options: {} }],
  modules: [
    {
      key: Modules.PAYMENT,
      resolve: '@medusajs/medusa/payment',
      options: {
        providers: [provider('sanad', {}), provider('own', { page: 'own' }), provider('test', { testMode: true })],
      },
    },
  ],
})
