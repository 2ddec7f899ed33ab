/** Reports of a phone as load for wrk. */
import { randomUUID } from 'node:crypto'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { signatureOf } from '../../packages/server/src/http/device/signature.ts'
import type { Load } from '../harness/load.ts'
import type { ServiceProcess } from '../harness/service-process.ts'
import { type AlertPool, referenceOf, reportOf } from '../rows/alert-pool.ts'

const path = '/api/v1/device/alerts'

/** The requests of a phone, signed beforehand: wrk only sends them. */
export const signedRequests = (service: ServiceProcess, pool: AlertPool, each: number): Load => {
  const { id, secret } = service.merchant.demo.device
  const timestamp = String(Math.floor(systemClock.now() / 1000))
  const lines = [`${path}\t${id}`]
  for (let n = 0; n + each <= pool.size; n += each) {
    const alerts = Array.from({ length: each }, (_, i) => reportOf(referenceOf(pool, n + i)))
    const body = JSON.stringify({ alerts })
    const requestId = randomUUID()
    const signed = { method: 'POST', path, device: id, requestId, timestamp, body: Buffer.from(body) }
    lines.push(`${requestId}\t${timestamp}\t${signatureOf(secret, signed)}\t${body}`)
  }
  return { kind: 'send', lines }
}
