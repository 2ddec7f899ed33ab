/** The generated files that are committed (schema, OpenAPI documents, SDK types), each with its current content. */
import { join, resolve } from 'node:path'
import { checkoutOpenApi } from '@sanad/contract/checkout/document'
import { dashboardOpenApi } from '@sanad/contract/dashboard/document'
import { developerOpenApi } from '@sanad/contract/developer/document'
import { merchantOpenApi } from '@sanad/contract/merchant/document'
import { apiTypes, checkoutApiTypes } from '../../../sdk/test/api-types.ts'
import { version } from '../../src/version.ts'
import { dumpSchema } from '../support/schema-dump.ts'

const root = resolve(import.meta.dirname, '../../../..')

export const dumps = async (databaseUrl: string): Promise<{ readonly path: string; readonly text: string }[]> => {
  const document = merchantOpenApi({ version, serverUrl: 'http://127.0.0.1:8080/api/v1/merchant' })
  const dashboard = dashboardOpenApi({ version, serverUrl: 'http://127.0.0.1:8080/api/v1/dashboard' })
  const checkout = checkoutOpenApi({ version, serverUrl: 'http://127.0.0.1:8080/api/v1/checkout' })
  const developer = developerOpenApi({ version, serverUrl: 'http://127.0.0.1:8080/api/v1/developer' })
  return [
    { path: join(root, 'schema.sql'), text: await dumpSchema(databaseUrl) },
    { path: join(root, 'openapi/merchant.json'), text: `${JSON.stringify(document, null, 2)}\n` },
    { path: join(root, 'openapi/checkout.json'), text: `${JSON.stringify(checkout, null, 2)}\n` },
    { path: join(root, 'packages/sdk/types/merchant-api.d.ts'), text: apiTypes(document) },
    { path: join(root, 'packages/sdk/types/checkout-api.d.ts'), text: checkoutApiTypes(checkout, document) },
    { path: join(root, 'openapi/dashboard.json'), text: `${JSON.stringify(dashboard, null, 2)}\n` },
    { path: join(root, 'openapi/developer.json'), text: `${JSON.stringify(developer, null, 2)}\n` },
  ]
}
