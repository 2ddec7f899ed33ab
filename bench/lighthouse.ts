/**
 * `npm run lighthouse`: runs Lighthouse on the dashboard as `npm start` serves it, with some data in the account, for a
 * desktop computer and for its model of a cheap phone with a slow network. Exit code 1 when a score is under its bar.
 * Three runs of each page, the median counts. `--only NAME,NAME`, `--form mobile|desktop`, `--runs N`, `--save DIR`
 * keeps the reports.
 *
 * Lighthouse must be installed on the machine. It is not a dependency: it has a hundred packages.
 */
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { BenchRefused, cleanUp, output, temporaryFolder } from './harness/processes.ts'
import { type ServiceProcess, startService } from './harness/service-process.ts'
import { insertQueue } from './rows/queue.ts'
import { seed } from './rows/seed.ts'

const least = 95
const categories = ['performance', 'accessibility', 'best-practices'] as const
const forms = ['desktop', 'mobile'] as const
type Scores = Readonly<Record<(typeof categories)[number], number>>

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** The program's file, which the Node of this process runs: the Node on the PATH may be too old for it. */
const findLighthouse = (): string => {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = folders.map((folder) => join(folder, 'lighthouse')).find((path) => existsSync(path))
  if (found === undefined)
    throw new BenchRefused('Lighthouse is not on this machine: install it by "npm install --global lighthouse".')
  return realpathSync(found)
}

/** The session cookie of a normal sign-in. */
const signIn = async ({ origin, merchant: { demo } }: ServiceProcess): Promise<string> => {
  const answer = await fetch(`${origin}/api/v1/dashboard/session/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email: demo.dashboard.email, password: demo.dashboard.password }),
  })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  if (!answer.ok || cookie === undefined) throw new Error(`no session: ${answer.status} ${await answer.text()}`)
  return cookie
}

/** A webhook, so that its page can be measured. */
const createWebhook = async (origin: string, cookie: string): Promise<string> => {
  const answer = await fetch(`${origin}/api/v1/dashboard/webhooks/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, cookie },
    body: JSON.stringify({ url: 'https://shop.example/hook' }),
  })
  if (!answer.ok) throw new Error(`no webhook: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { webhook: { id: string } }).webhook.id
}

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    form: { type: 'string' },
    runs: { type: 'string', default: '3' },
    save: { type: 'string' },
  },
})

const measure = async (program: string, url: string, form: string, cookie: string | undefined, file: string) => {
  const flags = '--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage'
  await output(process.execPath, [
    program,
    url,
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    `--only-categories=${categories.join(',')}`,
    `--chrome-flags=${flags}`,
    ...(form === 'desktop' ? ['--preset=desktop'] : []),
    ...(cookie === undefined ? [] : [`--extra-headers=${JSON.stringify({ cookie })}`]),
  ])
  const report = JSON.parse(await readFile(file, 'utf8'))
  if (report.runtimeError !== undefined) throw new Error(`${url}: ${report.runtimeError.message}`)
  const path = new URL(report.finalDisplayedUrl).pathname
  if (path !== new URL(url).pathname) throw new Error(`${url} led to ${path}`)
  return Object.fromEntries(
    categories.map((name) => [name, Math.round(report.categories[name].score * 100)]),
  ) as unknown as Scores
}

/** Sometimes Chromium ends before its trace is complete, which is no fault of the page: then it is run again. */
const measureWithRetry = async (...options: Parameters<typeof measure>): Promise<Scores> => {
  for (let left = 3; ; left--)
    try {
      return await measure(...options)
    } catch (fault) {
      if (left === 0 || !String(fault).includes('NO_NAVSTART')) throw fault
    }
}

const middle = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!

const run = async (): Promise<number> => {
  const program = findLighthouse()
  const folder = await temporaryFolder()
  const reports = options.save === undefined ? join(folder, 'reports') : resolve(options.save)
  await mkdir(join(folder, 'data'))
  await mkdir(reports, { recursive: true })
  const service = await startService(join(folder, 'data'))
  await seed(service.db, service.merchant, 5000)
  await insertQueue(service, 200)
  const cookie = await signIn(service)
  const webhook = await createWebhook(service.origin, cookie)
  const [row] = await service.db.run({
    text: `select id from intents where account_id = $1 and status = 'VERIFIED' order by id desc limit 1`,
    values: [service.merchant.accountId],
  })
  const pages = [
    { name: 'sign-in', path: '/', signedOut: true },
    { name: 'today', path: '/' },
    { name: 'intents', path: '/intents' },
    { name: 'intent', path: `/intents/${row![0]}` },
    { name: 'unmatched', path: '/unmatched' },
    { name: 'webhooks', path: '/webhooks' },
    { name: 'webhook', path: `/webhooks/${webhook}` },
    { name: 'templates', path: '/templates' },
    { name: 'day-close', path: '/day-close' },
    { name: 'settings', path: '/settings' },
  ].filter(({ name }) => options.only === undefined || options.only.split(',').includes(name))
  let missed = 0
  print(`${''.padEnd(12)} ${''.padEnd(8)} ${categories.map((name) => name.padStart(16)).join('')}`)
  for (const form of forms.filter((one) => options.form === undefined || options.form === one))
    for (const { name, path, signedOut } of pages) {
      const runs: Scores[] = []
      for (let i = 0; i < Number(options.runs); i++)
        runs.push(
          await measureWithRetry(
            program,
            `${service.origin}${path}`,
            form,
            signedOut ? undefined : cookie,
            join(reports, `${name}-${form}-${i}.json`),
          ),
        )
      const scores = categories.map((category) => middle(runs.map((one) => one[category])))
      missed += scores.filter((score) => score < least).length
      print(`${name.padEnd(12)} ${form.padEnd(8)} ${scores.map((score) => String(score).padStart(16)).join('')}`)
    }
  await service.stop()
  print(missed === 0 ? 'every bar is met' : `${missed} under their bar`)
  return missed === 0 ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void cleanUp())
try {
  process.exitCode = await run()
} catch (fault) {
  if (!(fault instanceof BenchRefused)) throw fault
  process.stderr.write(`${fault.message}\n`)
  process.exitCode = 1
} finally {
  await cleanUp()
}
