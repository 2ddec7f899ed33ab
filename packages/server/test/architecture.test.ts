/**
 * The rules of the architecture, checked against the source files: which module may import which, and which folder of a module;
 * which module owns which table; no import cycle, no database in pure files, the environment and the time read in one place of
 * each package, no outgoing call outside the listed files, no grab-bag files.
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, resolve } from 'node:path'
import { test } from 'node:test'
import { usualCurrency } from '@sanad/contract/currency'

const root = resolve(import.meta.dirname, '../../..')
const sourcePaths = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
  (path) => !/\.(test|d)\.ts$/.test(path),
)

/**
 * The modules that each module of the server may import, besides itself: the modules below it. `views` are read models over
 * several modules; they write nothing. The files directly in `src`, in `service` and in `processes` are the top layer: they may import every
 * module except `commands`. Commands may also import the top layer, and only `main.ts` loads them.
 */
const topLayer = 'top layer'
const allowedImports: Readonly<Record<string, readonly string[]>> = (() => {
  const core = ['core']
  const base = [...core, 'postgres']
  const modules = [
    ...base,
    'accounts',
    'calls',
    'wallets',
    'alerts',
    'intents',
    'webhooks',
    'matching',
    'push',
    'checkouts',
    'views',
    'doctor',
  ]
  return {
    core: [],
    postgres: core,
    accounts: base,
    calls: base,
    wallets: [...base, 'accounts'],
    alerts: [...base, 'accounts', 'wallets'],
    // Above alerts: an intent is created only for a wallet whose alerts a template can read. Above webhooks: the end of an
    // intent is an event.
    intents: [...base, 'accounts', 'wallets', 'alerts', 'webhooks'],
    webhooks: [...base, 'accounts', 'wallets'],
    matching: [...base, 'accounts', 'wallets', 'alerts', 'intents', 'webhooks'],
    push: [...base, 'accounts', 'wallets', 'alerts', 'webhooks'],
    checkouts: [...base, 'accounts', 'wallets', 'alerts', 'intents', 'webhooks', 'matching'],
    views: [...base, 'accounts', 'wallets', 'alerts', 'intents', 'webhooks', 'matching', 'checkouts'],
    doctor: [...base, 'accounts', 'wallets', 'webhooks', 'views'],
    http: modules,
    work: modules,
    commands: [...modules, 'http', 'work', topLayer],
  }
})()

/**
 * The module that owns each table of schema.sql. Only the owner writes a table; the owner and the modules above it read it.
 * `matching` resolves an alert and an intent together. It writes both, with the timeline entry and the reserved unique
 * amount: these four tables, and no others, have a second writer.
 */
type Owner = { readonly owner: string; readonly writtenAlsoBy?: readonly string[] }
const tableOwners: Readonly<Record<string, Owner>> = {
  backups: { owner: 'postgres' },
  master_keys: { owner: 'postgres' },
  migrations: { owner: 'postgres' },
  node_clocks: { owner: 'postgres' },

  accounts: { owner: 'accounts' },
  account_erasures: { owner: 'accounts' },
  account_freezes: { owner: 'postgres' },
  account_moves: { owner: 'postgres' },
  api_keys: { owner: 'accounts' },
  approvals: { owner: 'accounts' },
  audit_log: { owner: 'accounts' },
  known_browsers: { owner: 'accounts' },
  limit_requests: { owner: 'accounts' },
  member_wallets: { owner: 'accounts' },
  members: { owner: 'accounts' },
  owner_notices: { owner: 'accounts' },
  counters: { owner: 'accounts' },
  passkey_challenges: { owner: 'accounts' },
  passkeys: { owner: 'accounts' },
  pin_tries: { owner: 'accounts' },
  pins: { owner: 'accounts' },
  retention_progress: { owner: 'accounts' },
  retention_settings: { owner: 'accounts' },
  role_limits: { owner: 'accounts' },
  service_hours: { owner: 'accounts' },
  sessions: { owner: 'accounts' },
  shifts: { owner: 'accounts' },
  sign_in_failures: { owner: 'accounts' },
  user_links: { owner: 'accounts' },
  user_notices: { owner: 'accounts' },
  users: { owner: 'accounts' },

  api_calls: { owner: 'calls' },

  device_requests: { owner: 'wallets' },
  devices: { owner: 'wallets' },
  phone_rhythms: { owner: 'wallets' },
  phone_setups: { owner: 'wallets' },
  providers: { owner: 'wallets' },
  wallet_numbers: { owner: 'wallets' },
  wallet_phones: { owner: 'wallets' },
  wallets: { owner: 'wallets' },

  alert_templates: { owner: 'alerts' },
  alerts: { owner: 'alerts', writtenAlsoBy: ['matching'] },

  handovers: { owner: 'intents' },
  idempotency_keys: { owner: 'intents' },
  intent_counts: { owner: 'intents' },
  intent_hours: { owner: 'intents' },
  intent_moves: { owner: 'intents', writtenAlsoBy: ['matching'] },
  intent_tallies: { owner: 'intents' },
  intent_waits: { owner: 'intents' },
  intents: { owner: 'intents', writtenAlsoBy: ['matching'] },
  quota_months: { owner: 'intents' },
  reference_claims: { owner: 'intents' },
  takings: { owner: 'intents' },
  tally_progress: { owner: 'intents' },
  unique_amounts: { owner: 'intents', writtenAlsoBy: ['matching'] },
  vouchers: { owner: 'intents' },

  deliveries: { owner: 'webhooks' },
  delivery_attempts: { owner: 'webhooks' },
  delivery_attempts_other: { owner: 'webhooks' },
  delivery_ends: { owner: 'webhooks' },
  delivery_ends_other: { owner: 'webhooks' },
  endpoint_hours: { owner: 'webhooks' },
  events: { owner: 'webhooks' },
  sample_events: { owner: 'webhooks' },
  webhook_endpoints: { owner: 'webhooks' },
  webhook_replays: { owner: 'webhooks' },

  claimed_payers: { owner: 'matching' },
  counter_sales: { owner: 'matching' },
  wallet_balances: { owner: 'matching' },

  push_devices: { owner: 'push' },
  push_keys: { owner: 'push' },
  push_pending: { owner: 'push' },
  push_settings: { owner: 'push' },
  push_told: { owner: 'push' },

  checkout_intents: { owner: 'checkouts' },
  checkout_keys: { owner: 'checkouts' },
  checkout_pages: { owner: 'checkouts' },
  link_views: { owner: 'checkouts' },
  checkouts: { owner: 'checkouts' },
  payment_links: { owner: 'checkouts' },
}

type File = { readonly path: string; readonly text: string; readonly imports: readonly string[] }

/** Reads static imports only above the first declaration: below it, the word import can only be part of a string. */
const importsOf = (path: string, text: string): string[] => {
  const head = text.split(/^(?:export )?(?:const|let|type|class|interface|declare|async|function) /m)[0]!
  const staticImports = [...head.matchAll(/^(?:import|export)\b[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm)]
  const dynamic = [...text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)]
  return [...staticImports, ...dynamic]
    .map((match) => match[1] ?? match[2]!)
    .map((target) => (target.startsWith('.') ? normalize(join(dirname(path), target)) : target))
}

const files: File[] = sourcePaths.map((path) => {
  const text = readFileSync(join(root, path), 'utf8')
  return { path, text, imports: importsOf(path, text) }
})

const moduleOf = (path: string): string | undefined =>
  /^packages\/server\/src\/(?!(?:service|processes)\/)([^/]+)\//.exec(path)?.[1]
/** The code without its comments: a comment may mention what the code must not do. */
const code = (file: File): string => file.text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
const filesThat = (violates: (file: File) => boolean): string[] =>
  files
    .filter(violates)
    .map((file) => file.path)
    .sort()

test('the source files are found and their imports are read', () => {
  assert.ok(files.length > 50)
  assert.ok(files.some((file) => file.imports.length > 10))
})

test('every module is in the list of allowed imports', () => {
  assert.deepEqual(
    [...new Set(files.map((file) => moduleOf(file.path)).filter((module) => module !== undefined))].sort(),
    Object.keys(allowedImports).sort(),
  )
})

test('modules import only the modules that are allowed for them', () => {
  const violations: string[] = []
  for (const file of files) {
    const module = moduleOf(file.path)
    if (module === undefined) continue
    for (const target of file.imports.filter((path) => path.startsWith('packages/server/'))) {
      const other = moduleOf(target)
      if (other === module) continue
      if (!allowedImports[module]!.includes(other ?? topLayer)) violations.push(`${file.path} -> ${target}`)
    }
  }
  assert.deepEqual(violations, [])
})

/** The order of the folders inside each folder of the server, as ARCHITECTURE.md draws it: lowest first. */
const folderOrders = new Map(
  [
    ...readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/^ {4}([a-z/-]+)\/ +([a-z-]+(?: < [a-z-]+)*)$/gm),
  ].map((match) => [match[1]!, match[2]!.split(' < ')] as const),
)

test('every folder of a module is in the order of folders in ARCHITECTURE.md, once', () => {
  const found = globSync('packages/server/src/*/**/', { cwd: root })
    .map((path) => path.replace(/^packages\/server\/src\//, '').replace(/\/$/, ''))
    .filter((path) => path.includes('/'))
  const listed = [...folderOrders].flatMap(([folder, order]) => order.map((name) => `${folder}/${name}`))
  assert.deepEqual(listed.sort(), found.sort())
})

test('a folder imports only folders before it in its order, and the files beside folders import none of them', () => {
  /** The place of a file among what is in `folder`. The files directly in the folder are below its folders. */
  const placeIn = (folder: string, path: string): number => {
    const [name, ...rest] = path.slice(folder.length + 1).split('/')
    return rest.length === 0 ? -1 : (folderOrders.get(folder)?.indexOf(name!) ?? -1)
  }
  const source = 'packages/server/src/'
  const violations: string[] = []
  for (const file of files.filter(({ path }) => moduleOf(path) !== undefined))
    for (const target of file.imports.filter((path) => moduleOf(path) === moduleOf(file.path))) {
      const [from, to] = [file.path.slice(source.length), target.slice(source.length)]
      let folder = dirname(from)
      while (!to.startsWith(`${folder}/`)) folder = dirname(folder)
      if (placeIn(folder, to) > placeIn(folder, from)) violations.push(`${from} -> ${to}`)
    }
  assert.deepEqual(violations, [])
})

test('no file imports main, only main loads commands, only commands and the top layer import config', () => {
  assert.deepEqual(
    filesThat((file) => file.imports.some((path) => path.endsWith('server/src/main.ts'))),
    [],
  )
  assert.deepEqual(
    filesThat(
      (file) => moduleOf(file.path) !== 'commands' && file.imports.some((path) => moduleOf(path) === 'commands'),
    ),
    ['packages/server/src/main.ts'],
  )
  assert.deepEqual(
    filesThat((file) => {
      const module = moduleOf(file.path)
      if (module === undefined || module === 'commands') return false
      return file.imports.some((path) => path.endsWith('src/config.ts'))
    }),
    [],
  )
})

test('the contract package imports only typebox, and of the server’s modules only http imports its schemas', () => {
  const contract = files.filter((file) => file.path.startsWith('packages/contract/'))
  const foreign = contract.flatMap((file) =>
    file.imports.filter((path) => !path.startsWith('packages/contract/') && !path.startsWith('typebox')),
  )
  assert.deepEqual(foreign, [])
  // The lists of kinds, of currencies, of apps and of the doctor's findings are plain data without a schema: every module may use them.
  const isSchema = (path: string): boolean =>
    /^@sanad\/contract(?!\/(kinds|buyer-kinds|request-kinds|currency|finding-texts|forwarding-apps)$)/.test(path)
  const users = filesThat((file) => file.imports.some(isSchema))
  assert.deepEqual(
    users.filter((path) => moduleOf(path) !== undefined && moduleOf(path) !== 'http'),
    [],
  )
})

test('there is no import cycle', () => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const visited = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) return void cycles.push([...trail.slice(trail.indexOf(path)), path].join(' -> '))
    if (visited.has(path)) return
    for (const target of byPath.get(path)?.imports ?? []) if (byPath.has(target)) visit(target, [...trail, path])
    visited.add(path)
  }
  for (const file of files) visit(file.path, [])
  assert.deepEqual(cycles, [])
})

const isDatabase = (path: string): boolean =>
  path.endsWith('-sql.ts') || path.endsWith('postgres/connection/database.ts')
/** A statement file, or a file that takes a database or runs statements. */
const usesDatabase = (path: string): boolean =>
  isDatabase(path) || (files.find((file) => file.path === path)?.imports ?? []).some(isDatabase)

test('a statement file never imports a verb, and statements are only in files named -sql', () => {
  const violations = files.flatMap((file) => {
    if (!file.path.endsWith('-sql.ts') || moduleOf(file.path) === undefined) return []
    return file.imports
      .filter((path) => moduleOf(path) !== 'postgres' && !path.endsWith('-sql.ts') && usesDatabase(path))
      .map((path) => `${file.path} -> ${path}`)
  })
  assert.deepEqual(violations, [])
  assert.deepEqual(
    filesThat((file) => /\bstatement\(\s*'/.test(code(file)) && !file.path.endsWith('-sql.ts')),
    [],
  )
})

const tables = [...readFileSync(join(root, 'schema.sql'), 'utf8').matchAll(/^create table (\w+)/gm)].map(
  (match) => match[1]!,
)

/** The tables that the SQL of a file names, as read or written. */
const tablesIn = (file: File): { readonly reads: string[]; readonly writes: string[] } => {
  const text = code(file)
  const named = (pattern: RegExp): string[] =>
    [...text.matchAll(pattern)]
      .flatMap((match) => match[1]!.match(/[a-z_]+/g) ?? [])
      .filter((word) => word in tableOwners)
  const tableItem = '(?:only\\s+|lateral\\s+)?[a-z_]+(?:\\s+as)?(?:\\s+[a-z_]+)?'
  return {
    reads: [
      ...named(new RegExp(`\\b(?:from|join|using)\\s+(${tableItem}(?:\\s*,\\s*${tableItem})*)`, 'g')),
      ...named(/\bonly\s+([a-z_]+)/g),
    ],
    writes: [
      ...named(
        /\b(?:into|update|delete\s+from|truncate|alter\s+table|drop\s+table|lock\s+table)\s+(?:only\s+)?([a-z_]+)/g,
      ),
      ...named(/\bsealed(?:Json)?Column\(\s*'([a-z_]+)'/g),
    ],
  }
}

const serverFiles = files.filter((file) => file.path.startsWith('packages/server/src/'))

/** Lists of four or more words that are equal by chance or cannot be shared, and why. The words are in alphabetical order. */
const listedTwice: Readonly<Record<string, string>> = {
  'sms-forwarder sms-to-url smsgate text': 'the agent imports no other package: it is one file on a phone',
  'alert intent phone wallet': 'the records that two screens show',
  'currency name provider sender_names sentence': 'the fields of two forms',
  'any money name phone reference': 'the types of slots, and the order in which they are tried',
  'differs same same_as_far_as_shown unknown': 'how likely two names and two phones are the same: two rules',
}

test('statuses, states, reasons and kinds are listed once, for the contract, the server and the dashboard', () => {
  const places = new Map<string, Set<string>>()
  for (const file of files.filter(({ path }) => !path.endsWith('-sql.ts')))
    for (const [list] of code(file).matchAll(/'[\w.-]*'(?:\s*[,|]\s*'[\w.-]*'){3,}/g)) {
      const words = list.match(/'[\w.-]*'/g)!.map((word) => word.slice(1, -1))
      const key = words.sort().join(' ')
      places.set(key, (places.get(key) ?? new Set()).add(file.path))
    }
  const twice = [...places].filter(([, paths]) => paths.size > 1)
  assert.deepEqual(
    twice.filter(([words]) => !(words in listedTwice)).map(([words, paths]) => `${words}: ${[...paths].join(', ')}`),
    [],
  )
  assert.deepEqual(twice.map(([words]) => words).sort(), Object.keys(listedTwice).sort())
})

test('every table has an owner, and every owner is a module', () => {
  assert.deepEqual(Object.keys(tableOwners).sort(), tables.toSorted())
  const modules = Object.keys(allowedImports)
  const named = Object.values(tableOwners).flatMap(({ owner, writtenAlsoBy = [] }) => [owner, ...writtenAlsoBy])
  assert.deepEqual(
    named.filter((module) => !modules.includes(module)),
    [],
  )
  const found = new Set(serverFiles.flatMap((file) => tablesIn(file).reads))
  assert.deepEqual(
    tables.filter((table) => !found.has(table)),
    [],
  )
})

test('a table is written by its owner or a listed second writer, and read by its owner and the modules above it', () => {
  const violations: string[] = []
  for (const file of serverFiles) {
    const module = moduleOf(file.path) ?? topLayer
    const { reads, writes } = tablesIn(file)
    for (const table of new Set([...reads, ...writes])) {
      const { owner } = tableOwners[table]!
      const below = module === topLayer || allowedImports[module]!.includes(owner)
      if (module !== owner && !below) violations.push(`${file.path} names ${table} of ${owner}`)
    }
    for (const table of new Set(writes)) {
      const { owner, writtenAlsoBy = [] } = tableOwners[table]!
      if (module !== owner && !writtenAlsoBy.includes(module))
        violations.push(`${file.path} writes ${table} of ${owner}`)
    }
  }
  assert.deepEqual(violations, [])
})

test('http and work name no table', () => {
  assert.deepEqual(
    filesThat((file) => {
      const { reads, writes } = tablesIn(file)
      return ['http', 'work'].includes(moduleOf(file.path) ?? '') && reads.length + writes.length > 0
    }),
    [],
  )
})

/**
 * A verb takes a `Tx`. Its caller (http, work, commands, or the top layer) opens the transaction, so that several verbs and
 * the audit entry are committed together. The files in this list open a transaction themselves, for the reason given.
 */
const writesResolution =
  'a resolution is written at the end of its transaction, and the caller reads it before the commit'
const opensTransactions: Readonly<Record<string, string>> = {
  'accounts/audit/audit.ts': 'opens it for every caller that writes audit entries',
  'accounts/audit/change-by-command.ts': 'the same for commands',
  'alerts/shipped/ship-templates.ts': 'runs at every start, under its own lock',
  'checkouts/end-checkouts.ts': 'a transaction for each checkout that is due',
  'checkouts/open-intent.ts': 'a refusal rolls back what was cancelled before it',
  'intents/expire-intents.ts': 'a transaction for each batch',
  'intents/create/create-intents.ts':
    'requests that arrive together share a transaction; each is repeated alone if that fails',
  'intents/totals/tally-intents.ts': 'a transaction for each batch',
  'matching/queue/accept-balance.ts': writesResolution,
  'matching/queue/announce-unmatched.ts': 'a transaction for each batch',
  'matching/queue/book-alert.ts': writesResolution,
  'matching/queue/dismiss-alert.ts': writesResolution,
  'matching/queue/finish-sales.ts': 'a transaction for each sale that is due',
  'matching/queue/not-duplicate.ts': writesResolution,
  'matching/queue/take-sale.ts': writesResolution,
  'matching/queue/undo-sale.ts': writesResolution,
  'matching/report/record-alerts.ts':
    'reports that arrive together share a transaction; each is repeated alone if that fails',
  'matching/reread/read-again.ts': writesResolution,
  'matching/reread/release-held.ts': 'a transaction for each batch; each alert alone if that fails',
  'matching/reread/release-proven.ts': 'takes its locks before the first statement',
  'matching/reread/release-suspended.ts': 'a transaction for each batch',
  'matching/reread/reread-alerts.ts': 'a transaction for each batch; each alert alone if that fails',
  'matching/resolve/attach-references.ts':
    'references that arrive together share a transaction; each is repeated alone if that fails',
  'wallets/entries/create-account.ts': 'not yet changed: many tests call it with a database',
  'push/collect-pushes.ts': 'a transaction for each batch',
  'push/send-pushes.ts': 'what is sent is stored before it is sent',
  'webhooks/log/keep-partitions.ts': 'a transaction for each partition, under its own lock',
  'webhooks/log/replay-events.ts': 'a transaction for each replay that is due',
  'webhooks/sending/record-results.ts': 'the results of many attempts share a transaction',
}

test('a verb takes the transaction of its caller, except in the listed files', () => {
  const callers = ['http', 'work', 'commands', 'postgres', undefined]
  const found = serverFiles
    .filter((file) => !callers.includes(moduleOf(file.path)))
    .filter((file) => /\.transaction\(|\bchangeWithAudit\(|\bchangeByCommand\(/.test(code(file)))
    .map((file) => file.path.replace('packages/server/src/', ''))
  assert.deepEqual(found.toSorted(), Object.keys(opensTransactions).toSorted())
})

test('a file that says it is pure imports no statement, no database and no file that uses them', () => {
  const pure = serverFiles.filter((file) => /\bPure\b/.test(/^\/\*\*[\s\S]*?\*\//.exec(file.text)?.[0] ?? ''))
  assert.ok(pure.length > 50)
  const violations = pure.flatMap((file) =>
    file.imports.filter(usesDatabase).map((target) => `${file.path} -> ${target}`),
  )
  assert.deepEqual(violations, [])
})

test('the environment is read in one file of the server and one of the agent', () => {
  assert.deepEqual(
    // Code samples of the API reference contain it as a text: '  baseUrl: process.env.SANAD_URL,'.
    filesThat((file) => /process\.env\b/.test(code(file).replaceAll(/^\s*'.*',$/gm, ''))),
    ['packages/agent/src/termux/environment.ts', 'packages/server/src/config.ts'],
  )
})

test('the time is read in one file of the server, one of the dashboard and one of the agent', () => {
  assert.deepEqual(
    filesThat((file) => /\bDate\.now\(|new Date\(\)|\bnow\(\)\s*::|current_timestamp/.test(code(file))),
    [
      'packages/agent/src/termux/system-clock.ts',
      'packages/dashboard/src/parts/format/clock.ts',
      'packages/server/src/core/clock.ts',
    ],
  )
})

test('the lengths of a minute, an hour and a day are declared in one file of the server', () => {
  const number = /\b(?:60_?000|3_?600_?000|86_?400_?000|86_?400)\b/
  const constant = /\bconst (?:second|minute|hour|day)s?(?:_m?s)? = (?:\w+ \* )*(?:\d[\d_]*|\w+_m?s)$/im
  const declares = (text: string): boolean => number.test(text) || constant.test(text)
  assert.deepEqual(
    serverFiles
      // The script of a page is sent alone, so it imports nothing.
      .filter((file) => !file.path.includes('/browser/') && declares(code(file).replaceAll(/'.*'/g, '')))
      .map((file) => file.path),
    ['packages/server/src/core/duration.ts'],
  )
})

test('the words of a background loop’s name are in the name of a function that it runs', () => {
  const loops = code(files.find(({ path }) => path.endsWith('work/background-loops.ts'))!)
    .split(/\bname: '/)
    .slice(1)
  assert.ok(loops.length > 20)
  const misnamed = loops
    .map((loop) => ({ name: loop.split("'")[0]!, calls: loop.match(/\b\w+(?=\()/g) ?? [] }))
    .filter(({ name, calls }) => {
      const words = new RegExp(`^${name.replaceAll(' ', '.*')}`, 'i')
      return !calls.some((called) => words.test(called))
    })
  assert.deepEqual(misnamed, [])
})

test('the id of a phone is called phoneId, except where others read it', () => {
  const named = filesThat((file) => file.path.startsWith('packages/server/') && /\bdeviceId\b/.test(code(file)))
  assert.deepEqual(named, [
    // The stored form of a change that waits for an owner.
    'packages/server/src/alerts/approvals/perform-change.ts',
    // The key of the agent's protocol.
    'packages/server/src/commands/phone/phone-command.ts',
    'packages/server/src/commands/phone/phone-identity.ts',
  ])
})

test('outgoing calls are made only by webhooks, mail, traces, the doctor, forwarding, the phone’s agent and the pages in a browser', () => {
  const callers = filesThat((file) =>
    /\bfetch\(|(?:from |import\()'(?:undici|nodemailer)'|\bhttps?\.(get|request)\(|import \{[^}]*\brequest\b[^}]*\} from 'node:https?'/.test(
      code(file),
    ),
  )
  assert.deepEqual(callers.sort(), [
    'packages/agent/src/post.ts',
    // The agent of a newer version.
    'packages/agent/src/termux/release/download.ts',
    'packages/dashboard/src/api/call.ts',
    // A file of the page itself.
    'packages/dashboard/src/speech/load-clips.ts',
    // Calls of accounts that have moved, to the cell that the operator named.
    'packages/server/src/http/forward/cell-connections.ts',
    'packages/server/src/http/pair/browser/pair-script.ts',
    'packages/server/src/http/pay/browser/page-script.ts',
    'packages/server/src/mail.ts',
    // The service's own public address, and its mail server.
    'packages/server/src/service/probes.ts',
    // Spans, to the receiver that the operator names.
    'packages/server/src/service/trace-exporter.ts',
    'packages/server/src/webhooks/calling/call-receiver.ts',
    'packages/server/src/webhooks/calling/receiver-connections.ts',
  ])
})

test('a currency is named by its code, also inside a sentence, only in the list of currencies and in texts of companies', () => {
  const scripts = globSync('{packages/sdk,plugins/*}/src/**/*.js', { cwd: root }).map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8'),
    imports: [],
  }))
  const named = [...files, ...scripts].filter((file) => /\bYER\b/.test(code(file))).map(({ path }) => path)
  assert.deepEqual(named.filter((path) => !path.startsWith('packages/server/src/alerts/shipped/')).sort(), [
    // One file on a phone, which imports no other package: how companies word messages.
    'packages/agent/src/wordings.ts',
    'packages/contract/src/currency.ts',
    // Made from the contract.
    'packages/sdk/src/testing/described.js',
    // Templates of what buyers paste.
    'packages/server/src/checkouts/buyer/buyer-templates.ts',
    // Built alone, for the shop's admin.
    'plugins/medusa/src/admin.js',
    // Installed in a shop without the contract.
    'plugins/medusa/src/currency.js',
    'plugins/vendure/src/currency.js',
  ])
  for (const path of named.filter((name) => name.endsWith('/currency.js'))) {
    const { 1: code } = / = (?:\/\*\*.*?\*\/ \()?'([A-Z]{3})'/.exec(readFileSync(join(root, path), 'utf8'))!
    assert.equal(code, usualCurrency, path)
  }
})

test('files are kebab-case, and none is a grab-bag', () => {
  assert.deepEqual(
    filesThat((file) => !/^(?:[a-z0-9]+(?:-[a-z0-9]+)*\/)*[a-z0-9]+(?:-[a-z0-9]+)*\.tsx?$/.test(file.path)),
    [],
  )
  assert.deepEqual(
    filesThat((file) => /\/(utils?|helpers?|common|misc|manager|index|types|interfaces)\.tsx?$/.test(file.path)),
    [],
  )
})

test('no folder has the name of the folder that it is in', () => {
  assert.deepEqual(
    filesThat((file) => /\/([^/]+)\/\1\//.test(file.path)),
    [],
  )
})

/** The files, and the folders whose path has at least two parts, that a page names in backticks. */
const namedPaths = (markdown: string): string[] =>
  [...markdown.matchAll(/`((?:[\w@.-]+\/)*[\w@.-]+\.(?:tsx?|js|css|sql|md|json)|(?:[\w@.-]+\/){2,})`/g)].map(
    (match) => match[1]!,
  )

test('the files and folders that the architecture pages name exist', () => {
  const pages = ['ARCHITECTURE.md', 'docs/where-to-change.md', ...globSync('docs/paths/*.md', { cwd: root })]
  const tests = new Set(globSync('packages/**/*.test.ts', { cwd: root }).map((path) => path.split('/').at(-1)!))
  const missing = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    // A page says under which folder its short paths are. Tests are named without their folder.
    const folders = [...text.matchAll(/[Pp]aths are under `([^`]+)`/g)].map((match) => match[1]!)
    const exists = (path: string): boolean =>
      tests.has(path) || ['', 'packages/server/src', ...folders].some((folder) => existsSync(join(root, folder, path)))
    return namedPaths(text)
      .filter((path) => !exists(path))
      .map((path) => `${page}: ${path}`)
  })
  assert.deepEqual(missing, [])
})

test('the table of folders in ARCHITECTURE.md has every module with its inner folders, and no other', () => {
  const table = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const rows = [...table.matchAll(/^\| `(\w+)\/` \| (.*) \|$/gm)].map((match) => [match[1]!, match[2]!] as const)
  assert.deepEqual(rows.map(([module]) => module).sort(), Object.keys(allowedImports).sort())
  for (const [module, holds] of rows) {
    const inner = globSync(`packages/server/src/${module}/*/`, { cwd: root }).map((path) => path.split('/')[4]!)
    const named = [...holds.matchAll(/`([\w-]+)\/`/g)].map((match) => match[1]!)
    assert.deepEqual([...new Set(named)].sort(), inner.sort(), module)
  }
})

test('no file has more than 420 lines', () => {
  assert.deepEqual(
    filesThat((file) => file.text.split('\n').length > 420),
    [],
  )
})

test('every file begins with a comment that says what it promises, unless it only holds statements', () => {
  assert.deepEqual(
    filesThat((file) => !file.path.endsWith('-sql.ts') && !/^\/\*\*/.test(file.text)),
    [],
  )
})

test('no folder has more than 25 files without inner folders', () => {
  const all = globSync('{packages/*/{src,test}/**/*,bench/**/*}.{ts,tsx,js,css,lua}', { cwd: root })
  const counts = Map.groupBy(all, (path) => dirname(path))
  const tooLarge = [...counts].filter(([, inside]) => inside.length > 25).map(([folder]) => folder)
  assert.deepEqual(tooLarge.sort(), [])
})
