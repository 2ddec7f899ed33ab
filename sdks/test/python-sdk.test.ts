/** The Python SDK: its pytest tests, some of them against the service, and the code of its README. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { findPython } from '../../packages/server/test/support/programs/sdk-languages.ts'
import { openServiceForPrograms, runProgram } from './service-for-programs.ts'

const python = findPython()
const folder = resolve(import.meta.dirname, '../python')
const { service, env } = await openServiceForPrograms()

test('pytest: rules, scripted answers, and the service, with and without async', async () => {
  const args = ['-B', '-m', 'pytest', '-q', '-W', 'error', '-p', 'no:cacheprovider', 'tests']
  const printed = await runProgram(python, args, { cwd: folder, env: { ...env, PYTHONPATH: 'src' } })
  assert.match(printed, /^3\d passed in /m)
})

const readme = readFileSync(join(folder, 'README.md'), 'utf8')
const blocks = [...readme.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code]) => code!)
const [hosted, own, store, inAsync] = blocks as [string, string, string, string]

const run = (code: string): Promise<string> =>
  runProgram(python, ['-B', '-c', code], { cwd: folder, env: { ...env, PYTHONPATH: 'src' } })

test("README: a payment on Sanad's page, against the service", async () => {
  const page = `${service.origin}/pay/[\\w-]+`
  const lines = [
    `send the buyer to ${page}`,
    'OPEN: 0.00 of 1500.00',
    `for buyers without a shop: ${service.origin}/pay/link/[\\w-]+`,
  ]
  assert.match(await run(hosted), new RegExp(`^${lines.join('\n')}\n$`))
})

test('README: a payment on your own page, and a second order with the same reference', async () => {
  assert.equal(await run(own), 'pay: 1500.00 YER to 771000001\nPENDING\n')
  const other = await run(own.replace('A-1001', 'A-1002'))
  assert.match(other, /^pay: .*\nAnother order has this reference/)
})

test('README: the store in a table of Django keeps a record only after the version before', async () => {
  const program = `
import django
from django.conf import settings
settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}, USE_TZ=True)
django.setup()
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("create table sanad_checkouts (order_id varchar(128) primary key, version int not null, record text not null)")
${store}
store = TableStore()
record = {"version": 1, "attempt": 1, "idempotencyKey": "k", "request": {}, "intentId": None}
print(store.get("A"), store.set("A", {**record, "version": 2}), store.set("A", record), store.set("A", record))
print(store.set("A", {**record, "version": 2, "attempt": 2}), store.set("A", {**record, "version": 2}), store.get("A")["attempt"])
`
  assert.equal(await run(program), 'None False True False\nTrue False 2\n')
})

test('README: the same with async', async () => {
  assert.match(await run(inAsync), /^pay\n$/)
})
