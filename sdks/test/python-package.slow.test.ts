/** The Python SDK as a shop installs it: its types, and its archives installed by pip into an empty project. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { pythonSource, sourceName, wheelName } from '../../packages/server/src/http/guide/python-package.ts'
import { findPython } from '../../packages/server/test/support/programs/sdk-languages.ts'
import { handedOut, runProgram } from './service-for-programs.ts'

const python = findPython()
const folder = resolve(import.meta.dirname, '../python')
const project = mkdtempSync(join(tmpdir(), 'sanad-python-'))
after(() => rmSync(project, { recursive: true, force: true }))

test('mypy --strict finds nothing in the SDK and in its tests, also for Python 3.10', async () => {
  for (const version of ['3.10', '3.11']) {
    const args = [
      '-m',
      'mypy',
      '--strict',
      '--python-version',
      version,
      '--cache-dir',
      join(project, 'types'),
      'src',
      'tests',
    ]
    assert.match(await runProgram(python, args, { cwd: folder }), /^Success: no issues found in \d+ source files/m)
  }
})

const venv = join(project, 'venv')
const installed = join(venv, 'bin/python')

test('the wheel that the service hands out, and the source archive, are installed by pip into an empty project', async () => {
  writeFileSync(join(project, wheelName()), await handedOut('sanad-python.whl', 'application/zip'))
  writeFileSync(join(project, sourceName()), pythonSource())
  // Debian's httpx is the only dependency.
  await runProgram(python, ['-m', 'venv', '--system-site-packages', venv], { cwd: project })
  const pip = (...args: string[]): Promise<string> =>
    runProgram(installed, ['-m', 'pip', 'install', '--no-index', '--disable-pip-version-check', ...args], {
      cwd: project,
    })
  assert.match(await pip('--no-build-isolation', `./${sourceName()}`), /Successfully installed sanad-sdk-0\.\d+\.\d+/)
  assert.match(
    await pip('--force-reinstall', '--no-deps', `./${wheelName()}`),
    /Successfully installed sanad-sdk-0\.\d+\.\d+/,
  )
  const program = 'import sanad, sys; print(sanad.__file__, len(sanad.__all__))'
  assert.match(await runProgram(installed, ['-c', program], { cwd: project }), /venv\/lib\/.*\/sanad\/__init__\.py 19/)
})
