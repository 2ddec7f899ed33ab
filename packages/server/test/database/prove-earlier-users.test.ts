/** Which users from before count as proved when the database is migrated: those of commands, first owners, and new passwords by a
 *  link. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrationsFolder } from '../../src/open-store.ts'
import { migrate } from '../../src/postgres/maintenance/migrate.ts'
import { emptyDatabase } from '../support/test-databases.ts'

const database = await emptyDatabase()
const client = new pg.Client({ connectionString: database.url })
await client.connect()
after(async () => {
  await client.end()
  await database.drop()
})

const account = randomUUID()
const other = randomUUID()
let minute = 0
const nextTime = (): string => new Date(Date.UTC(2026, 0, 1, 0, minute++)).toISOString()

const addAudit = (at: string, action: string, object: string, more: Record<string, string | null> = {}) => {
  const { via = 'session', actor = 'Somebody', user = null, accountId = account } = more
  return client.query(
    `insert into audit_log (id, account_id, at, user_id, actor, via, action, kind, object_id)
     values (gen_random_uuid(), $1, $2, $3, $4, $5, $6, split_part($6, '.', 1), $7)`,
    [accountId, at, user, actor, via, action, object],
  )
}
const addUser = async (name: string, role: string, accountId = account) => {
  const [id, at] = [randomUUID(), nextTime()]
  const email = `${name}@sanad.example`
  await client.query('insert into users (id, email, name, created_at) values ($1, $2, $3, $4)', [id, email, name, at])
  await client.query('insert into members (account_id, user_id, role, created_at) values ($1, $2, $3, $4)', [
    accountId,
    id,
    role,
    at,
  ])
  return { id, at, email, name }
}
/** A user who joined by an invitation, as the versions before have written it. */
const addInvited = async (name: string, by: { id: string } | 'command', role = 'cashier') => {
  const [invitation, invitedAt] = [randomUUID(), nextTime()]
  const inviter = by === 'command' ? { via: 'command', actor: 'the operator' } : { user: by.id }
  await addAudit(invitedAt, 'invitation.create', invitation, inviter)
  const user = await addUser(name, role)
  await addAudit(user.at, 'invitation.accept', invitation, { actor: user.email })
  await addAudit(user.at, 'member.join', user.id, { actor: user.email })
  return user
}

const users = {} as Record<string, { id: string; at: string; email: string; name: string }>

const folder = await mkdtemp(join(tmpdir(), 'sanad-migrations-'))
await cp(migrationsFolder, folder, { recursive: true })
const later = (await readdir(folder)).filter((name) => /^\d{4}_/.test(name) && name >= '0026')
for (const name of later) await rm(join(folder, name))
await migrate(database.url, folder)
await rm(folder, { recursive: true })

for (const id of [account, other])
  await client.query('insert into accounts (id, name, created_at) values ($1, $2, $3)', [id, 'A shop', nextTime()])
users.created = await addUser('created', 'owner')
await addAudit(users.created.at, 'member.create', users.created.id, { via: 'command', actor: 'the operator' })
users.first = await addUser('first', 'owner', other)
users.second = await addUser('second', 'owner', other)
users.byCommand = await addInvited('by-command', 'command', 'owner')
users.byOwner = await addInvited('by-owner', users.created)
users.owner = await addInvited('owner', users.created, 'owner')
users.operator = await addInvited('operator', users.created, 'owner')
await client.query('update users set operator = true where id = $1', [users.operator.id])
users.reset = await addInvited('reset', users.created)
await addAudit(nextTime(), 'user.password_reset', users.reset.id, { user: users.reset.id })
users.lockedOut = await addInvited('locked-out', users.created)
await client.query('update users set totp_since = $2 where id = $1', [users.lockedOut.id, nextTime()])
await addAudit(nextTime(), 'user.password_reset', users.lockedOut.id, { user: users.lockedOut.id })
users.ownFactor = await addInvited('own-factor', users.created)
await addAudit(nextTime(), 'user.password_reset', users.ownFactor.id, { user: users.ownFactor.id })
await client.query('update users set totp_since = $2 where id = $1', [users.ownFactor.id, nextTime()])
await client.query(
  `insert into owner_notices (account_id, id, kind, object_kind, object_id, by_whom, facts, at)
  values ($1, gen_random_uuid(), 'key_created', 'key', 'x', '', '{}', $2)`,
  [account, nextTime()],
)

await migrate(database.url, migrationsFolder)

const proved = async (name: keyof typeof users): Promise<boolean> =>
  (await client.query('select proved_at is not null as proved from users where id = $1', [users[name]!.id])).rows[0]
    .proved

test('users of a command, first owners and users of `member invite` are proved', async () => {
  for (const name of ['created', 'first', 'byCommand']) assert.equal(await proved(name), true, name)
})

test('users who came by the invitation of a member are not proved, also as owners and as operators, who stay operators', async () => {
  for (const name of ['byOwner', 'owner', 'operator', 'second']) assert.equal(await proved(name), false, name)
  const { rows } = await client.query('select email, operator from users where operator')
  assert.deepEqual(rows, [{ email: 'operator@sanad.example', operator: true }])
})

test('who invited them, and to which account, is known', async () => {
  const { rows } = await client.query('select invited_by, invited_to from users where id = $1', [users.byOwner!.id])
  assert.deepEqual(rows, [{ invited_by: users.created!.id, invited_to: account }])
})

test('a new password by a link is a proof, unless a second factor is older', async () => {
  assert.equal(await proved('reset'), true)
  assert.equal(await proved('ownFactor'), true)
  assert.equal(await proved('lockedOut'), false)
})

test('no membership becomes a request, and notices of all kinds can be written', async () => {
  assert.deepEqual((await client.query('select 1 from members where request_since is not null')).rows, [])
  for (const [kind, object] of [
    ['member_request', 'member'],
    ['secrets_lost', 'account'],
  ])
    await client.query(
      `insert into owner_notices (account_id, id, kind, object_kind, object_id, by_whom, facts, at)
       values ($1, gen_random_uuid(), $2, $3, 'x', '', '{}', $4)`,
      [account, kind, object, nextTime()],
    )
  await assert.rejects(
    client.query(
      `insert into owner_notices (account_id, id, kind, object_kind, object_id, by_whom, facts, at)
       values ($1, gen_random_uuid(), 'nothing', 'member', 'x', '', '{}', $2)`,
      [account, nextTime()],
    ),
    /owner_notices_kind_check/,
  )
})
