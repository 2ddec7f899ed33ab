/**
 * The PHP SDK: its PHPUnit tests, some of them against the service; the code of its README; and its archive, installed by Composer into an
 * empty project.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { signatureHeader } from '../../packages/server/src/webhooks/calling/signature.ts'
import { findProgram } from '../../packages/server/test/support/programs/find-program.ts'
import { findPhp } from '../../packages/server/test/support/programs/sdk-languages.ts'
import { handedOut, openServiceForPrograms, runProgram } from './service-for-programs.ts'

const php = findPhp()
const folder = resolve(import.meta.dirname, '../php')
const { service, env } = await openServiceForPrograms()

test('PHPUnit: rules, scripted answers, stores, and the service', async () => {
  // The address may name a folder with a socket instead of a host.
  const { hostname, port, pathname, username, password, searchParams } = new URL(
    service.databaseUrl.replace('@/', '@socket/'),
  )
  const facts = {
    host: searchParams.get('host') ?? hostname,
    port: searchParams.get('port') ?? port,
    dbname: pathname.slice(1),
    user: username,
    password: decodeURIComponent(password),
  }
  const pdo = Object.entries(facts).flatMap(([name, value]) => (value === '' ? [] : [`${name}=${value}`]))
  const args = ['/usr/bin/phpunit', '--do-not-cache-result', '--fail-on-warning', '--fail-on-risky']
  const printed = await runProgram(php, [...args, '--bootstrap', 'tests/bootstrap.php', 'tests'], {
    cwd: folder,
    env: { ...env, SANAD_TEST_PDO: `pgsql:${pdo.join(';')}` },
  })
  assert.match(printed, /^OK \(3\d tests, \d{3} assertions\)$/m)
})

const project = mkdtempSync(join(tmpdir(), 'sanad-php-'))
service.atEnd(async () => rmSync(project, { recursive: true, force: true }))
const readme = readFileSync(join(folder, 'README.md'), 'utf8')
const blocksOf = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code!)
const [hosted, own, webhook] = blocksOf('php') as [string, string, string]

test('the archive that the service hands out is installed by Composer into an empty project, as the README says', async () => {
  mkdirSync(join(project, 'packages'))
  writeFileSync(join(project, 'packages/sanad-php.zip'), await handedOut('sanad-php.zip', 'application/zip'))
  const [manifest] = blocksOf('json') as [string]
  assert.deepEqual(Object.keys(JSON.parse(manifest)), ['repositories', 'require'])
  writeFileSync(join(project, 'composer.json'), manifest)
  findProgram('unzip')
  const env = {
    COMPOSER_HOME: join(project, '.composer'),
    COMPOSER_ALLOW_SUPERUSER: '1',
    COMPOSER_DISABLE_NETWORK: '1',
  }
  const composer = (...args: string[]): Promise<string> =>
    runProgram(findProgram('composer'), [...args, '--no-interaction', '--no-ansi', '--no-plugins'], {
      cwd: project,
      env,
    })
  assert.match(await composer('install'), /Installing sanad\/sdk \(0\.\d+\.\d+\): Extracting archive/)
  assert.match(await composer('update', 'sanad/sdk'), /Nothing to install, update or remove/)
})

// Installed by the test above.
const run = (name: string, code: string): Promise<string> => {
  writeFileSync(join(project, name), `<?php\ndeclare(strict_types=1);\n${code}`)
  return runProgram(php, [name], { cwd: project, env })
}

test("README: a payment on Sanad's page, against the service", async () => {
  const page = `${service.origin}/pay/[\\w-]+`
  const lines = [
    `send the buyer to ${page}`,
    'OPEN: 0.00 of 1500.00',
    `for buyers without a shop: ${service.origin}/pay/link/[\\w-]+`,
  ]
  assert.match(await run('hosted.php', hosted), new RegExp(`^${lines.join('\n')}\n$`))
})

test('README: a payment on your own page, twice, and a second order with the same reference', async () => {
  assert.equal(await run('own.php', own), 'pay: 1500.00 YER to 771000001\nPENDING\n')
  const again = own.replace(/^\$pdo->exec.*$/m, '')
  assert.equal(await run('again.php', again), 'checking: 1500.00 YER to 771000001\nPENDING\n')
  const other = await run('other.php', again.replace('A-1001', 'A-1002'))
  assert.match(other, /^pay: .*\nAnother order has this reference/)
})

test('README: the receiver marks the order as paid, once, and refuses what is forged', async () => {
  const orders = `$pdo = new PDO('sqlite:shop.db');
    $pdo->exec('create table orders (id text primary key, paid_by text, amount text, currency text)');
    $pdo->exec("insert into orders values ('W-1', null, '1500.00', 'YER'), ('W-2', null, '1500.00', 'YER')");`
  await run('orders.php', orders)
  writeFileSync(join(project, 'hook.php'), `<?php\n${webhook}`)
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  const env = { PATH: process.env.PATH ?? '', SANAD_WEBHOOK_SECRET: 'made-up-secret' }
  const child = spawn(php, ['-S', `127.0.0.1:${port}`, 'hook.php'], { cwd: project, env, stdio: 'ignore' })
  try {
    const send = async (order: string, base_amount: string, secret = 'made-up-secret'): Promise<number> => {
      const facts = { order_id: order, intent_id: 'one', base_amount, currency: 'YER' }
      const body = JSON.stringify({ event: 'payment.verified', ...facts })
      const headers = { 'x-service-signature': signatureHeader([secret], Math.floor(Date.now() / 1000), body) }
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
    }
    for (let tries = 0; (await send('none', '1').catch(() => 0)) === 0 && tries < 200; tries++)
      await new Promise((wake) => setTimeout(wake, 25))
    assert.equal(await send('W-1', '1500.00', 'forged'), 400)
    assert.equal(await send('W-2', '1.00'), 204)
    assert.equal(await send('W-1', '1500.00'), 204)
    assert.equal(await send('W-1', '1500.00'), 204)
  } finally {
    child.kill('SIGKILL')
  }
  const rows = `foreach ((new PDO('sqlite:shop.db'))->query('select id, paid_by from orders order by id') as $row)
    echo "$row[id] $row[paid_by]\n";`
  assert.equal(await run('rows.php', rows), 'W-1 one\nW-2 \n')
})
