/**
 * The package for Laravel: its PHPUnit tests, in applications with Laravel's own kernels, one of them against the service; and its archive,
 * installed by Composer.
 */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { findProgram } from '../../packages/server/test/support/programs/find-program.ts'
import { findLaravel } from '../../packages/server/test/support/programs/sdk-languages.ts'
import { handedOut, openServiceForPrograms, runProgram } from './service-for-programs.ts'

const php = findLaravel()
const folder = resolve(import.meta.dirname, '../laravel')
const { service, env } = await openServiceForPrograms()

test('PHPUnit: webhooks, migration, store and fake in a real kernel', async () => {
  const args = ['/usr/bin/phpunit', '--do-not-cache-result', '--fail-on-warning', '--fail-on-risky']
  const printed = await runProgram(php, [...args, '--bootstrap', 'tests/bootstrap.php', 'tests'], { cwd: folder, env })
  assert.match(printed, /^OK \(13 tests, \d{2,3} assertions\)$/m)
})

test('the archives that the service hands out are installed by Composer, as the README says', async () => {
  const project = mkdtempSync(join(tmpdir(), 'sanad-laravel-'))
  service.atEnd(async () => rmSync(project, { recursive: true, force: true }))
  mkdirSync(join(project, 'packages'))
  for (const name of ['sanad-php.zip', 'sanad-laravel.zip'])
    writeFileSync(join(project, 'packages', name), await handedOut(name, 'application/zip'))
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const added = JSON.parse(/```json\n([\s\S]*?)```/.exec(readme)![1]!)
  const [command] = /composer update sanad[^`]*/.exec(readme)!
  findProgram('unzip')
  const composer = (...args: string[]): Promise<string> =>
    runProgram(findProgram('composer'), [...args, '--no-interaction', '--no-ansi', '--no-plugins'], {
      cwd: project,
      env: {
        COMPOSER_HOME: join(project, '.composer'),
        COMPOSER_ALLOW_SUPERUSER: '1',
        COMPOSER_DISABLE_NETWORK: '1',
      },
    })
  // A project that has Laravel already: here as a package without files.
  const framework = { name: 'illuminate/support', version: '8.83.26', type: 'metapackage' }
  const repositories = [{ type: 'package', package: framework }]
  const require = { 'illuminate/support': '*' }
  writeFileSync(join(project, 'composer.json'), JSON.stringify({ repositories, require }))
  await composer('update')
  const merged = {
    repositories: [...repositories, ...added.repositories],
    require: { ...require, ...added.require },
  }
  writeFileSync(join(project, 'composer.json'), JSON.stringify(merged))
  const printed = await composer(...command.split(' ').slice(1))
  assert.match(printed, /Installing sanad\/laravel \(\d+\.\d+\.\d+\): Extracting archive/)
  assert.match(printed, /Installing sanad\/sdk \(\d+\.\d+\.\d+\): Extracting archive/)
  for (const file of ['config/sanad.php', 'routes/webhook.php', 'src/SanadServiceProvider.php', 'LICENSE'])
    assert.ok(existsSync(join(project, 'vendor/sanad/laravel', file)), file)
  const installed = JSON.parse(readFileSync(join(project, 'vendor/composer/installed.json'), 'utf8'))
  const own = installed.packages.find(({ name }: { name: string }) => name === 'sanad/laravel')
  assert.deepEqual(own.extra.laravel.providers, ['Sanad\\Laravel\\SanadServiceProvider'])
  const program = `require 'vendor/autoload.php';
    echo (new ReflectionMethod('Sanad\\Laravel\\Testing\\SanadFake', 'pay'))->class, ' ', class_exists('Sanad\\Sanad');`
  assert.equal(await runProgram(php, ['-r', program], { cwd: project }), 'Sanad\\Laravel\\Testing\\SanadFake 1')
})
