/**
 * Finds Chromium on the machine, installs it where that is allowed, or fails with one sentence. It is never skipped.
 * `npm test` calls it once before the tests: two processes that install at once would disturb each other.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The headless one first: it does less. */
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
  // Another program may be installing packages.
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
