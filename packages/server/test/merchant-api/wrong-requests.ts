/**
 * Wrong requests, each with the hint that lets a developer repair it. Their answers, as they were before there were hints,
 * are in fixtures/wrong-requests.json: bodies and statuses stay as they are.
 */

/** What the requests are made of: an account with a key, intents and wallets. */
export type Material = {
  readonly clientId: string
  readonly secret: string
  readonly token: string
  readonly userToken: string
  readonly expiredToken: string
  readonly foreignToken: string
  readonly revokedToken: string
  readonly revokedKey: { readonly client_id: string; readonly client_secret: string }
  readonly wallet: string
  readonly offWallet: string
  readonly intent: string
  readonly code: string
  readonly cancelled: string
  readonly reference: string
  readonly unknownId: string
  readonly idempotencyKey: string
}

export type WrongRequest = {
  readonly name: string
  readonly method: string
  /** With its query, from the origin. */
  readonly path: string
  /** Left out: the token of the key. Null: no Authorization header. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const merchant = '/api/v1/merchant'
const checkout = '/api/v1/checkout'
const developer = '/api/v1/developer'
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const tokenCalls = (m: Material): WrongRequest[] => {
  const at = { method: 'POST', path: `${merchant}/token`, token: null }
  const credentials = { client_id: m.clientId, client_secret: m.secret }
  const basic = `Basic ${Buffer.from(`${m.clientId}:${m.secret}`).toString('base64')}`
  const sent = (id: string, secret: string) => ({ 'service-client-id': id, 'service-client-secret': secret })
  return [
    { ...at, name: 'token: nothing sent' },
    { ...at, name: 'token: credentials in a JSON body', body: credentials },
    {
      ...at,
      name: 'token: credentials in a form body',
      body: `grant_type=client_credentials&client_id=${m.clientId}&client_secret=${m.secret}`,
      headers: form,
    },
    { ...at, name: 'token: Basic', headers: { authorization: basic } },
    { ...at, name: 'token: basic in lower case', headers: { authorization: basic.toLowerCase() } },
    { ...at, name: 'token: the secret as Bearer', headers: { authorization: `Bearer ${m.secret}` } },
    {
      ...at,
      name: 'token: credentials in the query',
      path: `${merchant}/token?client_id=${m.clientId}&client_secret=${m.secret}`,
    },
    { ...at, name: 'token: CLIENT-ID', headers: { 'client-id': m.clientId, 'client-secret': m.secret } },
    {
      ...at,
      name: 'token: X-Service-Client-Id',
      headers: { 'x-service-client-id': m.clientId, 'x-service-client-secret': m.secret },
    },
    {
      ...at,
      name: 'token: underscores in the header names',
      headers: { service_client_id: m.clientId, service_client_secret: m.secret },
    },
    { ...at, name: 'token: X-Api-Key', headers: { 'x-api-key': m.secret } },
    { ...at, name: 'token: only the id', headers: { 'service-client-id': m.clientId } },
    { ...at, name: 'token: only the secret', headers: { 'service-client-secret': m.secret } },
    { ...at, name: 'token: an empty secret', headers: sent(m.clientId, '') },
    { ...at, name: 'token: the two swapped', headers: sent(m.secret, m.clientId) },
    { ...at, name: 'token: an id that is no id', headers: sent('my shop', m.secret) },
    { ...at, name: 'token: quotes around the id', headers: sent(`"${m.clientId}"`, m.secret) },
    { ...at, name: 'token: quotes around the secret', headers: sent(m.clientId, `"${m.secret}"`) },
    { ...at, name: 'token: the secret cut', headers: sent(m.clientId, m.secret.slice(0, -1)) },
    { ...at, name: 'token: a wrong secret', headers: sent(m.clientId, 'A'.repeat(43)) },
    { ...at, name: 'token: an unknown id', headers: sent('0'.repeat(32), 'A'.repeat(43)) },
    {
      ...at,
      name: 'token: a revoked key',
      headers: sent(m.revokedKey.client_id, m.revokedKey.client_secret),
    },
    { ...at, name: 'token: GET', method: 'GET' },
  ]
}

const bearerCalls = (m: Material): WrongRequest[] => {
  const at = { method: 'GET', path: `${merchant}/wallets/`, token: null }
  const sent = (authorization: string) => ({ headers: { authorization } })
  return [
    { ...at, name: 'bearer: missing' },
    {
      ...at,
      name: 'bearer: the headers of the key instead',
      headers: { 'service-client-id': m.clientId, 'service-client-secret': m.secret },
    },
    { ...at, name: 'bearer: in the query', path: `${merchant}/wallets/?access_token=${m.token}` },
    { ...at, name: 'bearer: a raw token', ...sent(m.token) },
    { ...at, name: 'bearer: Token x', ...sent(`Token ${m.token}`) },
    { ...at, name: 'bearer: Basic', ...sent(`Basic ${m.token}`) },
    { ...at, name: 'bearer: Bearer with a colon', ...sent(`Bearer: ${m.token}`) },
    { ...at, name: 'bearer: the scheme alone', ...sent('Bearer') },
    { ...at, name: 'bearer: in quotes', ...sent(`Bearer "${m.token}"`) },
    { ...at, name: 'bearer: in angle brackets', ...sent(`Bearer <${m.token}>`) },
    { ...at, name: 'bearer: Bearer twice', ...sent(`Bearer Bearer ${m.token}`) },
    {
      ...at,
      name: 'bearer: a space in the token',
      ...sent(`Bearer ${m.token.slice(0, 9)} ${m.token.slice(9)}`),
    },
    { ...at, name: 'bearer: undefined', ...sent('Bearer undefined') },
    { ...at, name: 'bearer: an object as text', ...sent('Bearer [object Object]') },
    { ...at, name: 'bearer: the client secret', ...sent(`Bearer ${m.secret}`) },
    { ...at, name: 'bearer: a token that was cut', ...sent(`Bearer ${m.token.slice(0, -3)}`) },
    { ...at, name: 'bearer: of another service', ...sent(`Bearer ${m.foreignToken}`) },
    { ...at, name: 'bearer: expired', ...sent(`Bearer ${m.expiredToken}`) },
    { ...at, name: 'bearer: of a revoked key', ...sent(`Bearer ${m.revokedToken}`) },
    { ...at, name: 'bearer: of a dashboard user', ...sent(`Bearer ${m.userToken}`) },
    { ...at, name: 'bearer: missing, checkout API', path: `${checkout}/sessions/` },
    {
      ...at,
      name: 'bearer: expired, developer API',
      path: `${developer}/calls/`,
      ...sent(`Bearer ${m.expiredToken}`),
    },
  ]
}

const paths = (m: Material): WrongRequest[] => {
  const get = (path: string, name = `path: ${path}`) => ({ name, method: 'GET', path })
  return [
    get(`${merchant}/intent/`),
    get(`${merchant}/wallet`),
    get(`${merchant}/intnets/`),
    get(`${merchant}/payment-intents/`),
    get(`${merchant}/payments/`),
    get(`${merchant}//intents/`),
    get(`${merchant}/Intents/`),
    get('/api/v2/merchant/intents/'),
    get('/api/merchant/intents/'),
    get('/v1/merchant/intents/'),
    get('/merchant/intents/'),
    get('/intents/'),
    get('/api/v1/intents/'),
    get('/api/v1/merchants/wallets/'),
    get('/api/v1/sessions/'),
    get(`${merchant}/sessions/`),
    get(`${checkout}/token`),
    get(`${checkout}/session/`),
    get(`${developer}/event/`),
    get(`${merchant}/intents/${m.intent}/reference/`, 'path: a part below an intent'),
    get(`${merchant}/intent/${m.intent}/`, 'path: an intent below the singular'),
    get(`${merchant}/oauth/token`),
    get(`${merchant}/nothing/like/it/`),
    get('/api/v1/merchant'),
    get('/favicon.png'),
    { ...get('/api/v1/merchant/intent/', 'path: without a token'), token: null },
    { ...get('/api/v1/merchant/intent/%0d%0aX-Evil:%201', 'path: a line break in it'), token: null },
    { ...get(`${merchant}/intents/${m.code}/`, 'path: the code instead of the id') },
    { ...get(`${merchant}/intents/${m.code.toLowerCase()}/`, 'path: the code in lower case') },
    { ...get(`${merchant}/intents/A-1001/`, 'path: the order number instead of the id') },
    { ...get(`${merchant}/intents/undefined/`, 'path: undefined instead of the id') },
    { ...get(`${merchant}/intents/{id}/`, 'path: {id} itself') },
    { ...get(`${merchant}/intents/${m.unknownId}/`, 'path: an unknown id') },
    { ...get(`${checkout}/sessions/${m.unknownId}/`, 'path: an unknown checkout') },
    { ...get(`${checkout}/links/x/`, 'path: a link that is no id') },
    { ...get(`${merchant}/intents/?page=999`, 'page: past the end') },
    { ...get(`${merchant}/intents/?page=two`, 'page: a word') },
    { name: 'method: PUT a list', method: 'PUT', path: `${merchant}/intents/` },
    { name: 'method: PUT an intent', method: 'PUT', path: `${merchant}/intents/${m.intent}/` },
    { name: 'method: DELETE an intent', method: 'DELETE', path: `${merchant}/intents/${m.intent}/` },
    { name: 'method: POST wallets', method: 'POST', path: `${merchant}/wallets/`, body: {} },
    { name: 'method: DELETE a checkout', method: 'DELETE', path: `${checkout}/sessions/${m.unknownId}/` },
    { name: 'method: GET a cancel', method: 'GET', path: `${checkout}/sessions/${m.unknownId}/cancel/` },
    { name: 'method: DELETE a link', method: 'DELETE', path: `${checkout}/links/${m.unknownId}/` },
    { name: 'method: GET a trigger', method: 'GET', path: `${developer}/events/trigger/` },
  ]
}

const bodies = (m: Material): WrongRequest[] => {
  const post = (name: string, body: unknown) => ({
    name,
    method: 'POST',
    path: `${merchant}/intents/`,
    body,
  })
  const create = (name: string, more: Readonly<Record<string, unknown>>) =>
    post(name, { wallet: m.wallet, amount: '1500.00', ...more })
  const json = `{"wallet":"${m.wallet}","amount":"1500.00"}`
  const typed = (type: string) => ({ headers: { 'content-type': type } })
  return [
    { ...post('type: form data', `wallet=${m.wallet}&amount=1500`), ...typed('application/x-www-form-urlencoded') },
    { ...post('type: multipart', '--x--'), ...typed('multipart/form-data; boundary=x') },
    { ...post('type: plain text', json), ...typed('text/plain') },
    { ...post('type: missing', json), ...typed('(none)') },
    { ...post('type: HTML', json), ...typed('text/html; charset="x"') },
    post('json: form data', `wallet=${m.wallet}&amount=1500`),
    post('json: a comma at the end', `{"wallet":"${m.wallet}","amount":"1500.00",}`),
    post('json: a comma at the end of a list', '{"items":[1,2,]}'),
    post('json: single quotes', `{'wallet':'${m.wallet}'}`),
    post('json: a value in single quotes', `{"wallet":'${m.wallet}'}`),
    post('json: typographic quotes', `{“wallet”:“${m.wallet}”}`),
    post('json: names without quotes', `{wallet:"${m.wallet}"}`),
    post('json: None', '{"wallet":None}'),
    post('json: undefined', '{"wallet":undefined}'),
    post('json: NaN', '{"amount":NaN}'),
    post('json: a decimal comma', `{"wallet":"${m.wallet}","amount":12,5}`),
    post('json: a comment', `{ // the wallet\n"wallet":"${m.wallet}"}`),
    post('json: cut off', json.slice(0, -4)),
    post('json: two values', `${json}${json}`),
    post('json: a line break in a text', '{"notes":"one\ntwo"}'),
    post('json: a byte order mark', `\ufeff${json}`),
    post('json: not UTF-8', Buffer.from([0x7b, 0xe9, 0x7d])),
    post('json: XML', '<intent><wallet/></intent>'),
    post('json: a list', [{ wallet: m.wallet, amount: '1' }]),
    post('json: JSON inside a text', JSON.stringify(json)),
    post('json: null', 'null'),
    post('json: nothing', ''),
    post('field: everything inside data', { data: { wallet: m.wallet, amount: '1500.00' } }),
    post('field: wallet_id', { wallet_id: m.wallet, amount: '1500.00' }),
    post('field: neither amount nor items', { wallet: m.wallet }),
    post('field: total', { wallet: m.wallet, total: '1500.00' }),
    create('field: a wallet by its name', { wallet: 'Jawali' }),
    create('field: an unknown wallet', { wallet: m.unknownId }),
    create('field: a wallet whose phone is off', { wallet: m.offWallet }),
    create('field: a wallet as an object', { wallet: { id: m.wallet } }),
    create('field: amount 1,500', { amount: '1,500' }),
    create('field: amount 1,500.00', { amount: '1,500.00' }),
    create('field: amount 12,5', { amount: '12,5' }),
    create('field: amount 100.500', { amount: '100.500' }),
    create('field: amount with a currency', { amount: '1500 YER' }),
    create('field: amount 0', { amount: '0' }),
    create('field: amount -5', { amount: -5 }),
    create('field: amount much too large', { amount: '1500000000000000' }),
    create('field: amount null', { amount: null }),
    create('field: currency usd', { currency: 'usd' }),
    create('field: currency yer', { currency: 'yer' }),
    create('field: items is an object', { items: { name: 'Bread', price: '1' } }),
    create('field: a line without a price', { items: [{ name: 'Bread' }] }),
    create('field: a line with a quantity of 1.5', { items: [{ name: 'Bread', price: '1', quantity: 1.5 }] }),
    create('field: notes too long', { notes: 'x'.repeat(501) }),
    { ...create('key: too long', {}), headers: { 'service-idempotency-key': 'k'.repeat(129) } },
    {
      ...create('key: used with another body', { amount: '77.00' }),
      headers: { 'service-idempotency-key': m.idempotencyKey },
    },
    post('size: more than 1 MiB', `{"notes":"${'x'.repeat(1024 * 1024)}"}`),
  ]
}

const references = (m: Material): WrongRequest[] => {
  const patch = (name: string, body: unknown, id = m.intent) => ({
    name,
    method: 'PATCH',
    path: `${merchant}/intents/${id}/`,
    body,
  })
  return [
    patch('reference: missing', {}),
    patch('reference: ref', { ref: 'R-1' }),
    patch('reference: transaction_id', { transaction_id: 'R-1' }),
    patch('reference: empty', { reference: ' ' }),
    patch('reference: a long number', '{"reference":12345678901234567890}'),
    patch('reference: a list', { reference: ['R-1'] }),
    patch('reference: of another payment', { reference: m.reference }),
    patch('reference: the intent has ended', { reference: 'R-2' }, m.cancelled),
    patch('reference: an unknown intent', { reference: 'R-2' }, m.unknownId),
  ]
}

const queries = (m: Material): WrongRequest[] => {
  const list = (query: string) => ({
    name: `query: ${query}`,
    method: 'GET',
    path: `${merchant}/intents/?${query}`,
  })
  return [
    list('status=verified'),
    list('status=PAID'),
    list('created_after=yesterday'),
    list('created_before=31/01/2026'),
    list('created_after=2026-01-31T10:00:00 AM'),
    list('wallet=Jawali'),
    list('search=%00'),
    { ...list('status=open'), name: 'query: checkouts, status=open', path: `${checkout}/sessions/?status=open` },
    { ...list('after=x'), name: 'query: events, after=x', path: `${developer}/events/?after=x` },
    { ...list('status=lost'), name: 'query: calls, status=lost', path: `${developer}/calls/?status=lost` },
    list(`wallet_id=${m.wallet}&status=paid`),
  ]
}

const checkouts = (m: Material): WrongRequest[] => {
  const post = (name: string, body: unknown, path = '/sessions/') => ({
    name,
    method: 'POST',
    path: `${checkout}${path}`,
    body,
  })
  const session = (name: string, more: Readonly<Record<string, unknown>>) => post(name, { amount: '1500.00', ...more })
  return [
    post('checkout: nothing', {}),
    session('checkout: locale AR', { locale: 'AR' }),
    session('checkout: expires_in in minutes', { expires_in: 60 }),
    session('checkout: expires_in as a word', { expires_in: 'an hour' }),
    session('checkout: return_url without https', { return_url: 'shop.example.com' }),
    session('checkout: allow_remaining maybe', { allow_remaining: 'maybe' }),
    session('checkout: a customer as a text', { customer: 'Salem' }),
    session('checkout: a phone with letters', { customer: { phone: 'none' } }),
    session('checkout: wallets is one id', { wallets: m.wallet }),
    session('checkout: an unknown wallet', { wallets: [m.unknownId] }),
    session('checkout: metadata is a list', { metadata: ['a'] }),
    post('link: neither an amount nor bounds', {}, '/links/'),
    post('link: bounds that cross', { min_amount: '10', max_amount: '5' }, '/links/'),
    post('link: active', { active: 'perhaps' }, '/links/'),
    post('trigger: no event', {}, '/../developer/events/trigger/'),
    post('trigger: an event that does not exist', { event: 'payment.paid' }, '/../developer/events/trigger/'),
  ]
}

export const wrongRequests = (m: Material): readonly WrongRequest[] => [
  ...tokenCalls(m),
  ...bearerCalls(m),
  ...paths(m),
  ...bodies(m),
  ...references(m),
  ...queries(m),
  ...checkouts(m),
]
