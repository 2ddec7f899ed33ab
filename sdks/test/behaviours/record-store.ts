/** A store for `checkout.start` that programs of several languages share over HTTP: what a table of a shop's database is. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export const startRecordStore = async () => {
  const records = new Map<string, { version: number }>()
  /** The first reads of an order wait for each other: then all of them have read that there is no record. */
  let together = 1
  let waiting: (() => void)[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const order = decodeURIComponent(request.url!.slice(1))
    response.setHeader('content-type', 'application/json')
    if (request.method === 'GET') {
      const found = JSON.stringify(records.get(order) ?? null)
      waiting.push(() => response.end(found))
      if (waiting.length < together) return
      together = 1
      for (const answer of waiting) answer()
      waiting = []
      return
    }
    const record = JSON.parse(text)
    const isNext = record.version === (records.get(order)?.version ?? 0) + 1
    if (isNext) records.set(order, record)
    response.end(JSON.stringify(isNext))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The next so many reads are answered only when all of them have arrived. */
    meet(reads: number): void {
      together = reads
    },
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
