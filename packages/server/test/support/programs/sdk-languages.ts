/** PHP and Python with what the tests of their SDKs need, from Debian's packages. */
import { spawnSync } from 'node:child_process'
import { needPackages } from './debian-packages.ts'

const passes = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0

/** Where Debian puts the classes of its PHP packages. */
export const phpClasses = '/usr/share/php'

const phpProbe = `
foreach (['curl', 'mbstring', 'pdo_sqlite', 'pdo_pgsql', 'zip'] as $name) extension_loaded($name) || exit(1);
foreach (['PHPUnit', 'Psr/SimpleCache', 'GuzzleHttp'] as $name) is_dir("${phpClasses}/$name") || exit(1);`

/** Returns the name of the command. Composer reads an archive from a folder only with PHP's zip. */
export const findPhp = (): string => {
  const packages = [
    'php-cli',
    'php-curl',
    'php-mbstring',
    'php-sqlite3',
    'php-pgsql',
    'php-zip',
    'phpunit',
    'php-psr-simple-cache',
    'php-guzzlehttp-guzzle',
  ]
  needPackages('PHP with PHPUnit and Guzzle', packages, () => passes('php', ['-r', phpProbe]))
  return 'php'
}

/** The same, with Laravel's framework. */
export const findLaravel = (): string => {
  const php = findPhp()
  const probe = `require '${phpClasses}/Illuminate/autoload.php'; exit((int) !class_exists('Illuminate\\Foundation\\Application'));`
  needPackages("Laravel's framework", ['php-laravel-framework'], () => passes(php, ['-r', probe]))
  return php
}

const pythonPackages = [
  'python3',
  'python3-httpx',
  'python3-anyio',
  'python3-pytest',
  'mypy',
  'python3-django',
  'python3-fastapi',
  'uvicorn',
  'python3-venv',
  'python3-setuptools',
  'python3-wheel',
]

/** Debian's Python, which has Debian's packages; another one on the PATH has not. Returns the path of the command. */
export const findPython = (): string => {
  const python = '/usr/bin/python3'
  const probe = 'import anyio, django, ensurepip, fastapi, httpx, mypy, pytest, setuptools, uvicorn, wheel'
  needPackages('Python with httpx, pytest, mypy, Django and FastAPI', pythonPackages, () =>
    passes(python, ['-c', probe]),
  )
  return python
}
