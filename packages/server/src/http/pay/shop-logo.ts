/**
 * The logo of a shop, `GET /pay/logo/{name}`. It is sent with the type that was found in its bytes when it was saved, and
 * with headers that let nothing in it run. Its name is the hash of its bytes, so browsers may keep it for ever.
 */
import type { FastifyInstance } from 'fastify'
import { findLogoByName } from '../../checkouts/logo/shop-logo.ts'
import type { Clock } from '../../core/clock.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { payBase } from '../checkout/checkout-answer.ts'
import { addressKey } from '../limits/address-key.ts'
import { countCall } from '../limits/count-call.ts'
import type { Limits, Rules } from '../limits/rule.ts'
import { requireNotMoved } from '../moved-account.ts'
import { inertHeaders } from './page-answer.ts'
import type { PageLogo } from './page-parts.ts'
import { PageUnavailable } from './pay-request.ts'

export const logoBase = `${payBase}/logo`

/** The logo as the pages show it, from the columns of a statement. */
export const pageLogo = (row: {
  readonly shop_logo: Buffer | null
  readonly shop_logo_width: number | null
  readonly shop_logo_height: number | null
}): PageLogo | null =>
  row.shop_logo === null
    ? null
    : {
        url: `${logoBase}/${row.shop_logo.toString('base64url')}`,
        width: row.shop_logo_width!,
        height: row.shop_logo_height!,
      }

const headers = { ...inertHeaders, 'cache-control': 'public, max-age=31536000, immutable' } as const

type LogoDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly limits: Limits
  readonly rules: Rules | null
}

export const logoPages = (app: FastifyInstance, deps: LogoDeps): void => {
  app.get('/logo/:name', async (request, reply) => {
    await countCall(deps, 'pay_address', addressKey(request.ip), deps.clock.now())
    const found = await findLogoByName(deps.db, (request.params as { name: string }).name)
    if (found === undefined) throw new PageUnavailable('unknown')
    requireNotMoved(app, found.account_id)
    return reply.headers(headers).type(found.type).send(found.logo)
  })
}
