/** The operator's commands: what they do, print and write to the audit log. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { commandsOf } from '../support/commands.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const folder = mkdtempSync(join(tmpdir(), 'sanad-commands-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const { sanad, process: sanadProcess } = commandsOf(service, { SANAD_DATA_DIR: folder })
const actions = async (accountId: string | null) =>
  (
    await service.sql(
      `select action from audit_log where account_id is not distinct from $1 and via = 'command' and user_id is null order by id`,
      [accountId],
    )
  ).map(([action]) => action)

test('every change of an account by a command is in its audit log', async () => {
  const created = await sanad('account', 'create', '--name', 'By command', '--json')
  const { account } = JSON.parse(created.out)
  const key = JSON.parse((await sanad('key', 'create', '--account', account, '--json')).out)
  const keyOptions = ['--account', account, '--client-id', key.client_id]
  assert.equal((await sanad('key', 'rotate', ...keyOptions)).code, 0)
  assert.equal((await sanad('key', 'revoke', ...keyOptions)).code, 0)
  assert.equal((await sanad('account', 'quota', '--account', account, '--quota', '7')).code, 0)
  assert.equal((await sanad('user', 'create', '--account', account, '--email', 'new@sanad.example')).code, 0)
  assert.match((await sanad('account', 'suspend', '--account', account)).out, /Suspended/)
  assert.match((await sanad('account', 'list', '--search', 'by comm')).out, /SUSPENDED/)
  assert.equal((await sanad('account', 'resume', '--account', account)).code, 0)
  assert.deepEqual(await actions(account), [
    'account.create',
    'key.create',
    'key.rotate',
    'key.revoke',
    'account.quota',
    'member.create',
    'account.suspend',
    'account.resume',
  ])
  for (const name of ['', 'a\nb', 'https://bad.example']) {
    const refused = await sanad('account', 'create', '--name', name)
    assert.equal(refused.code, 1)
    assert.match(refused.err, /one line of 1 to 200 characters, without a link/)
    const user = ['--account', account, '--email', 'other@sanad.example', '--name', name]
    assert.equal((await sanad('user', 'create', ...user)).code, 1)
  }
  const nobody = await sanad('account', 'suspend', '--account', '00000000-0000-4000-8000-000000000000')
  assert.equal(nobody.code, 1)
  assert.equal(nobody.err.trim(), 'There is no such account.')
})

test('a key is made with the limits that the dashboard has; limits that cannot be are refused and make none', async () => {
  const { account, wallets } = await (async () => {
    const [row] = await service.sql('select account_id from wallets where id = $1', [service.demo.wallets.main])
    return { account: row![0]!, wallets: service.demo.wallets }
  })()
  const create = (...options: string[]) => sanad('key', 'create', '--account', account, '--json', ...options)
  const limitsOf = async (id: string) =>
    (
      await service.sql(
        `select is_test, read_only, array_to_json(wallets), array_to_json(addresses::text[]) from api_keys where client_id = $1`,
        [id],
      )
    )[0]
  const limited = JSON.parse(
    (await create('--read-only', '--wallet', wallets.main, wallets.second, '--from', '203.0.113.0/24', '198.51.100.7'))
      .out,
  )
  const [isTest, readOnly, ofWallets, ranges] = (await limitsOf(limited.client_id)) as [
    string,
    string,
    unknown,
    unknown,
  ]
  assert.deepEqual([String(isTest).at(0), String(readOnly).at(0)], ['f', 't'])
  assert.match(JSON.stringify(ofWallets), new RegExp(wallets.main))
  assert.match(JSON.stringify(ranges), /203\.0\.113\.0\/24/)
  const test = JSON.parse((await create('--test')).out)
  assert.match(test.client_id, /^7e57/)
  const before = await service.sql('select count(*) from api_keys')
  for (const [options, why] of [
    [['--test', '--wallet', wallets.main], /leave --wallet out/],
    [['--wallet', service.demo.other.wallet], /has no wallet/],
    [['--from', '203.0.113.0/99'], /--from 203/],
    [['--from', ...Array.from({ length: 21 }, (_, n) => `203.0.113.${n}`)], /at most 20 ranges/],
  ] as const) {
    const refused = await create(...options)
    assert.equal(refused.code, 1)
    assert.match(refused.err, why)
  }
  assert.deepEqual(await service.sql('select count(*) from api_keys'), before)
  const [entry] = await service.sql(
    `select after->>'read_only' from audit_log where action = 'key.create' and object_id = $1`,
    [limited.client_id],
  )
  assert.deepEqual(entry, ['true'])
})

test('a user becomes an operator, and stops being one', async () => {
  const { email } = service.demo.dashboard
  assert.equal((await sanadProcess('operator', 'add', '--email', email.toUpperCase())).code, 0)
  assert.match((await sanad('operator', 'list')).out, new RegExp(email))
  assert.equal((await sanad('operator', 'remove', '--email', email)).code, 0)
  assert.equal((await sanad('operator', 'list')).out, '')
  assert.deepEqual(await actions(null), ['user.operator', 'user.operator'])
})

test('commands create and change a provider and a template; the health command counts accounts', async () => {
  const nameOptions = [
    '--name',
    'by-command',
    '--display-name',
    'By Command',
    '--display-name-ar',
    'بالأمر',
    '--country',
    'ye',
  ]
  const created = await sanadProcess('provider', 'create', ...nameOptions)
  const provider = /[0-9a-f-]{36}/.exec(created.out)![0]
  assert.match((await sanad('provider', 'create', ...nameOptions)).err, /already exists/)
  assert.match(
    (await sanad('provider', 'status', '--provider', provider, '--status', 'GONE')).err,
    /not a valid choice/,
  )
  assert.equal((await sanad('provider', 'status', '--provider', provider, '--status', 'MAINTENANCE')).code, 0)
  assert.match((await sanad('provider', 'list')).out, /MAINTENANCE .* by-command/)
  const packages = (...names: string[]) => sanad('provider', 'packages', '--provider', provider, ...names)
  assert.equal((await packages('--packages', 'com.example.wallet', 'com.example.shop')).code, 0)
  assert.match((await packages('--packages', 'wallet')).err, /package name, such as com.example.wallet/)
  assert.equal((await packages()).code, 0)
  const change = (...options: string[]) => sanad('provider', 'change', '--provider', provider, ...options)
  assert.equal((await change('--theme-color', '#123abc', '--steps-ar', 'افتح التطبيق.', 'حوّل المبلغ.')).code, 0)
  assert.match((await change('--country', 'Yemen')).err, /no more than 2 characters/)
  assert.match((await change('--general-steps', '--steps-en', 'Pay.')).err, /Either steps of its own/)
  assert.match((await change()).err, /Say what to change/)
  const columns = 'display_name_ar, country, theme_color, array_to_json(pay_steps_ar)::text'
  const [row] = await service.sql(`select ${columns} from providers where id = $1`, [provider])
  assert.deepEqual(row, ['بالأمر', 'YE', '#123ABC', '["افتح التطبيق.","حوّل المبلغ."]'])
  assert.equal((await change('--general-steps')).code, 0)
  const file = join(folder, 'template.json')
  writeFileSync(
    file,
    JSON.stringify({
      provider,
      name: 'Received',
      sender_names: ['BYCOMMAND'],
      sentence: 'You received {amount:money} YER, reference {reference:reference}. Thank you',
      samples: [
        {
          text: 'You received 1500.00 YER, reference 123456789. Thank you',
          expect: { amount: '1500.00', reference: '123456789' },
        },
      ],
      counter_samples: [{ text: 'You sent 5.00 YER', why: 'money that left' }],
    }),
  )
  const template = /[0-9a-f-]{36}/.exec((await sanadProcess('template', 'draft', '--file', file)).out)![0]
  assert.match((await sanad('template', 'publish', '--template', template)).out, /Published/)
  assert.match((await sanad('template', 'list', '--provider', provider)).out, /active/)
  assert.match((await sanad('template', 'retire', '--template', template)).out, /Retired/)
  assert.equal((await sanad('template', 'retire', '--template', template)).code, 1)
})

test('sanad health prints the figures, as JSON if asked, and exits with 1 if somebody should look', async () => {
  // The command reads the real clock.
  await service.sql(`update devices set last_seen_at = now()`)
  const calm = await sanadProcess('health')
  assert.match(calm.out, /accounts +\d+ active/)
  assert.deepEqual([calm.code, calm.err], [0, ''])
  const { ok, phones } = JSON.parse((await sanad('health', '--json')).out)
  assert.deepEqual([ok, phones.silent], [true, 0])
  await service.sql(`update devices set last_seen_at = null`)
  const silent = await sanadProcess('health', '--json')
  assert.deepEqual(
    [silent.code, silent.err],
    [1, 'Somebody should look. Silent phones: 2 of 2. Payments into their wallets are not seen.\n'],
  )
  const figures = JSON.parse(silent.out)
  assert.deepEqual([figures.ok, figures.phones.silent], [false, 2])
})
