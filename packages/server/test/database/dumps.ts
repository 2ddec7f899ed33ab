/** The generated files that are committed (schema, OpenAPI documents, SDK types, what its fake knows), each with its current content. */
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkoutOpenApi } from '@sanad/contract/checkout/document'
import { dashboardOpenApi } from '@sanad/contract/dashboard/document'
import { developerOpenApi } from '@sanad/contract/developer/document'
import { merchantOpenApi } from '@sanad/contract/merchant/document'
import { phpErrorCodes, phpTypes } from '../../../../sdks/types/php-types.ts'
import { copiedToSync, pythonSync, syncNote } from '../../../../sdks/types/python-sync.ts'
import { pythonTypes } from '../../../../sdks/types/python-types.ts'
import { apiTypes, checkoutApiTypes } from '../../../sdk/test/api-types.ts'
import { describedForFake } from '../../../sdk/test/described.ts'
import { matchable_ms } from '../../src/alerts/alert.ts'
import { mostIntents } from '../../src/checkouts/checkout.ts'
import { mostLinks } from '../../src/checkouts/links/payment-link.ts'
import { LARGEST_AMOUNT } from '../../src/core/money.ts'
import { mostBody_bytes } from '../../src/http/app/app.ts'
import { leastAmount } from '../../src/http/body/merchant/create-intent-body.ts'
import { keyLife_ms } from '../../src/intents/create/create-intents.ts'
import { mostReferences } from '../../src/intents/reference-sql.ts'
import { version } from '../../src/version.ts'
import { dumpSchema } from '../support/schema-dump.ts'

const root = resolve(import.meta.dirname, '../../../..')
const python = join(root, 'sdks/python/src/sanad')

export const dumps = async (databaseUrl: string): Promise<{ readonly path: string; readonly text: string }[]> => {
  const document = merchantOpenApi({ version, serverUrl: 'http://127.0.0.1:8080/api/v1/merchant' })
  const dashboard = dashboardOpenApi({ version, serverUrl: 'http://127.0.0.1:8080/api/v1/dashboard' })
  const checkout = checkoutOpenApi({ version, serverUrl: 'http://127.0.0.1:8080/api/v1/checkout' })
  const developer = developerOpenApi({ version, serverUrl: 'http://127.0.0.1:8080/api/v1/developer' })
  const described = describedForFake(
    { merchant: '/api/v1/merchant', checkout: '/api/v1/checkout' },
    {
      leastAmount,
      largestAmount: LARGEST_AMOUNT,
      references: mostReferences,
      checkoutIntents: mostIntents,
      links: mostLinks,
      body_bytes: mostBody_bytes,
      keyLife_ms,
      matchable_ms,
    },
  )
  return [
    { path: join(root, 'schema.sql'), text: await dumpSchema(databaseUrl) },
    { path: join(root, 'openapi/merchant.json'), text: `${JSON.stringify(document, null, 2)}\n` },
    { path: join(root, 'openapi/checkout.json'), text: `${JSON.stringify(checkout, null, 2)}\n` },
    { path: join(root, 'packages/sdk/types/merchant-api.d.ts'), text: apiTypes(document) },
    { path: join(root, 'packages/sdk/types/checkout-api.d.ts'), text: checkoutApiTypes(checkout, document) },
    { path: join(root, 'packages/sdk/src/testing/described.js'), text: described },
    { path: join(root, 'sdks/php/src/Api.php'), text: phpTypes([document, checkout]) },
    { path: join(root, 'sdks/php/src/ErrorCode.php'), text: phpErrorCodes() },
    { path: join(root, 'sdks/python/src/sanad/api.py'), text: pythonTypes([document, checkout]) },
    ...copiedToSync.map((name) => ({
      path: join(python, '_sync', name),
      text: `${syncNote(name)}${pythonSync(readFileSync(join(python, '_async', name), 'utf8'))}`,
    })),
    { path: join(root, 'openapi/dashboard.json'), text: `${JSON.stringify(dashboard, null, 2)}\n` },
    { path: join(root, 'openapi/developer.json'), text: `${JSON.stringify(developer, null, 2)}\n` },
  ]
}
