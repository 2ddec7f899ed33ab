/**
 * A WordPress with WooCommerce and the plugin, on MariaDB with a private socket and PHP's own server on loopback. Everything is in one
 * temporary folder, which `close` deletes.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { compile } from '../../translations.ts'
import { findPhpForShop, findProgram, findWooCommerce, findWordPress } from './programs.ts'

const here = import.meta.dirname
const plugin = resolve(here, '../../plugin')

/** As many requests at once as the races need, and one for the shop's call to itself. */
const workers = 8

type Pages = { product: number; classic: number; blocks: number; wordpress: string; woocommerce: string }

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Runs a program to its end and returns what it printed. */
const output = async (
  program: string,
  args: readonly string[],
  { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<string> => {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'pipe'] })
  let text = ''
  let faults = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
  })
  child.stderr.on('data', (chunk) => {
    faults += chunk
  })
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0)
    throw new Error(
      `${program} ${args.slice(0, 3).join(' ')} ended with ${code}: ${faults.slice(-3000)} ${text.slice(-2000)}`,
    )
  return text
}

/** Each program leads a group of its own: PHP's server leaves its workers behind when it alone is ended. */
const end = async (child: ChildProcess): Promise<void> => {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  process.kill(-child.pid, 'SIGTERM')
  await once(child, 'exit')
}

/** The groups of the programs that run now: they are ended with this process, however it ends. */
const running = new Set<number>()
const endAll = (): void => {
  for (const group of running) {
    try {
      process.kill(-group, 'SIGTERM')
    } catch {
      // It has ended.
    }
  }
}
process.once('exit', endAll)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    endAll()
    process.exit(1)
  })

const phpText = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

export const openShop = async ({ hpos }: { hpos: boolean }) => {
  const php = findPhpForShop()
  const folder = mkdtempSync(join(tmpdir(), 'sanad-woo-'))
  const root = join(folder, 'wordpress')
  const mails = join(folder, 'mails')
  const socket = join(folder, 'db.sock')
  const data = join(folder, 'db')
  const children: ChildProcess[] = []
  const keep = (child: ChildProcess): void => {
    children.push(child)
    if (child.pid !== undefined) running.add(child.pid)
  }
  const close = async (): Promise<void> => {
    for (const child of children.reverse()) {
      await end(child)
      if (child.pid !== undefined) running.delete(child.pid)
    }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const mariadbd = findProgram('mariadbd')
    mkdirSync(data)
    const user = ['--no-defaults', `--datadir=${data}`, ...(process.getuid?.() === 0 ? ['--user=root'] : [])]
    await output('mariadb-install-db', [...user, '--auth-root-authentication-method=normal', '--skip-test-db'])
    const log = openSync(join(folder, 'log'), 'a')
    keep(
      spawn(
        mariadbd,
        [
          ...user,
          `--socket=${socket}`,
          '--skip-networking',
          '--innodb-flush-log-at-trx-commit=0',
          `--pid-file=${folder}/db.pid`,
        ],
        { stdio: ['ignore', log, log], detached: true },
      ),
    )
    cpSync(findWordPress(), root, {
      recursive: true,
      dereference: true,
      filter: (path) => !/\/wp-config\.php$|\/\.htaccess$|\/wp-content\/languages$/.test(path),
    })
    const content = join(root, 'wp-content')
    cpSync(findWooCommerce(), join(content, 'plugins/woocommerce'), { recursive: true, dereference: true })
    cpSync(plugin, join(content, 'plugins/sanad-for-woocommerce'), { recursive: true })
    cpSync(join(here, 'theme'), join(content, 'themes/plain'), { recursive: true })
    mkdirSync(join(content, 'mu-plugins'), { recursive: true })
    cpSync(join(here, 'observer.php'), join(content, 'mu-plugins/observer.php'))
    // WordPress takes a language if it has a file of its own; this one only says that Arabic is written from the right.
    mkdirSync(join(content, 'languages'), { recursive: true })
    const header = 'Language: ar\nContent-Type: text/plain; charset=UTF-8\n'
    writeFileSync(
      join(content, 'languages/ar.mo'),
      compile(
        new Map([
          ['', header],
          ['text direction\u0004ltr', 'rtl'],
        ]),
      ),
    )
    writeFileSync(mails, '')

    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    const constants: Record<string, string> = {
      DB_NAME: 'shop',
      DB_USER: 'root',
      DB_PASSWORD: '',
      DB_HOST: `localhost:${socket}`,
      DB_CHARSET: 'utf8mb4',
      DB_COLLATE: '',
      WP_HOME: origin,
      WP_SITEURL: origin,
      WP_CONTENT_DIR: content,
      SANAD_TEST_MAILS: mails,
      // Nothing leaves this machine.
      WP_ACCESSIBLE_HOSTS: '127.0.0.1',
    }
    const switches = {
      WP_HTTP_BLOCK_EXTERNAL: true,
      DISABLE_WP_CRON: true,
      AUTOMATIC_UPDATER_DISABLED: true,
      WP_DEBUG: true,
      WP_DEBUG_DISPLAY: false,
      WP_DEBUG_LOG: true,
    }
    const lines = [
      ...Object.entries(constants).map(([name, value]) => `define('${name}', ${phpText(value)});`),
      ...Object.entries(switches).map(([name, value]) => `define('${name}', ${value});`),
      ...['AUTH', 'SECURE_AUTH', 'LOGGED_IN', 'NONCE'].flatMap((name) => [
        `define('${name}_KEY', 'made-up-${name}');`,
        `define('${name}_SALT', 'made-up-salt-${name}');`,
      ]),
      "$table_prefix = 'wp_';",
      "defined('ABSPATH') || define('ABSPATH', __DIR__ . '/');",
      "require_once ABSPATH . 'wp-settings.php';",
    ]
    writeFileSync(join(root, 'wp-config.php'), `<?php\n${lines.join('\n')}\n`)

    for (let tries = 200; !existsSync(socket); tries--) {
      if (tries === 0)
        throw new Error(`MariaDB did not start: ${readFileSync(join(folder, 'log'), 'utf8').slice(-2000)}`)
      await delay(100)
    }
    await output('mariadb', [
      '--no-defaults',
      `--socket=${socket}`,
      '-uroot',
      '-e',
      'create database shop character set utf8mb4',
    ])
    const settings = ['-d', 'memory_limit=512M', '-d', 'display_errors=stderr', '-d', 'max_execution_time=120']
    const install = (step: string): Promise<string> =>
      output(php, [...settings, join(here, 'install.php'), root, step], { env: { SHOP_ORIGIN: origin } })
    await install('wordpress')
    await install('activate')
    const filled = await install('fill')
    const pages: Pages = JSON.parse(filled.slice(filled.lastIndexOf('{"product"')))

    const serverLog = openSync(join(folder, 'php.log'), 'a')
    keep(
      spawn(
        php,
        [
          ...settings,
          '-d',
          'opcache.enable=1',
          '-d',
          'opcache.enable_cli=1',
          '-S',
          `127.0.0.1:${port}`,
          '-t',
          root,
          join(here, 'router.php'),
        ],
        {
          env: { ...process.env, PHP_CLI_SERVER_WORKERS: String(workers) },
          stdio: ['ignore', serverLog, serverLog],
          detached: true,
        },
      ),
    )
    closeSync(log)
    closeSync(serverLog)

    /** Runs PHP in the shop. */
    const run = async <T>(code: string): Promise<T> => {
      const env = { SHOP_HOST: `127.0.0.1:${port}` }
      const text = await output(php, [...settings, join(here, 'run.php'), root], { env, input: code }).catch(
        (fault) => {
          // WordPress prints a page without the reason, and writes the reason into its log.
          const debug = join(content, 'debug.log')
          const reasons = existsSync(debug) ? readFileSync(debug, 'utf8').slice(-3000) : ''
          throw new Error(`The shop failed: ${reasons}`, { cause: fault })
        },
      )
      return JSON.parse(text.slice(text.lastIndexOf('\n') + 1))
    }
    await run(
      hpos
        ? `update_option('woocommerce_feature_custom_order_tables_enabled', 'yes');
           $container = wc_get_container();
           $container->get(\\Automattic\\WooCommerce\\Internal\\DataStores\\Orders\\DataSynchronizer::class)->create_database_tables();
           update_option('woocommerce_custom_orders_table_data_sync_enabled', 'no');
           update_option('woocommerce_custom_orders_table_enabled', 'yes');`
        : `update_option('woocommerce_custom_orders_table_enabled', 'no');`,
    )
    const isHpos = await run<boolean>(
      'return \\Automattic\\WooCommerce\\Utilities\\OrderUtil::custom_orders_table_usage_is_enabled();',
    )
    if (isHpos !== hpos) throw new Error(`the shop stores orders ${isHpos ? '' : 'not '}in tables of their own`)
    for (let tries = 200; ; tries--) {
      const answer = await fetch(`${origin}/wp-includes/css/buttons.min.css`).catch(() => undefined)
      if (answer?.ok) break
      if (tries === 0) throw new Error('the shop does not answer')
      await delay(50)
    }

    return {
      origin,
      pages,
      folder,
      run,
      receiver: `${origin}/?wc-api=sanad`,
      /** The mails since the last call with the same order, by their subjects. */
      mails: (): string[] =>
        readFileSync(mails, 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line).subject),
      /** What PHP complained about in this plugin. */
      complaints: (): string[] =>
        ['php.log', 'wordpress/wp-content/debug.log']
          .map((name) => join(folder, name))
          .filter((path) => existsSync(path))
          .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
          .filter(
            (line) => /PHP (?:Fatal|Warning|Notice|Deprecated)/.test(line) && line.includes('sanad-for-woocommerce'),
          ),
      log: (): string => readFileSync(join(folder, 'php.log'), 'utf8'),
      close,
    }
  } catch (fault) {
    await close()
    throw fault
  }
}
