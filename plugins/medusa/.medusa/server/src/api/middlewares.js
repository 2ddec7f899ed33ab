/** Keeps the raw body on the route of the webhooks: the signature covers the bytes as they arrived. */
import { defineMiddlewares } from '@medusajs/framework/http'

export default defineMiddlewares({
  routes: [{ matcher: '/hooks/sanad/:provider', method: ['POST'], bodyParser: { preserveRawBody: true } }],
})
