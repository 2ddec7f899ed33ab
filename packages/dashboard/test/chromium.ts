/**
 * Finds Chromium on the machine, or installs it if that is allowed, or fails with one sentence. No browser test is skipped.
 * `npm test` calls it once before the tests, because two processes cannot install packages at the same time.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** The headless browser first: it needs less CPU. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const installedPath = (): string | undefined => places.find((path) => existsSync(path))

export const findChromium = (): string => {
  const existing = installedPath()
  if (existing !== undefined) return existing
  const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  // Another program may be installing packages.
  const waitForLock = ['-o', 'DPkg::Lock::Timeout=120']
  for (const name of ['chromium-headless-shell', 'chromium']) {
    spawnSync('apt-get', [...waitForLock, 'install', '-y', '--no-install-recommends', name], quiet)
    if (installedPath() !== undefined) break
    spawnSync('apt-get', [...waitForLock, 'update'], quiet)
  }
  const installed = installedPath()
  if (installed !== undefined) return installed
  throw new Error('The browser tests need Chromium: install it, on Debian with apt-get install chromium.')
}
