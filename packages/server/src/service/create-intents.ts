/** Creating intents, with a hint to open dashboards. */
import { intentCreator } from '../intents/create/create-intents.ts'
import type { Views } from './create-views.ts'
import type { Base } from './open-base.ts'
import type { Live } from './open-live.ts'

export const createIntents = ({ db, shared, zone, config }: Base, { wallets }: Views, { sendHint }: Live) => {
  const creator = intentCreator({ db, shared, wallets, zone, window_ms: config.intentWindow_ms })
  const create: typeof creator = async (request, now) => {
    const result = await creator(request, now)
    if ('kind' in result && result.kind === 'created')
      sendHint(request.scope.accountId, { kind: 'intent', id: result.intentId })
    return result
  }
  return create
}
