/**
 * Connects the modules on a database: the service without its process. `serve.ts` gives it the real clock and a port; a
 * test gives it a clock that it can move. The parts are created in `service/`, a file for each module; here the order of start and
 * stop is decided.
 */
import type { FastifyInstance } from 'fastify'
import { drainOf } from './http/drain.ts'
import { type AddressesOf, listenAt } from './http/listen.ts'
import { openApps } from './service/open-apps.ts'
import { openBase, type ServiceOptions } from './service/open-base.ts'
import { openParts } from './service/open-parts.ts'
import { startWork } from './service/start-work.ts'
import type { Loops, Pauses } from './work/background-loop.ts'

export type Service = {
  readonly app: FastifyInstance
  /** For operators only: health and metrics. */
  readonly operatorsApp: FastifyInstance
  /** Listens for requests; returns the port. */
  listen(host: string, port: number, find?: AddressesOf): Promise<number>
  /** Starts the background work. `pauses`: left out, those of this machine's time. */
  work(pauses?: Pauses): Loops
  /**
   * Finishes what is running, then closes everything but the database. Connections on which no request comes for
   * `idle_ms` are closed; until then a request on one of them is still answered.
   */
  close(idle_ms?: number): Promise<void>
}

export const openService = async (options: ServiceOptions): Promise<Service> => {
  const base = await openBase(options)
  const parts = await openParts(base)
  const { app, forwarder, operatorsApp } = await openApps(base, parts)
  const drain = drainOf(app.server)

  let loops: Loops | undefined
  return {
    app,
    operatorsApp,
    listen: (host, port, find) => listenAt(app, drain, host, port, find),
    work(pauses) {
      loops = startWork(base, parts, pauses)
      return loops
    },
    async close(idle_ms = 0) {
      const { streams, checkouts, afterwards, mail, webhooks, accounts, calls, live } = parts
      drain.begin()
      // Streams do not end by themselves: draining does not wait for them.
      streams.close()
      checkouts.streams.close()
      forwarder.closeStreams()
      await drain.done(idle_ms)
      await app.close()
      await forwarder.close()
      await afterwards.done()
      await loops?.stop()
      await mail.close()
      await webhooks.close()
      await accounts.keyUse.close()
      await calls.close()
      await base.limits.close()
      live.otherLoops.close()
      await live.notifier.close()
      await base.tracer?.close()
      await base.ownPulse?.stop()
      // Closed last: until then it answers that the node is stopping.
      await operatorsApp.close()
    },
  }
}
