/** The dashboard's API as an OpenAPI 3.1 document, made from its operations. The server serves it. */
import { type TSchema, Type } from 'typebox'
import * as checkouts from '../checkout.ts'
import { ErrorAnswer, ErrorEntry } from '../errors.ts'
import * as intents from '../intent.ts'
import {
  type Api,
  changes,
  type DocumentOptions,
  everyCall,
  type OpenApiDocument,
  openApi,
} from '../openapi/document.ts'
import type { Operation } from '../operation.ts'
import { closed } from '../schema.ts'
import * as wallets from '../wallet.ts'
import { dashboardOperations } from './operations.ts'
import * as calls from './operations-by-name.ts'
import * as phoneHealth from './wallets/phone-health.ts'
import * as templateBodies from './wallets/template-bodies.ts'
import * as webhookBodies from './webhooks/webhook-bodies.ts'
import * as webhookReplay from './webhooks/webhook-replay.ts'

/** The error envelope of the merchant API, with facts for programs when another change was first. */
const DashboardError = closed('Every error has this form.', {
  ...ErrorAnswer.properties,
  facts: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'Such as which user was first, and what they did.' }),
  ),
})

const introduction = `
Everything that the dashboard does, as calls that a script can make as well.

**Authentication.** A browser signs in with \`POST /session/\` and holds a cookie; calls that change something must then
come from a page of this service (\`Origin\`), or they are answered 403 \`origin_not_allowed\`. A script gets
a token from \`POST /token/\` and sends it as \`Authorization: Bearer\`; it acts for one account.

**Account.** A user with several accounts names the one to act for in \`X-Sanad-Account\`, with every call: so does each
page of the dashboard, and its changes go to the account that it shows, whatever another tab has switched to. Calls
that a browser makes without headers (a table to download, the stream) take \`acting_for\` in their address instead. A user
who cannot act for it is answered 403 \`account_not_allowed\`, and nothing is done. Without it, the session's account counts
(\`POST /session/account/\`), or the token's. An account that was moved to another server of the service is answered 403
\`account_moved\`, with its address in \`facts.origin\`; a script's calls are forwarded there.

**Permissions.** Every call names an action (\`x-action\`); a role allows it or the answer is 403 \`permission_denied\`.
Owners may do everything; managers all but members, keys and secrets; cashiers intents and the unmatched queue; viewers read.
An object of another account is answered like one that does not exist: 404.

**Proof of the person.** What cannot be taken back needs a proof of the last ten minutes that it is you (\`x-proof\`: \`always\`,
\`depends\` on what is changed, \`in_body\` where the call itself takes the password or a code). Signing in, and getting a token, is
such a proof. Later the call is answered 403 \`confirmation_required\`, and changes nothing: send the password, or a code if you have a
second factor, to \`POST /session/proof/\` with the same session or token, and repeat the call.

**Counters.** A browser that an owner made a counter (\`POST /counters/\`) has a cookie of its own. Until a cashier has entered a PIN every
call is 401 \`counter_locked\`, except those under \`/counters/here/\`. Then it has the rights of a cashier, without calls about one's own
address, sessions or notifications, and without calls that need a proof: 403 \`permission_denied\`. A page names the cashier that it shows
in \`X-Sanad-Cashier\` (\`acting_as\` in an address); if another one is there, it is answered 403 \`cashier_changed\` and nothing is done.

**Required second factor.** An owner can require a second factor of all members. Who has none after the days of grace
(\`second_factor_due\` of \`GET /session/\`) gets 403 \`second_factor_required\` for every call for that account, by browser or
token, but for those that set one up or lead out of the account (\`x-without-second-factor\`). So do operators of a service in production,
for the calls of operators.

**Errors** have the one envelope of the merchant API. Bodies are JSON; money is a string with two decimals; times carry
their offset. A method that a path does not have is 405, and every answer lists them in \`Allow\`. Every answer has its
\`X-Request-Id\`: name it when you ask about a call.
`.trim()

/** Exports that are schemas: their names begin with a capital, as types do. */
const schemasOf = (module: object): [string, TSchema][] =>
  Object.entries(module).filter((entry): entry is [string, TSchema] => /^[A-Z]/.test(entry[0]))

const capital = (id: string): string => `${id[0]!.toUpperCase()}${id.slice(1)}`

/**
 * Every schema that has a name in the code keeps it; the bodies and answers that have none are named after their call
 * (`CreateKeyBody`, `ListKeysAnswer`). A schema that several calls share is named after the first.
 */
const schemasByName = ((): Record<string, TSchema> => {
  const nameOf = new Map<TSchema, string>([
    [DashboardError, 'ErrorAnswer'],
    [ErrorEntry, 'ErrorEntry'],
  ])
  const takenNames = new Set(nameOf.values())
  const add = (name: string, schema: TSchema): void => {
    // If two schemas have the same name, the second one gets none; a test fails where that matters.
    if (nameOf.has(schema) || takenNames.has(name)) return
    nameOf.set(schema, name)
    takenNames.add(name)
  }
  for (const module of [calls, phoneHealth, templateBodies, webhookBodies, webhookReplay, intents, wallets, checkouts])
    for (const [name, schema] of schemasOf(module)) add(name, schema)
  for (const { id, body, answer } of dashboardOperations) {
    if (body !== undefined) add(`${capital(id)}Body`, body)
    if (answer !== undefined) add(`${capital(id)}Answer`, answer)
  }
  return Object.fromEntries([...nameOf].map(([schema, name]) => [name, schema]))
})()

const tagDescriptions: Readonly<Record<string, string>> = {
  'API keys': 'The keys of the account’s programs',
  Account: 'The account and its settings',
  'Audit log': 'Who changed what',
  'Day close': 'A day of a wallet: what came, what left, what is missing',
  Intents: 'Payment requests and what became of them',
  Live: 'Hints at changes, as a stream',
  Members: 'Who belongs to the account, and invitations',
  Notices: 'What owners must learn',
  Operators: 'For those who host the service',
  Phones: 'What reports the messages of wallets',
  Providers: 'Wallet companies',
  Templates: 'How messages are read',
  Today: 'Figures of the day',
  'Unmatched money': 'Money that no intent has, and what a member does with it',
  Wallets: 'Where money is collected',
  Webhooks: 'Endpoints, deliveries and replays',
  You: 'The signed-in user: session, password, second factor',
}

const retryAfter = {
  'Retry-After': { description: 'In how many seconds to repeat the call.', schema: Type.Integer({ minimum: 1 }) },
}

const accountId = { type: 'string', format: 'uuid' }

/** The parameters by which a call names the account that it acts for. */
const actingFor = ({ access, answerTypes }: Operation): object[] => {
  if (access === 'open') return []
  const queryParameter = {
    name: 'acting_for',
    in: 'query',
    description: 'As `X-Sanad-Account`, where a browser sends no headers.',
    schema: accountId,
  }
  return [{ $ref: '#/components/parameters/ActingFor' }, ...(answerTypes === undefined ? [] : [queryParameter])]
}

const api: Api = {
  title: 'Sanad dashboard API',
  introduction: () => introduction,
  tags: [...new Set(dashboardOperations.map(({ tag }) => tag))].map((name) => ({
    name,
    description: tagDescriptions[name] ?? `Calls of “${name}”`,
  })),
  security: [{ session: [] }, { userToken: [] }],
  securitySchemes: {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: 'sanad_session',
      description: 'Set by `POST /session/`; over https its name is `__Host-sanad_session`.',
    },
    userToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'From `POST /token/`.' },
  },
  operations: dashboardOperations,
  schemas: schemasByName,
  // Tests compare every answer with these fields: no others are allowed.
  closed: true,
  showsAccess: true,
  moreParameters: actingFor,
  parameterComponents: {
    ActingFor: {
      name: 'X-Sanad-Account',
      in: 'header',
      description: 'Which of your accounts the call acts for; left out, the session’s or the token’s.',
      schema: accountId,
    },
  },
  errorSchema: DashboardError,
  errorHeaders: {
    401: { 'WWW-Authenticate': { description: 'How a script signs in.', schema: Type.String() } },
    409: retryAfter,
    429: retryAfter,
    503: retryAfter,
  },
  errors: [
    {
      statuses: [400],
      of: (operation) => changes(operation) || operation.query !== undefined,
      description: 'The request is not valid.',
    },
    { statuses: [401], of: everyCall, description: 'No user is signed in, or the credentials are wrong.' },
    {
      statuses: [403],
      of: everyCall,
      description:
        'Your role does not allow it, you cannot act for the account that is named, or the call came from a page of another site. ' +
        'Where `x-proof` is set: or you have not proved in the last ten minutes that it is you (`confirmation_required`). ' +
        'Without `x-without-second-factor`: or a second factor is required, and you have none (`second_factor_required`).',
    },
    { statuses: [404], description: 'The object does not exist, or belongs to another account.' },
    { statuses: [413], of: changes, description: 'The body is larger than 1 MiB.' },
    { statuses: [415], of: changes, description: 'The body is not JSON.' },
    { statuses: [429], description: 'Too many calls. Repeat after `Retry-After`.' },
    {
      statuses: [503],
      description:
        'The database is not available for a moment: the call may or may not have been carried out. Repeat after `Retry-After`.',
    },
  ],
}

export const dashboardOpenApi = (options: DocumentOptions): OpenApiDocument => openApi(api, options)
