/**
 * Chromium: found on the machine, installed where that is allowed, or its absence is told in one sentence. It is never skipped.
 * `npm test` asks once before the tests begin: two processes that install at once would stand in each other's way.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The one that only runs without a window first: it does less besides. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const found = (): string | undefined => places.find((path) => existsSync(path))

export const findChromium = (): string => {
  const there = found()
  if (there !== undefined) return there
  const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  // Something else on the machine may be installing.
  const patient = ['-o', 'DPkg::Lock::Timeout=120']
  for (const name of ['chromium-headless-shell', 'chromium']) {
    spawnSync('apt-get', [...patient, 'install', '-y', '--no-install-recommends', name], quiet)
    if (found() !== undefined) break
    spawnSync('apt-get', [...patient, 'update'], quiet)
  }
  const installed = found()
  if (installed !== undefined) return installed
  throw new Error('The browser tests need Chromium: install it, on Debian with apt-get install chromium.')
}
