/**
 * Finds the programs that the tests of this plugin need, or installs Debian's packages if that is allowed, or fails with one sentence.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const packages = {
  php: 'php-cli',
  phpunit: 'phpunit',
  msgfmt: 'gettext',
  mariadbd: 'mariadb-server',
} as const

const places = ['/usr/sbin', '/usr/local/sbin', ...(process.env.PATH ?? '').split(':')]

const placeOf = (program: string): string | undefined =>
  places.map((place) => `${place}/${program}`).find((path) => existsSync(path))

const install = (names: readonly string[], isInstalled: () => boolean): boolean => {
  const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  // Another program may be installing packages.
  const waitForLock = ['-o', 'DPkg::Lock::Timeout=120']
  const all = [...waitForLock, 'install', '-y', '--no-install-recommends', ...names]
  for (const args of [all, [...waitForLock, 'update'], all]) {
    if (isInstalled()) return true
    spawnSync('apt-get', args, quiet)
  }
  return isInstalled()
}

/** Returns the path of a program. */
export const findProgram = (program: keyof typeof packages): string => {
  install([packages[program]], () => placeOf(program) !== undefined)
  const found = placeOf(program)
  if (found !== undefined) return found
  throw new Error(`The tests of the plugin need ${program}: on Debian, apt-get install ${packages[program]}.`)
}

/** PHP with the extensions that WordPress and WooCommerce need. */
export const findPhpForShop = (): string => {
  const php = findProgram('php')
  const needed = { mysqli: 'php-mysql', curl: 'php-curl', mbstring: 'php-mbstring', xml: 'php-xml', intl: 'php-intl' }
  const missing = (): string[] => {
    const loaded = spawnSync(php, ['-m'], { encoding: 'utf8' }).stdout.split('\n')
    return Object.keys(needed).filter((name) => !loaded.includes(name))
  }
  if (missing().length > 0) install(Object.values(needed), () => missing().length === 0)
  if (missing().length === 0) return php
  throw new Error(`PHP lacks ${missing().join(', ')}: on Debian, apt-get install ${Object.values(needed).join(' ')}.`)
}

/** The folder of a WordPress: the one that is named, or Debian's. */
export const findWordPress = (): string => {
  const named = process.env.WORDPRESS_DIR ?? '/usr/share/wordpress'
  const isThere = (): boolean => existsSync(`${named}/wp-load.php`)
  if (process.env.WORDPRESS_DIR === undefined) install(['wordpress'], isThere)
  if (isThere()) return named
  throw new Error(`${named} is no WordPress: set WORDPRESS_DIR to an unpacked one, or apt-get install wordpress.`)
}

/** The folder of a WooCommerce release, which nothing installs. */
export const findWooCommerce = (): string => {
  const named = process.env.WOOCOMMERCE_DIR ?? ''
  if (existsSync(`${named}/woocommerce.php`) && existsSync(`${named}/vendor/autoload.php`)) return named
  throw new Error(
    'Set WOOCOMMERCE_DIR to the folder of an unpacked release of WooCommerce (woocommerce.zip of wordpress.org); its source needs a build.',
  )
}
