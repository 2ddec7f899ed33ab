/** A signature is over the bytes as they arrived: the route of the webhooks keeps them. */
import { defineMiddlewares } from '@medusajs/framework/http'

export default defineMiddlewares({
  routes: [{ matcher: '/hooks/sanad/:provider', method: ['POST'], bodyParser: { preserveRawBody: true } }],
})
