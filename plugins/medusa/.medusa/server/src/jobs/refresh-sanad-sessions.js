/** Every ten minutes, reads sessions that still wait again, because a webhook may have been lost. */
import { refreshWaiting } from '../../../../src/refresh.js'

const age_ms = 10 * 60_000

/** @param {any} container */
export default async function refreshSanadSessions(container) {
  await refreshWaiting(container, age_ms, Date.now())
}

export const config = { name: 'refresh-sanad-sessions', schedule: '*/10 * * * *' }
