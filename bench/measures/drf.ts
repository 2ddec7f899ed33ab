/**
 * Compares with the same API in Django REST framework (drf/shop.py) with two gunicorn workers, on the same machine and
 * the same PostgreSQL, with as many intents. The bar: ten times as many requests per second.
 */

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { serviceRole } from '../../packages/server/src/postgres/embedded/embedded-roles.ts'
import { watchProcessors } from '../harness/cpu-shares.ts'
import { findPython } from '../harness/find-tools.ts'
import { type Load, runLoad, type Target } from '../harness/load.ts'
import type { Bench } from '../harness/options.ts'
import { output, start, stop, temporaryFolder } from '../harness/processes.ts'
import { type Line, lineText, type Section } from '../harness/report.ts'
import { inRounds, type Runner } from '../harness/rounds.ts'
import { startService } from '../harness/service-process.ts'
import { makeOpen, seed } from '../rows/seed.ts'
import { vacuumRows } from '../rows/vacuum-rows.ts'

const api = '/api/v1/merchant/intents/'
const connections = 32
const startWith = 10_000
const wallet = '11111111-1111-4111-8111-111111111111'
const here = join(import.meta.dirname, 'drf')

/** The address in gunicorn's log. */
const listening = async (log: string): Promise<string> => {
  for (let tries = 0; tries < 300; tries++) {
    const origin = existsSync(log) ? /Listening at: (\S+)/.exec(readFileSync(log, 'utf8'))?.[1] : undefined
    if (origin !== undefined) return origin
    await delay(100)
  }
  throw new Error('gunicorn did not start')
}

const createBody = (walletId: string): string =>
  JSON.stringify({ wallet: walletId, amount: '1500.00', external_order_id: 'ORDER', notes: 'Second floor, ring twice' })

export const measureDrf = async (bench: Bench): Promise<Section> => {
  const python = await findPython()
  const folder = await temporaryFolder()
  const tools = { ...bench.tools, folder }
  const service = await startService(join(folder, 'data'))
  const { db, merchant, databaseUrl, socketDir } = service
  const rows = bench.small ? 500 : startWith
  await seed(db, merchant, rows)
  await service.asAdmin(`create database drf owner ${serviceRole}`)
  const token = 'a-token-of-the-bench-alone'
  const env = {
    ...process.env,
    DRF_SOCKET: socketDir,
    DRF_USER: /\/\/([^@]+)@/.exec(databaseUrl)![1]!,
    DRF_TOKEN: token,
    PYTHONPATH: here,
    PYTHONDONTWRITEBYTECODE: '1',
  }
  await output(python, [join(here, 'shop.py'), String(rows)], { env })
  const gunicornLog = join(folder, 'gunicorn.log')
  const gunicorn = start(
    python,
    ['-m', 'gunicorn', 'shop:application', '-w', '2', '-b', '127.0.0.1:0', '--error-logfile', gunicornLog],
    { env, cwd: folder, stdio: 'ignore' },
  )
  const drf: Target = { origin: await listening(gunicornLog), token }
  const own: Target = { origin: service.origin, token: merchant.token }
  const pathsOf = async ({ origin, token }: Target): Promise<string[]> => {
    const answer = await fetch(`${origin}${api}?page_size=100`, { headers: { authorization: `Bearer ${token}` } })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return ((await answer.json()) as { results: { id: string }[] }).results.map(({ id }) => `${api}${id}/`)
  }
  const runnerFor =
    (to: Target, load: () => Promise<Load> | Load): Runner =>
    async () => {
      const builtLoad = await load()
      // Long enough for the JIT.
      if (!bench.small) await runLoad(tools, to, builtLoad, connections, bench.seconds)
      const watched = watchProcessors(to === own ? service.pid : gunicorn.pid, service.postmasterPid)
      const figures = await runLoad(tools, to, builtLoad, connections, bench.seconds)
      return { ...figures, shares: watched() }
    }
  const get = (lines: readonly string[]): Load => ({ kind: 'get', lines })
  const newPatches = async (): Promise<Load> => {
    const { ids } = await makeOpen(db, merchant, 8000 * bench.seconds, systemClock.now())
    await vacuumRows(db)
    return { kind: 'patch', lines: ids.map((id) => `${api}${id}/`) }
  }
  const [drfPaths, ownPaths] = [await pathsOf(drf), await pathsOf(own)]
  const sides: Record<string, { own: Runner; drf: Runner }> = {
    list: { own: runnerFor(own, () => get([api])), drf: runnerFor(drf, () => get([api])) },
    retrieve: { own: runnerFor(own, () => get(ownPaths)), drf: runnerFor(drf, () => get(drfPaths)) },
    create: {
      own: runnerFor(own, () => ({ kind: 'create', lines: [api, createBody(merchant.demo.wallets.main)] })),
      drf: runnerFor(drf, () => ({ kind: 'create', lines: [api, createBody(wallet)] })),
    },
    patch: { own: runnerFor(own, newPatches), drf: runnerFor(drf, () => ({ kind: 'patch', lines: drfPaths })) },
  }
  const lines: Line[] = []
  for (const [name, side] of Object.entries(sides)) {
    bench.print(`drf: ${name}`)
    const measured = await inRounds(bench.rounds, side)
    const line: Line = {
      name,
      connections,
      result: measured.own,
      ratioOf: 'rate',
      baseline: { name: 'DRF', result: measured.drf },
      bar: { least: 10 },
    }
    lines.push(line)
    bench.print(lineText(line))
  }
  await stop(gunicorn)
  await service.stop()
  return {
    title: 'Django REST framework',
    note:
      'Requests a second, compared with the same API in Django REST framework with two workers of gunicorn, on the same PostgreSQL.' +
      '\nEach begins with ten thousand intents. The answers have the same fields. DRF only compares the token, and its rate limits' +
      '\nstore no history.',
    lines,
  }
}
